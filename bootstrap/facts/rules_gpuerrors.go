package facts

import (
	"fmt"
	"slices"
	"strings"
)

func gpuLost() rule {
	return rule{
		Rule: Rule{ID: "gpu-lost", Severity: Block,
			Meaning: "A GPU has fallen off the bus since the last boot (Xid 79), or the driver has lost it: it does not come back without a reboot or a repair. A warning where the inventory promises none.",
			Fix:     "reboot; if it comes again, have the card or its power and cooling checked"},
		host: func(c hostCase) []hit {
			h := hit{severity: c.gpuFault(), summary: "a GPU is lost"}
			switch c.f.NVIDIA.SMI {
			case SMILost:
				h.evidence = c.f.NVIDIA.SMIDetail
			case SMIReset:
				h.summary, h.evidence = "a GPU does not work before it is reset", c.f.NVIDIA.SMIDetail
				h.fix = "nvidia-smi --gpu-reset -i INDEX with nothing using it, or reboot"
			}
			for _, x := range c.f.Kernlog.Xids {
				switch {
				case x.Switch && x.Fatal && h.evidence != "":
					h.summary = "a GPU does not answer, and an NVSwitch has reported a fatal error: the fabric may be the cause"
				case h.evidence == "" && !x.Switch && x.Code == 79:
					h.evidence = fmt.Sprintf("Xid 79 of %s: %s", x.Bus, tail(x.Text, 120))
				}
			}
			if h.evidence == "" {
				return nil
			}
			return []hit{h}
		},
	}
}

// seriousXid says whether an Xid points to hardware, firmware or the fabric, and
// not to a program's own fault (13, 31, 43, 45, 68 and the like). After NVIDIA's
// Xid catalogue.
func seriousXid(code int) bool {
	switch code {
	case 46, 48, 62, 63, 64, 74, 92, 94, 95, 110, 119, 120, 121, 140, 143, 144, 145, 146, 147, 148, 149, 150, 154:
		return true
	}
	return false
}

func gpuErrors() rule {
	return rule{
		Rule: Rule{ID: "gpu-errors", Severity: Warn,
			Meaning: "The driver has reported errors of a GPU or NVSwitch since the last boot that programs do not cause. Info for those that were only reported.",
			Fix:     "dmesg | grep -i xid; nvidia-smi -q -d ECC,ROW_REMAPPER; run dcgmi diag -r 3, and return the host if it comes again"},
		host: func(c hostCase) []hit {
			count := map[string]int{}
			var order []string
			last := map[string]Xid{}
			for _, x := range c.f.Kernlog.Xids {
				if (x.Switch && !x.Fatal) || (!x.Switch && !seriousXid(x.Code)) {
					continue
				}
				kind := "Xid"
				if x.Switch {
					kind = "SXid"
				}
				name := fmt.Sprintf("%s %d of %s", kind, x.Code, x.Bus)
				if count[name] == 0 {
					order = append(order, name)
				}
				count[name]++
				last[name] = x
			}
			if len(order) == 0 {
				return nil
			}
			var parts []string
			for _, name := range order[:min(len(order), 4)] {
				parts = append(parts, fmt.Sprintf("%s (%d times): %s", name, count[name], tail(last[name].Text, 100)))
			}
			return one("GPUs have reported hardware errors since the last boot", strings.Join(parts, "; "))
		},
	}
}

// nvswitch says whether the board has switches between its GPUs.
func (f *Facts) nvswitch() bool { return slices.ContainsFunc(f.Devices, PCIDevice.NVSwitch) }

func fabricManager() rule {
	return rule{
		Rule: Rule{ID: "fabric-manager", Severity: Block,
			Meaning: "On boards with NVSwitch and a driver of the host, the fabric manager of exactly the same version must run: else CUDA fails with error 802. A warning where the inventory promises no GPUs.",
			Fix:     "install nvidia-fabricmanager-BRANCH of the driver's exact version; systemctl enable --now nvidia-fabricmanager"},
		host: func(c hostCase) []hit {
			if !c.f.nvswitch() || !c.f.NVIDIA.Loaded || !c.read("units") || len(c.f.nvidia()) == 0 {
				return nil
			}
			u, known := c.f.Units["nvidia-fabricmanager.service"]
			if u.Active == "active" || len(c.f.Running("nv-fabricmanage")) > 0 {
				return nil
			}
			h := hit{severity: c.gpuFault(), summary: "the NVSwitches have no fabric manager: CUDA fails with error 802",
				evidence: "nvidia-fabricmanager.service is not installed, driver " + c.f.NVIDIA.DriverVersion}
			if known {
				h.evidence = fmt.Sprintf("nvidia-fabricmanager.service is %s (%s), driver %s", u.Active, u.Sub, c.f.NVIDIA.DriverVersion)
				h.fix = "journalctl -u nvidia-fabricmanager -n 20; its version must be the driver's, " + c.f.NVIDIA.DriverVersion
			}
			return []hit{h}
		},
	}
}

func fabricNotReady() rule {
	return rule{
		Rule: Rule{ID: "fabric-not-ready", Severity: Warn,
			Meaning: "A GPU has not joined its NVLink fabric: CUDA fails with error 802 until the state is Completed with status Success.",
			Fix:     "nvidia-smi -q | grep -A 3 Fabric; systemctl restart nvidia-fabricmanager"},
		host: func(c hostCase) []hit {
			var seen []string
			for _, g := range c.f.NVIDIA.GPUs {
				if g.Fabric == "" || strings.HasPrefix(g.Fabric, "Not Supported") || g.Fabric == "Completed Success" {
					continue
				}
				seen = append(seen, fmt.Sprintf("GPU %d: %s", g.Index, g.Fabric))
			}
			if len(seen) == 0 {
				return nil
			}
			return one("a GPU has not joined the NVLink fabric", some(seen))
		},
	}
}
