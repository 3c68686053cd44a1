package facts

import "net/netip"

// Facts is what one run of the probe saw on a host. Whatever could not be read
// is named in Unknown: a zero value without an entry there was really seen.
type Facts struct {
	Hostname, MachineID, ProductUUID string
	// BootID changes with every boot.
	BootID string
	// Vendor and Product are the firmware's names of the machine.
	Vendor, Product string
	// Arch is a Go architecture name, such as amd64 or arm64; an unknown machine
	// word is kept as it is.
	Arch string
	// Kernel is the release, as uname -r prints it.
	Kernel string
	// Virt is what systemd-detect-virt says, such as kvm, docker or none; ""
	// when unknown.
	Virt string
	// Container says that the host shares its kernel with the machine it runs on.
	Container bool
	// Isolation holds the signs by which a container is judged.
	Isolation Isolation
	OS        OS
	Systemd   Systemd
	// CgroupVersion is 1 or 2; 0 is unknown.
	CgroupVersion     int
	CgroupControllers []string
	// MemoryBytes is the memory that the kernel manages.
	MemoryBytes int64
	// SwapBytes is the size of all active swap.
	SwapBytes int64
	// CPUs counts those online.
	CPUs  int
	Clock Clock

	Links  []Link
	Routes []Route
	// FileSystems has one entry for each asked path, then one for each further
	// mounted block device.
	FileSystems []FileSystem
	// Mounts are the mounts that matter to a cluster, not those of pods.
	Mounts []Mount
	Disks  []Disk

	// GPUs are the accelerators of NVIDIA, AMD and Intel, without display-only
	// devices. Devices also holds NVSwitches and network adapters.
	GPUs    []PCIDevice
	Devices []PCIDevice
	NVIDIA  NVIDIA
	RDMA    []RDMAPort
	Kernlog Kernlog

	// Files holds the asked paths that exist.
	Files map[string]FileFact
	K3s   K3s
	// Units holds the asked units that systemd knows, by name.
	Units map[string]Unit
	// Processes are the running programs that matter here, by process id.
	Processes []Process
	// Journal is the content of /var/lib/gpuboot/journal.json, nil if absent. It
	// holds no secret.
	Journal []byte

	Security Security
	Modules  Modules
	Network  Network
	Packages Packages
	Limits   Limits

	// SSHAddress is the address of the host that the login came in at, the zero
	// Addr if unknown. Behind NAT it is not the one that was dialled.
	SSHAddress netip.Addr
	// Proof is what the test between hosts showed, see package reach. Collect
	// leaves it empty.
	Proof Proof
	// User is the numeric user that the probe ran as, -1 if unknown.
	User int
	// Unknown says which sections or values could not be read, with the text
	// that was there instead. The keys are section names, or section.value.
	Unknown map[string]string
	// Raw holds the sections as printed, for evidence.
	Raw map[string]string
}

// OS is the distribution, from os-release.
type OS struct {
	ID, VersionID, PrettyName string
	IDLike                    []string
	// DGX is the name in dgx-release, for example "DGX A100"; "" elsewhere.
	DGX string
	// Ostree says that /usr is an image that packages cannot change.
	Ostree bool
}

// Systemd is the state of the service manager.
type Systemd struct {
	// Running says that the host was booted with systemd.
	Running bool
	// Version is systemd's major version.
	Version int
	// State is what `systemctl is-system-running` says, such as running,
	// degraded or starting.
	State string
	// PID1 is the program name of process 1.
	PID1 string
}

// Unit is a unit that systemd has loaded.
type Unit struct {
	Name, Load, Active, Sub, Enabled string
	// Path is the file it was loaded from.
	Path     string
	MainPID  int
	Restarts int
}

// Process is a running program.
type Process struct {
	PID int
	// Name is cut to 15 characters by the kernel.
	Name string
}

// Isolation is what separates the host from a kernel of its own.
type Isolation struct {
	// Privileged says that it has all capabilities that Kubernetes needs, in the
	// kernel's own user namespace.
	Privileged bool
	// UserNamespace says that root here is not root of the machine.
	UserNamespace bool
	// Kmsg says that /dev/kmsg exists, which the kubelet needs.
	Kmsg bool
	// Signs are the traces seen, each as "what=value".
	Signs []string
}

// Limits are kernel limits that Kubernetes runs into; 0 is unknown.
type Limits struct{ InotifyInstances, InotifyWatches, FileMax, PIDMax int64 }
