package facts

import (
	"strings"
	"testing"
)

func FuzzSMI(f *testing.F) {
	f.Add("WARNING: x\nindex, name, uuid, pci.bus_id, memory.total [MiB]\n0, A, B, GPU-1, 0000:01:00.0, 5 MiB\n1, [GPU is lost], [N/A], x, y\n", "0")
	f.Add("Failed to initialize NVML: Driver/library version mismatch", "18")
	f.Fuzz(func(t *testing.T, text, status string) {
		facts := newFacts()
		err := readSMI(facts, section{body: text, status: status})
		if facts.NVIDIA.SMI == "" || (err == nil) != (len(facts.NVIDIA.GPUs) > 0) {
			t.Errorf("state %q, %d GPUs, %v", facts.NVIDIA.SMI, len(facts.NVIDIA.GPUs), err)
		}
		_ = readFabric(facts, ended(text))
		_ = readRemap(facts, ended(text))
	})
}

func FuzzDriverVersion(f *testing.F) {
	f.Add("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.57.01  Release Build  (x)")
	f.Fuzz(func(t *testing.T, line string) {
		if v, _, err := parseDriverVersion(line); (err == nil) != driverVersion(v) {
			t.Errorf("%q gives %q %v", line, v, err)
		}
	})
}

func FuzzKernlog(f *testing.F) {
	f.Add("[1.2] NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7, Contained\nnvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Fatal, x\nNVRM: API mismatch")
	f.Fuzz(func(_ *testing.T, text string) { parseKernlog(text) })
}

func FuzzPCI(f *testing.F) {
	f.Add("0000:17:00.0 0x030200 0x10de 0x2330 nvidia vf")
	f.Fuzz(func(t *testing.T, line string) {
		if d, err := parsePCILine(line); err == nil && (len(d.Class) != 4 || len(d.VendorID) != 4 || len(d.DeviceID) != 4) {
			t.Errorf("device %+v", d)
		}
	})
}

func FuzzLspci(f *testing.F) {
	f.Add("17:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)\n\tx\n")
	f.Fuzz(func(t *testing.T, text string) {
		for slot := range parseLspciNames(text) {
			if longSlot(slot) != slot {
				t.Errorf("slot %q", slot)
			}
		}
	})
}

func FuzzProduct(f *testing.F) {
	f.Add("H100 SXM", "NVIDIA H100 80GB HBM3", true)
	f.Fuzz(func(t *testing.T, want, name string, driver bool) {
		if matchesProduct(want, name, driver); !matchesProduct(name, name, driver) {
			t.Errorf("%q is not itself", name)
		}
	})
}

func FuzzRDMA(f *testing.F) {
	f.Add("# dev mlx5_0 0000:18:00.0 eth0\n/sys/class/infiniband/mlx5_0/ports/1/rate:400 Gb/sec (4X NDR)\n/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range parseRDMASysfs(text) {
			if p.GbPerSec < 0 || strings.Contains(p.Device, "/") {
				t.Errorf("port %+v", p)
			}
		}
	})
}

// FuzzSections gives one text to every section's parser.
func FuzzSections(f *testing.F) {
	f.Add("uid=0\nuname=Linux a 6.8 x86_64\nId=k3s.service\n/proc/1/comm:k3s\nversion=1\ncpus_online=0-3,9\nMemTotal: 5 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		facts := newFacts()
		for _, p := range parsers() {
			facts.read(p, map[string]section{p.name: ended(text)})
		}
		facts.derive()
		if facts.CPUs < 0 || facts.MemoryBytes < 0 || facts.SwapBytes < 0 {
			t.Errorf("facts %+v", facts)
		}
	})
}
