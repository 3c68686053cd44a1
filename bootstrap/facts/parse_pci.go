package facts

import (
	"fmt"
	"slices"
	"strings"
)

// readPCI reads the probe's lines: slot, class, vendor, device, driver, vf; "-"
// stands for nothing.
func readPCI(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		d, err := parsePCILine(line)
		if err != nil {
			f.unknown("pci.line", err.Error())
			continue
		}
		f.Devices = append(f.Devices, d)
		if d.accelerator() {
			f.GPUs = append(f.GPUs, d)
		}
	}
	return nil
}

func parsePCILine(line string) (PCIDevice, error) {
	w := strings.Fields(line)
	if len(w) < 4 {
		return PCIDevice{}, fmt.Errorf("PCI line %q", line)
	}
	d := PCIDevice{Slot: longSlot(w[0]), VendorID: hexDigits(w[2], 4), DeviceID: hexDigits(w[3], 4)}
	d.Class = hexDigits(w[1], 6)
	if d.Slot == "" || d.Class == "" || d.VendorID == "" || d.DeviceID == "" {
		return PCIDevice{}, fmt.Errorf("PCI line %q", line)
	}
	d.Class = d.Class[:4]
	if len(w) > 4 && w[4] != "-" {
		d.Driver = w[4]
	}
	d.VF = len(w) > 5 && w[5] == "vf"
	return d, nil
}

// hexDigits takes 0x off a number of n digits; "" for anything else.
func hexDigits(s string, n int) string {
	s = strings.ToLower(strings.TrimPrefix(s, "0x"))
	if len(s) != n || strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	return s
}

// longSlot gives a PCI address its domain: 17:00.0 is 0000:17:00.0, and the
// eight digits that nvidia-smi prints are cut to four where they fit. "" for
// what is no address.
func longSlot(s string) string {
	s = strings.ToLower(s)
	parts := strings.Split(s, ":")
	if len(parts) == 2 {
		parts = append([]string{"0000"}, parts...)
	}
	if len(parts) != 3 || strings.Trim(strings.Join(parts, ""), "0123456789abcdef.") != "" {
		return ""
	}
	if len(parts[0]) == 8 {
		parts[0] = strings.TrimPrefix(parts[0], "0000")
	}
	if len(parts[0]) < 4 || len(parts[1]) != 2 || len(parts[2]) < 2 {
		return ""
	}
	return strings.Join(parts, ":")
}

// accelerator says whether a device computes: display controllers of NVIDIA,
// the accelerator classes of AMD and Intel, and processing accelerators
// (class 12) of anyone. AMD's and Intel's plain VGA devices are mostly the ones
// built into processors, so of these only dedicated display classes count.
func (d PCIDevice) accelerator() bool {
	switch d.Class[:2] {
	case "12":
		return true
	case "03":
		return d.VendorID == VendorNVIDIA ||
			(d.Class != "0300" && (d.VendorID == VendorAMD || d.VendorID == VendorIntel))
	}
	return false
}

// readPCINames reads lspci -Dnn, of which only the names are taken.
func readPCINames(f *Facts, s section) error {
	if s.status == "127" {
		return nil // no lspci; the table of names stands in
	}
	for slot, name := range parseLspciNames(s.body) {
		for i := range f.Devices {
			if f.Devices[i].Slot == slot {
				f.Devices[i].Name = name
			}
		}
	}
	return nil
}

// parseLspciNames reads lspci -nn into slot and device name: "17:00.0 3D
// controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330]".
// A name that lspci does not know ("Device") is left out.
func parseLspciNames(text string) map[string]string {
	names := map[string]string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		addr, rest, _ := strings.Cut(line, " ")
		slot := longSlot(addr)
		_, desc, ok := strings.Cut(rest, "]: ")
		if slot == "" || !ok {
			continue
		}
		if at := strings.LastIndex(desc, " ["); at > 0 { // cuts " [10de:2330] (rev a1)"
			desc = desc[:at]
		}
		if open, end := strings.LastIndex(desc, "["), strings.LastIndex(desc, "]"); open >= 0 && end > open {
			names[slot] = desc[open+1 : end]
		}
	}
	return names
}

// deriveGPUs gives every GPU its best name and brings all lists into order.
func (f *Facts) deriveGPUs() {
	smi := map[string]string{}
	for _, g := range f.NVIDIA.GPUs {
		if slot := longSlot(g.Bus); slot != "" && g.Fault == "" {
			smi[slot] = g.Name
		}
	}
	for i := range f.Devices {
		d := &f.Devices[i]
		if n := smi[d.Slot]; n != "" {
			d.Name = n
		}
		if d.Name == "" {
			d.Name = pciName(d.VendorID, d.DeviceID)
		}
	}
	slices.SortFunc(f.Devices, func(a, b PCIDevice) int { return strings.Compare(a.Slot, b.Slot) })
	f.GPUs = nil
	for _, d := range f.Devices {
		if d.accelerator() {
			f.GPUs = append(f.GPUs, d)
		}
	}
}
