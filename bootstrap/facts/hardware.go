package facts

// PCIDevice is one function on the PCI bus.
type PCIDevice struct {
	// Slot is domain:bus:device.function, for example 0000:17:00.0.
	Slot string
	// VendorID and DeviceID are four lower-case hexadecimal digits.
	VendorID, DeviceID string
	// Class is the class and subclass, four lower-case hexadecimal digits, for
	// example 0302.
	Class string
	// Name is the best name known: nvidia-smi's, else lspci's, else the table in
	// pcinames.go, else "".
	Name string
	// Driver is the kernel driver that holds it, "" for none.
	Driver string
	// VF says that it is a virtual function of another device on this host.
	VF bool
}

// Vendor ids of the PCI devices that matter here.
const (
	VendorNVIDIA   = "10de"
	VendorAMD      = "1002"
	VendorIntel    = "8086"
	VendorMellanox = "15b3"
)

// NVSwitch says whether the device is a switch between NVIDIA GPUs.
func (d PCIDevice) NVSwitch() bool { return d.VendorID == VendorNVIDIA && d.Class == "0680" }

// NVIDIA is the state of NVIDIA's software.
type NVIDIA struct {
	// DriverVersion is that of the loaded kernel module.
	DriverVersion string
	// Open says that the loaded module is the open flavour.
	Open bool
	// Loaded says that the kernel module is loaded.
	Loaded bool
	// SMI is what nvidia-smi had to say: "" if it did not run, "ok", or one of
	// the SMI constants.
	SMI string
	// SMIDetail is the line that shows it.
	SMIDetail string
	// GPUs are the rows of nvidia-smi.
	GPUs []SMIGPU
	// Modules are the loaded kernel modules that drive or support GPUs, sorted.
	Modules []string
	// Nodes are the device files of GPUs, such as nvidia0, sorted.
	Nodes []string
	// Tools are the paths of NVIDIA's programs that exist.
	Tools []string
	// Peermem says that nvidia_peermem is loaded.
	Peermem bool
}

// What nvidia-smi said when it said no.
const (
	SMIOK         = "ok"
	SMIMissing    = "missing"          // no such program
	SMINoDriver   = "no-driver"        // it cannot talk to the driver
	SMIMismatch   = "version-mismatch" // its library is not of the loaded module's version
	SMINoDevices  = "no-devices"
	SMINoLibrary  = "no-library"  // libnvidia-ml is missing
	SMILost       = "gpu-lost"    // a GPU has fallen off the bus
	SMIReset      = "needs-reset" // a GPU does not work before it is reset
	SMITimeout    = "timeout"     // no answer within three seconds
	SMIPermission = "no-permission"
	SMIUnknown    = "unknown" // anything else; see SMIDetail
)

// SMIGPU is one row of nvidia-smi. A number is -1 where the GPU does not say.
type SMIGPU struct {
	Index           int
	Name, UUID, Bus string
	MemoryMiB       int64
	Driver, Compute string
	// MIG and Persistence are Enabled, Disabled, or "" where not applicable.
	MIG, Persistence string
	// Uncorrected counts the ECC errors since the driver was loaded.
	Uncorrected int64
	// Fault is the bracketed text of a GPU that does not answer, such as "GPU is
	// lost".
	Fault string
	// Fabric is the state and status of its NVLink fabric, "" if not asked.
	Fabric string
	// RemapPending and RemapFailed tell of memory rows that are to be, or could
	// not be, replaced.
	RemapPending, RemapFailed bool
}

// RDMAPort is one port of an RDMA device.
type RDMAPort struct {
	Device string
	Port   int
	// State is for example ACTIVE, INIT or DOWN; Phys for example LinkUp.
	State, Phys string
	// GbPerSec is the rate; a port that is down may still state one.
	GbPerSec float64
	// LinkLayer is InfiniBand, Ethernet (RoCE) or Unknown (EFA).
	LinkLayer string
	// Slot and Netdev are "" where there is none.
	Slot, Netdev string
	// Software says that no hardware is behind it (Soft-RoCE, siw).
	Software bool
}

// Kernlog is what the kernel log says about GPUs, oldest first.
type Kernlog struct {
	Xids []Xid
	// Lines are other lines of the NVIDIA driver that name a cause.
	Lines []string
}

// Xid is an error that the NVIDIA driver reported; an SXid is one of NVSwitch.
type Xid struct {
	// Bus is the PCI address as printed, for example 0000:17:00.
	Bus  string
	Code int
	// Switch says that it is an SXid; Fatal is only known of these.
	Switch, Fatal bool
	Text          string
}
