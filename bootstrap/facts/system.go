package facts

import "time"

// Clock compares the host's clock with ours.
type Clock struct {
	// Remote is the host's time in the middle of the probe.
	Remote time.Time
	// RTT is the part of the round trip that the probe itself did not take. The
	// true offset lies within RTT/2 of Offset.
	RTT time.Duration
	// Offset is the host's clock minus ours. It is set by Collect alone.
	Offset time.Duration
	// Precision is the step in which the host tells the time: a second where
	// its date knows no fractions.
	Precision time.Duration
	// Synced is yes, no or unknown.
	Synced string

	start, end time.Time
}

// FileSystem is where a path lies and what room is there.
type FileSystem struct {
	// Path is the asked path; Existing is itself or its nearest existing parent.
	Path, Existing string
	// Mount is the mount point that holds it.
	Mount, Source, Type   string
	SizeBytes, AvailBytes int64
	// Inodes and AvailInodes are 0 on a file system that has no fixed number.
	Inodes, AvailInodes int64
	// ReadOnly and NoExec are the mount's options.
	ReadOnly, NoExec bool
}

// Mount is one line of the mount table.
type Mount struct {
	Source, Path, Type string
	Options            []string
}

// Disk is a block device that is a disk. A disk without Signature and Mounts
// looks blank, but must not be taken for free in a container, where it is the
// machine's, nor where the probe ran as a user, who may not read signatures.
type Disk struct {
	Name, Model string
	SizeBytes   int64
	Rotational  bool
	// Signature is what was found on it or its parts: a file system, a member of
	// a set. A disk with any is in use, mounted or not.
	Signature []string
	Mounts    []string
}

// FileFact describes a file.
type FileFact struct {
	// SHA256 is the hash of the content, "" for what is large or a key of the
	// host. For the token files in k3s's data directory it is taken without the
	// newline at the end.
	SHA256 string
	// SecretSHA256 is the hash of the password in a token file, without what k3s
	// puts before it; "" for other files.
	SecretSHA256 string
	// Mode is the permission bits.
	Mode uint32
	// Owner is "user:group".
	Owner string
	Size  int64
	// MTimeNS is the time of the last change in nanoseconds since 1970.
	MTimeNS int64
}

// K3s is what is there of k3s, and of other clusters.
type K3s struct {
	// Version is what the executable says, "" if there is none.
	Version string
	// Role is "server" or "agent" after the unit that exists, "" if none.
	Role string
	Unit Unit
	// Processes says that k3s is running.
	Processes bool
	// Config holds the keys of config.yaml that decide about the network. No
	// secret is among them.
	Config map[string]string
	// Leftovers are traces of k3s, of other clusters and of container engines:
	// folders by their path, "link NAME", "mounts of pods".
	Leftovers []string
	// Own are those of the Leftovers that k3s makes.
	Own []string
	// PodMounts counts mounts that belong to pods.
	PodMounts int
}

// Security is what may forbid things to a container or a kernel module.
type Security struct {
	// SELinux is enforcing, permissive or "" (off).
	SELinux string
	// K3sPolicy says that the k3s-selinux policy is installed.
	K3sPolicy bool
	AppArmor  bool
	// SecureBoot is yes, no or unknown.
	SecureBoot string
	// Lockdown is none, integrity, confidentiality or "".
	Lockdown string
}

// Modules are kernel modules.
type Modules struct {
	// Folder says that the running kernel has its modules on disk.
	Folder bool
	// Kernels are all kernels with modules on disk.
	Kernels []string
	// Available are those of the asked modules that are built in, loaded or on
	// disk.
	Available []string
	// Loaded are those of the asked modules that are loaded now.
	Loaded []string
}

// Packages is the state of the package manager.
type Packages struct {
	Locks []PackageLock
	// RebootRequired says that a package asked for a reboot, RebootFor which.
	RebootRequired bool
	RebootFor      []string
	// CloudInit is running, done or "" (absent).
	CloudInit string
}

// PackageLock is a lock that a package manager holds.
type PackageLock struct {
	Path string
	PID  int
	// Name is the holder's program.
	Name string
}
