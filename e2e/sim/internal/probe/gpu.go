package probe

import (
	"fmt"
	"strings"
)

// slot is the PCI address of the i-th GPU.
func slot(i int) string { return fmt.Sprintf("0000:%02x:00.0", 0x1b+0x10*i) }

func (s *State) pci() string {
	var b strings.Builder
	b.WriteString("0000:01:00.0 0x020000 0x1af4 0x1041 virtio-pci -\n")
	for i := range s.GPUs {
		fmt.Fprintf(&b, "%s 0x030200 0x10de %s nvidia -\n", slot(i), s.GPU.Device)
	}
	for i := range s.RDMA {
		fmt.Fprintf(&b, "%s 0x020700 0x15b3 0x1021 mlx5_core -\n", rdmaSlot(i))
	}
	if s.GPU.NVSwitch && s.GPUs > 0 {
		for i := range 4 {
			fmt.Fprintf(&b, "0000:%02x:00.0 0x068000 0x10de 0x22a3 - -\n", 5+i)
		}
	}
	return b.String()
}

func (s *State) nvidia() string {
	if s.GPUs == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "version=NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  %[1]s  Release Build  (simulated)\nmodule_version=%[1]s\n", Driver)
	b.WriteString("module=nvidia\nmodule=nvidia_uvm\nmodule=nvidia_modeset\n")
	for i := range s.GPUs {
		fmt.Fprintf(&b, "node=nvidia%d\n", i)
	}
	b.WriteString("tool=/usr/bin/nvidia-smi\n")
	return b.String()
}

func (s *State) modules() string {
	out := "overlay 212992 0 - Live 0x0\nbr_netfilter 32768 0 - Live 0x0\n"
	if s.GPUs > 0 {
		out += "nvidia_uvm 2260992 4 - Live 0x0\nnvidia 14417920 22 nvidia_uvm, Live 0x0\n"
	}
	if s.RDMA > 0 {
		out += "ib_core 507904 1 mlx5_ib, Live 0x0\nmlx5_ib 499712 0 - Live 0x0\nmlx5_core 2400000 1 mlx5_ib, Live 0x0\n"
	}
	return out
}

// uuid makes a GPU's own name from the machine's.
func (s *State) uuid(i int) string { return fmt.Sprintf("GPU-%s-%d", s.ProductUUID, i) }

func (s *State) smi() string {
	var b strings.Builder
	b.WriteString("index, name, uuid, pci.bus_id, memory.total [MiB], driver_version, compute_cap, mig.mode.current, ecc.errors.uncorrected.volatile.total, persistence_mode\n")
	for i := range s.GPUs {
		fmt.Fprintf(&b, "%d, %s, %s, 0000%s, %d MiB, %s, %s, Disabled, 0, Enabled\n",
			i, s.GPU.Name, s.uuid(i), strings.ToUpper(slot(i)), s.GPU.MemoryMiB, Driver, s.GPU.Compute)
	}
	return b.String()
}

func (s *State) fabric() string {
	state := "[N/A], [N/A]"
	if s.GPU.NVSwitch {
		state = "Completed, Success"
	}
	var b strings.Builder
	for i := range s.GPUs {
		fmt.Fprintf(&b, "%d, %s\n", i, state)
	}
	return b.String()
}

func (s *State) remap() string {
	var b strings.Builder
	for i := range s.GPUs {
		fmt.Fprintf(&b, "0000%s, No, No\n", strings.ToUpper(slot(i)))
	}
	return b.String()
}

func rdmaSlot(i int) string { return fmt.Sprintf("0000:%02x:00.0", 0x18+0x10*i) }

func (s *State) rdma() string {
	var b strings.Builder
	for i := range s.RDMA {
		fmt.Fprintf(&b, "# dev mlx5_%d %s ib%d\n", i, rdmaSlot(i), i)
	}
	for i := range s.RDMA {
		dir := fmt.Sprintf("/sys/class/infiniband/mlx5_%d/ports/1/", i)
		for _, line := range []string{"state:4: ACTIVE", "phys_state:5: LinkUp", "rate:400 Gb/sec (4X NDR)", "link_layer:InfiniBand"} {
			b.WriteString(dir + line + "\n")
		}
	}
	return b.String()
}
