package facts

import (
	"errors"
	"fmt"
	"strings"
)

// readSMI reads nvidia-smi --query-gpu … --format=csv, or what it said instead.
func readSMI(f *Facts, s section) error {
	gpus, err := parseSMI(s.body)
	if err == nil {
		f.NVIDIA.SMI, f.NVIDIA.GPUs = SMIOK, gpus
		for _, g := range gpus {
			if g.Fault == "" {
				continue
			}
			f.NVIDIA.SMI, f.NVIDIA.SMIDetail = SMIReset, fmt.Sprintf("GPU %d (%s): %s", g.Index, g.Bus, g.Fault)
			if strings.Contains(g.Fault, "lost") {
				f.NVIDIA.SMI = SMILost
				break
			}
		}
		return nil
	}
	f.NVIDIA.SMI, f.NVIDIA.SMIDetail = classifySMI(s.body, s.status), evidence(s.body)
	return err
}

// classifySMI names why nvidia-smi gave no table. The exit status tells most of
// it (see nvidia-smi(1), RETURN VALUE), the text the rest.
func classifySMI(text, status string) string {
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case status == "124", status == "137":
		return SMITimeout
	case status == "127", has("nvidia-smi: not found"), has("command not found"):
		return SMIMissing
	case status == "18", has("library version mismatch"):
		return SMIMismatch
	case status == "15", has("GPU is lost"), has("Unable to determine the device handle"):
		return SMILost
	case status == "9", has("couldn't communicate with the NVIDIA driver"):
		return SMINoDriver
	case status == "6", has("No devices were found"):
		return SMINoDevices
	case status == "12", has("couldn't find libnvidia-ml"), has("NVML Shared Library Not Found"):
		return SMINoLibrary
	case status == "4", has("Insufficient Permissions"):
		return SMIPermission
	}
	return SMIUnknown
}

// parseSMI reads the table of nvidia-smi --format=csv with its header, whose
// names say what a column is: older drivers lack some. Warnings may stand before
// and after the table.
func parseSMI(text string) ([]SMIGPU, error) {
	all := lines(text)
	at := -1
	for i, line := range all {
		if strings.HasPrefix(line, "index, ") {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, errors.New("nvidia-smi says: " + evidence(text))
	}
	header := splitCSV(all[at])
	var out []SMIGPU
	for _, line := range all[at+1:] {
		if row := splitCSV(line); len(row) >= len(header) {
			if g, ok := smiRow(header, row); ok {
				out = append(out, g)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("nvidia-smi lists no GPU: " + evidence(text))
	}
	return out, nil
}

// splitCSV cuts a line at its commas; nvidia-smi quotes nothing.
func splitCSV(line string) []string {
	row := strings.Split(line, ",")
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row
}

// smiRow reads one row. A product name may hold a comma, so the columns behind
// it are counted from the right.
func smiRow(header, row []string) (SMIGPU, bool) {
	g := SMIGPU{MemoryMiB: -1, Uncorrected: -1}
	index, ok := atoi(row[0])
	if !ok {
		return g, false
	}
	g.Index = index
	extra := len(row) - len(header)
	for i, column := range header {
		cell := row[min(i+extra, len(row)-1)]
		switch {
		case i == 0:
			continue
		case strings.HasPrefix(column, "name"):
			cell = strings.Join(row[i:i+extra+1], ", ")
		}
		g.set(column, cell)
	}
	return g, true
}

// set stores a cell after its column's name, which may be followed by a unit.
func (g *SMIGPU) set(column, cell string) {
	name, _, _ := strings.Cut(column, " [")
	value, fault := smiCell(cell)
	if fault != "" {
		if g.Fault == "" {
			g.Fault = fault
		}
		return
	}
	switch name {
	case "name":
		g.Name = value
	case "uuid":
		g.UUID = value
	case "pci.bus_id":
		g.Bus = value
	case "memory.total":
		g.MemoryMiB = smiNumber(value)
	case "driver_version":
		g.Driver = value
	case "compute_cap":
		g.Compute = value
	case "mig.mode.current":
		g.MIG = value
	case "ecc.errors.uncorrected.volatile.total":
		g.Uncorrected = smiNumber(value)
	case "persistence_mode":
		g.Persistence = value
	}
}

// smiCell gives "" for what does not apply to this GPU, and the text of a fault.
func smiCell(cell string) (value, fault string) {
	inner, ok := strings.CutPrefix(cell, "[")
	if !ok {
		return cell, ""
	}
	inner = strings.TrimSuffix(inner, "]")
	switch inner {
	case "N/A", "Not Supported", "Insufficient Permissions", "Not Found":
		return "", ""
	}
	return "", inner
}

// smiNumber reads "81559 MiB" or "0"; -1 where there is none.
func smiNumber(s string) int64 {
	w := strings.Fields(s)
	if len(w) == 0 {
		return -1
	}
	n, ok := atoi64(w[0])
	if !ok || n < 0 {
		return -1
	}
	return n
}
