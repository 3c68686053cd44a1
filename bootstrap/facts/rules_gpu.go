package facts

import (
	"fmt"
	"slices"
	"strings"
)

// nvidia gives the NVIDIA GPUs of a host.
func (f *Facts) nvidia() []PCIDevice {
	var out []PCIDevice
	for _, d := range f.GPUs {
		if d.VendorID == VendorNVIDIA {
			out = append(out, d)
		}
	}
	return out
}

// whole gives the GPUs without the virtual functions of others on this host.
func (f *Facts) whole() []PCIDevice {
	return slices.DeleteFunc(slices.Clone(f.GPUs), func(d PCIDevice) bool { return d.VF })
}

// withDisplays adds the plain display devices of AMD and Intel. Mostly they are
// built into the processor, but some are workstation cards that compute, and
// only the inventory knows.
func (f *Facts) withDisplays() []PCIDevice {
	out := f.whole()
	for _, d := range f.Devices {
		if d.Class == "0300" && (d.VendorID == VendorAMD || d.VendorID == VendorIntel) && !d.VF {
			out = append(out, d)
		}
	}
	return out
}

// gpuNames writes "8x H100 SXM5 80GB, 1x device 10de:1234".
func gpuNames(gpus []PCIDevice) string {
	count := map[string]int{}
	var names []string
	for _, d := range gpus {
		name := d.Name
		if name == "" {
			name = "device " + d.VendorID + ":" + d.DeviceID
		}
		if count[name] == 0 {
			names = append(names, name)
		}
		count[name]++
	}
	for i, n := range names {
		names[i] = fmt.Sprintf("%dx %s", count[n], n)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func gpuCount() rule {
	return rule{
		Rule: Rule{ID: "gpu-count", Severity: Block,
			Meaning: "The inventory promises GPUs that are not on the PCI bus: verification could only fail. More than promised is info.",
			Fix:     "correct gpus in the inventory, or have the host repaired: a GPU that is missing on the bus is broken or not attached"},
		host: func(c hostCase) []hit {
			if !c.promised() || !c.read("pci") {
				return nil
			}
			found := c.f.whole()
			want := c.host.GPUs.Count
			switch {
			case len(found) < want && len(c.f.withDisplays()) >= want:
				return nil
			case len(found) < want:
				return one(fmt.Sprintf("%d GPUs are promised, %d are on the bus", want, len(found)), "on the PCI bus: "+gpuNames(found))
			case len(found) > want:
				return []hit{{severity: Info, summary: fmt.Sprintf("%d GPUs are promised, the host has %d", want, len(found)),
					evidence: "on the PCI bus: " + gpuNames(found), fix: fmt.Sprintf("set gpus: %d in the inventory", len(found))}}
			}
			return nil
		},
	}
}

func gpuProduct() rule {
	return rule{
		Rule: Rule{ID: "gpu-product", Severity: Block,
			Meaning: "The host has GPUs, but not of the promised product. Info where the product's name is not known before a driver is loaded.",
			Fix:     "correct gpus in the inventory, or ask the provider for the right host"},
		host: func(c hostCase) []hit {
			if !c.promised() || c.host.GPUs.Product == "" || len(c.f.withDisplays()) == 0 {
				return nil
			}
			driver := len(c.f.NVIDIA.GPUs) > 0
			unknown := 0
			for _, d := range c.f.withDisplays() {
				if d.Name == "" {
					unknown++
				} else if matchesProduct(c.host.GPUs.Product, d.Name, driver) {
					return nil
				}
			}
			evidence := "on the PCI bus: " + gpuNames(c.f.withDisplays())
			if unknown > 0 {
				return []hit{{severity: Info, summary: "the product of the GPUs is not known yet; verification will tell", evidence: evidence,
					fix: "update the list of PCI ids: update-pciids"}}
			}
			return one(fmt.Sprintf("the GPUs are not %s", c.host.GPUs.Product), evidence)
		},
	}
}

func gpuKernelDriver() rule {
	return rule{
		Rule: Rule{ID: "nouveau-loaded", Severity: Warn,
			Meaning: "The kernel's own driver (nouveau, or nova since Linux 6.15) holds the NVIDIA GPUs: NVIDIA's driver cannot take them.",
			Fix:     "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' > /etc/modprobe.d/no-nouveau.conf, update-initramfs -u (or dracut -f), reboot"},
		host: func(c hostCase) []hit {
			var held []string
			for _, d := range c.f.nvidia() {
				switch strings.ToLower(d.Driver) {
				case "nouveau", "novacore", "nova_core", "nova-core":
					held = append(held, d.Slot+" by "+d.Driver)
				}
			}
			n := c.f.NVIDIA
			if len(held) == 0 && (n.Loaded || len(c.f.nvidia()) == 0 || (!n.Has("nouveau") && !n.Has("nova_core"))) {
				return nil
			}
			h := hit{summary: "the kernel's own driver holds the NVIDIA GPUs", evidence: "loaded: " + strings.Join(n.Modules, " ")}
			if len(held) > 0 {
				h.evidence = "held: " + some(held)
			}
			if n.Has("nova_core") {
				h.fix = "printf 'blacklist nova_core\\nblacklist nova_drm\\n' > /etc/modprobe.d/no-nova.conf, update-initramfs -u (or dracut -f), reboot"
			}
			return []hit{h}
		},
	}
}

func gpuPassthrough() rule {
	return rule{
		Rule: Rule{ID: "gpu-passthrough", Severity: Block,
			Meaning: "GPUs are reserved for virtual machines (vfio-pci): no driver on this host can use them. A warning where the inventory promises none.",
			Fix:     "use the virtual machine that gets the GPUs as a host, or take vfio-pci off them and reboot"},
		host: func(c hostCase) []hit {
			var held []string
			for _, d := range c.f.whole() {
				if d.Driver == "vfio-pci" {
					held = append(held, d.Slot)
				}
			}
			if len(held) == 0 {
				return nil
			}
			return []hit{{severity: c.gpuFault(), summary: "GPUs are held for virtual machines", evidence: "vfio-pci holds " + some(held)}}
		},
	}
}

func gpuMemory() rule {
	return rule{
		Rule: Rule{ID: "gpu-memory", Severity: Warn,
			Meaning: "Memory of a GPU is failing: uncorrectable errors, rows to be remapped at the next reset, or no spare rows left.",
			Fix:     "nvidia-smi --gpu-reset -i INDEX, or reboot, where rows are to be remapped; return the card where remapping failed"},
		host: func(c hostCase) []hit {
			var seen []string
			for _, g := range c.f.NVIDIA.GPUs {
				switch {
				case g.RemapFailed:
					seen = append(seen, fmt.Sprintf("GPU %d: row remapping failed", g.Index))
				case g.RemapPending:
					seen = append(seen, fmt.Sprintf("GPU %d: rows wait for a reset to be remapped", g.Index))
				case g.Uncorrected > 0:
					seen = append(seen, fmt.Sprintf("GPU %d: %d uncorrectable errors", g.Index, g.Uncorrected))
				}
			}
			if len(seen) == 0 {
				return nil
			}
			return one("memory of a GPU is failing", strings.Join(seen, "; "))
		},
	}
}
