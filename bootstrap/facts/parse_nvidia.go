package facts

import (
	"errors"
	"slices"
	"strings"
)

func readNVIDIA(f *Facts, s section) error {
	for _, p := range pairs(s.body) {
		switch p.key {
		case "version":
			version, open, err := parseDriverVersion(p.value)
			f.NVIDIA.DriverVersion, f.NVIDIA.Open = version, open
			f.NVIDIA.Loaded = true
			if err != nil {
				f.unknown("nvidia.version", err.Error())
			}
		case "module_version":
			if f.NVIDIA.DriverVersion == "" {
				f.NVIDIA.DriverVersion = p.value
			}
		case "module":
			f.NVIDIA.Modules = append(f.NVIDIA.Modules, p.value)
			f.NVIDIA.Loaded = f.NVIDIA.Loaded || p.value == "nvidia"
			f.NVIDIA.Peermem = f.NVIDIA.Peermem || p.value == "nvidia_peermem"
		case "node":
			f.NVIDIA.Nodes = append(f.NVIDIA.Nodes, p.value)
		case "tool":
			f.NVIDIA.Tools = append(f.NVIDIA.Tools, p.value)
		}
	}
	slices.Sort(f.NVIDIA.Modules)
	slices.Sort(f.NVIDIA.Nodes)
	return nil
}

// deriveSMI takes an nvidia-smi that never ended, not even when it was killed,
// for one that gave no answer in time.
func (f *Facts) deriveSMI() {
	if why, gap := f.Unknown["smi"]; gap && f.NVIDIA.SMI == "" {
		f.NVIDIA.SMI, f.NVIDIA.SMIDetail = SMITimeout, why
	}
}

// parseDriverVersion reads the first line of /proc/driver/nvidia/version:
//
//	NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24 …
//	NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.57.01  Release Build …
//
// The open flavour says "Open". What follows the version differs by builder and
// even by language.
func parseDriverVersion(line string) (version string, open bool, err error) {
	_, rest, ok := strings.Cut(firstLine(line), "Kernel Module")
	if !ok {
		return "", false, errors.New("driver version line " + evidence(line))
	}
	open = strings.Contains(line, "Open Kernel Module")
	for w := range strings.FieldsSeq(rest) {
		if driverVersion(w) {
			return w, open, nil
		}
	}
	return "", open, errors.New("no version in " + evidence(line))
}

// driverVersion says whether a word is a driver version, such as 555.58 or
// 580.126.09.
func driverVersion(w string) bool {
	parts := strings.Split(w, ".")
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) != 3 {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}

// Has says whether a kernel module is loaded; only those that the probe asks
// for are known.
func (n NVIDIA) Has(module string) bool { return slices.Contains(n.Modules, module) }
