package facts

import (
	"fmt"
	"strings"
)

func driverNotLoaded() rule {
	return rule{
		Rule: Rule{ID: "driver-not-loaded", Severity: Warn,
			Meaning: "No NVIDIA driver is loaded. Info on a clean host, where the GPU operator can bring one; a warning where one is installed and does not load.",
			Fix:     "modprobe nvidia; dmesg | grep -i nvidia | tail"},
		host: func(c hostCase) []hit {
			gpus := c.f.nvidia()
			if len(gpus) == 0 || c.f.NVIDIA.Loaded || !c.read("nvidia") {
				return nil
			}
			var signs []string
			if c.f.Modules.Has("nvidia") || c.f.Modules.Has("nvidia_current") {
				signs = append(signs, "its module is on disk for "+c.f.Kernel)
			}
			for _, t := range c.f.NVIDIA.Tools {
				if strings.HasSuffix(t, "/nvidia-smi") {
					signs = append(signs, t+" exists")
				}
			}
			if len(signs) == 0 {
				return []hit{{severity: Info, summary: "no NVIDIA driver is installed; the driver is a choice of the plan",
					evidence: "GPUs: " + gpuNames(gpus), fix: "nothing, or install a driver of your choice before"}}
			}
			return one("an NVIDIA driver is installed, but not loaded", strings.Join(signs, ", "))
		},
	}
}

func driverMismatch() rule {
	return rule{
		Rule: Rule{ID: "driver-mismatch", Severity: Block,
			Meaning: "The loaded kernel module and the driver's libraries are of different versions, mostly after an unattended upgrade: no CUDA program starts. A warning where the inventory promises no GPUs.",
			Fix:     "reboot, or unload and load the nvidia modules; then hold the packages: apt-mark hold 'nvidia-*' 'libnvidia-*'"},
		host: func(c hostCase) []hit {
			evidence := ""
			if c.f.NVIDIA.SMI == SMIMismatch {
				evidence = c.f.NVIDIA.SMIDetail
			}
			for _, l := range c.f.Kernlog.Lines {
				if evidence == "" && c.f.NVIDIA.SMI != SMIOK && strings.HasPrefix(l, "API mismatch") {
					evidence = l
				}
			}
			if evidence == "" {
				return nil
			}
			if v := c.f.NVIDIA.DriverVersion; v != "" {
				evidence += " (loaded: " + v + ")"
			}
			return []hit{{severity: c.gpuFault(), summary: "the NVIDIA driver's module and libraries are of different versions", evidence: evidence}}
		},
	}
}

// refusal is a line of the kernel log with which the driver refuses a GPU.
type refusal struct{ text, summary, fix string }

func refusals() []refusal {
	return []refusal{
		{"requires use of the NVIDIA open kernel modules", "the GPU needs the open flavour of the NVIDIA driver, and the other one is loaded",
			"install the -open package of the same driver and reboot"},
		{"not supported by open", "the GPU is too old for the open flavour of the NVIDIA driver", "install the proprietary flavour, of the 580 branch or older, and reboot"},
		{"Legacy drivers", "the GPU is too old for this branch of the NVIDIA driver", "install the older branch that the kernel log names, and reboot"},
		{"No firmware image found", "the driver finds no firmware of its version: it is installed in part", "install the firmware package of the same version, and reboot"},
		{"already bound to NovaCore", "the kernel's nova driver holds the GPU", "blacklist nova_core and reboot"},
		{"was loaded and obtained ownership", "another driver held the GPU when NVIDIA's was loaded", "blacklist nouveau and reboot"},
		{"Lockdown: modprobe: unsigned module loading is restricted", "Secure Boot refused a module that is not signed", "enrol the key the modules are signed with (mokutil --import), or switch Secure Boot off"},
	}
}

func driverRefuses() rule {
	return rule{
		Rule: Rule{ID: "driver-refuses-gpu", Severity: Block,
			Meaning: "The kernel log says why the NVIDIA driver does not take a GPU: wrong flavour, wrong branch, missing firmware, or another driver. A warning where the inventory promises no GPUs, or where all GPUs work by now.",
			Fix:     "dmesg | grep NVRM"},
		host: func(c hostCase) []hit {
			if len(c.f.nvidia()) == 0 {
				return nil
			}
			for _, r := range refusals() {
				for _, l := range c.f.Kernlog.Lines {
					if !strings.Contains(l, r.text) {
						continue
					}
					h := hit{severity: c.gpuFault(), summary: r.summary, evidence: tail(l, 200), fix: r.fix}
					if c.f.NVIDIA.SMI == SMIOK && len(c.f.NVIDIA.GPUs) >= len(c.f.nvidia()) {
						h.severity = Info
					}
					return []hit{h}
				}
			}
			return nil
		},
	}
}

func smiFailed() rule {
	return rule{
		Rule: Rule{ID: "nvidia-smi-failed", Severity: Warn,
			Meaning: "The driver is loaded, but nvidia-smi does not answer as it should.",
			Fix:     "nvidia-smi"},
		host: func(c hostCase) []hit {
			n := c.f.NVIDIA
			h := hit{evidence: n.SMIDetail}
			switch n.SMI {
			case SMITimeout:
				h.summary = "nvidia-smi did not answer within three seconds: slow initialisation, or a GPU that hangs"
				h.evidence = "stopped after 3 s"
				h.fix = "nvidia-smi -pm 1 keeps the GPUs initialised; if it still hangs: dmesg | grep -i -e xid -e nvrm"
			case SMIMissing:
				h.summary, h.fix = "the driver is loaded, but there is no nvidia-smi", "install the utilities of the same driver version (nvidia-utils-BRANCH)"
			case SMINoLibrary:
				h.summary, h.fix = "nvidia-smi does not find its library", "install the libraries of the same driver version (libnvidia-compute-BRANCH)"
			case SMINoDevices:
				h.summary = "the driver sees no GPU"
			case SMINoDriver:
				h.summary = "nvidia-smi cannot talk to the driver"
			case SMIPermission:
				h.summary = "nvidia-smi may not use the GPUs"
			case SMIUnknown:
				h.summary = "nvidia-smi fails"
			default:
				return nil
			}
			return []hit{h}
		},
	}
}

func secureBoot() rule {
	return rule{
		Rule: Rule{ID: "secure-boot", Severity: Warn,
			Meaning: "With Secure Boot the kernel loads only signed modules; the GPU operator's driver is not signed by the distribution.",
			Fix:     "use the distribution's signed modules (linux-modules-nvidia-BRANCH-…), enrol a key (mokutil --import), or switch Secure Boot off"},
		host: func(c hostCase) []hit {
			locked := c.f.Security.Lockdown == "integrity" || c.f.Security.Lockdown == "confidentiality"
			if len(c.f.nvidia()) == 0 || c.f.NVIDIA.Loaded || (c.f.Security.SecureBoot != "yes" && !locked) {
				return nil
			}
			return one("Secure Boot is on: an unsigned NVIDIA driver will be refused",
				fmt.Sprintf("Secure Boot: %s, lockdown: %s", c.f.Security.SecureBoot, orNone(c.f.Security.Lockdown)))
		},
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
