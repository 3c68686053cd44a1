package facts

import "strings"

// readFabric reads "index, state, status" without a header. Drivers that know
// no fabric refuse the query: then nothing is known, which is no fault.
func readFabric(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		row := splitCSV(line)
		if len(row) < 3 {
			continue
		}
		index, ok := atoi(row[0])
		if !ok {
			continue
		}
		state, _ := smiCell(row[1])
		status, _ := smiCell(row[2])
		if state == "" || state == "N/A" {
			continue
		}
		for i := range f.NVIDIA.GPUs {
			if f.NVIDIA.GPUs[i].Index == index {
				f.NVIDIA.GPUs[i].Fabric = strings.TrimSpace(state + " " + status)
			}
		}
	}
	return nil
}

// readRemap reads "bus, pending, failure" without a header, one line for each
// GPU. Only GPUs since Ampere remap rows; others do not answer.
func readRemap(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		row := splitCSV(line)
		if len(row) < 3 {
			continue
		}
		slot := longSlot(row[0])
		for i := range f.NVIDIA.GPUs {
			g := &f.NVIDIA.GPUs[i]
			if slot != "" && longSlot(g.Bus) == slot {
				g.RemapPending, g.RemapFailed = remapped(row[1]), remapped(row[2])
			}
		}
	}
	return nil
}

// remapped reads Yes and No, or the 1 and 0 of newer drivers.
func remapped(cell string) bool { return cell == "Yes" || cell == "1" }
