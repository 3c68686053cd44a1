// Package probe answers gpuboot's probe script for a simulated host: from a
// description of the host it writes what the script would print there. It is
// the counterpart of facts.Parse, and its tests hold the two together.
package probe

import (
	"net/netip"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// Kernel is what uname says. It tells everybody who looks.
const Kernel = "6.8.0-49-simulated"

// State is one host at one moment.
type State struct {
	Hostname, MachineID, BootID, ProductUUID string
	CPUs                                     int
	MemoryKB                                 int64
	Uptime                                   time.Duration
	Now                                      time.Time // the host's own clock
	Root                                     bool      // the probe runs as root

	Address netip.Prefix // on eth0
	Gateway netip.Addr
	Client  netip.Addr // where the SSH login comes from, as the host sees it

	GPU     GPU
	GPUs    int
	RDMA    int   // InfiniBand ports
	DiskKB  int64 // of the one file system
	UsedKB  int64
	Files   *vfs.FS
	Units   []Unit
	K3s     string // "server", "agent", or "" when none runs
	Traces  bool   // links and mounts that k3s made are there, also when it has ended
	Version string // k3s --version; "" without an executable
}

// Unit is what systemctl show says of a unit.
type Unit struct {
	Name, Load, Active, Sub, Enabled, Path string
	PID, Restarts                          int
}

// GPU is a model of graphics card.
type GPU struct {
	Name      string // as nvidia-smi prints it
	Device    string // PCI id
	MemoryMiB int
	Compute   string
	NVSwitch  bool
}

// Driver is the NVIDIA driver that GPU hosts come with.
const Driver = "580.126.09"

// Models gives the model of a product word of an inventory: H100, L40S, T4. The
// zero GPU stands for a word it does not know.
func Models(product string) GPU {
	switch product {
	case "H100":
		return GPU{"NVIDIA H100 80GB HBM3", "0x2330", 81559, "9.0", true}
	case "L40S":
		return GPU{"NVIDIA L40S", "0x26b9", 46068, "8.9", false}
	case "T4":
		return GPU{"Tesla T4", "0x1eb8", 15360, "7.5", false}
	}
	return GPU{}
}
