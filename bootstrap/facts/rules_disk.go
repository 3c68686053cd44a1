package facts

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// binRoom is about two executables of k3s: the old one and the new one.
	binRoom = 200 * mib
	// diskFull is what k3s, its unpacked tools and its own images take.
	diskFull = 2 * gib
	// diskSmall leaves room for system images and logs beside that.
	diskSmall = 20 * gib
	// gpuDisk is what images with CUDA and frameworks need: tens of GB each.
	gpuDisk = 100 * gib
)

// fileSystem finds what a path lies on: an asked path, or the file system with
// the longest mount point above it.
func (f *Facts) fileSystem(path string) (FileSystem, bool) {
	best, found := FileSystem{}, false
	for _, fs := range f.FileSystems {
		if fs.Path == path {
			return fs, true
		}
		if within(path, fs.Mount) && len(fs.Mount) > len(best.Mount) {
			best, found = fs, true
		}
	}
	return best, found
}

func diskSpace() rule {
	return rule{
		Rule: Rule{ID: "disk-space", Severity: Block,
			Meaning: "Images, logs and k3s itself need room: 2 GiB at least (blocks), 20 GiB to live, 100 GiB for GPU images. The kubelet evicts pods and deletes images below 15 % free.",
			Fix:     "free space, enlarge the disk, or put k3sConfig: {data-dir: /PATH/ON/A/LARGE/DISK} into the inventory before the first start"},
		host: func(c hostCase) []hit {
			var out []hit
			fs, ok := c.f.fileSystem("/usr/local/bin")
			installed := c.f.K3s.Version != "" && c.f.K3s.Version == c.version // then no second executable comes
			if ok && fs.AvailBytes < binRoom && !installed {
				out = append(out, hit{summary: "/usr/local/bin has no room for the k3s executable", evidence: fs.room(),
					fix: "free space on " + fs.Mount + ", or enlarge it: 200 MiB are needed"})
			}
			fs, ok = c.f.fileSystem(c.dataDir())
			if !ok {
				return out
			}
			if k, ok := c.f.fileSystem("/var/lib/kubelet"); ok && k.Mount != fs.Mount && k.AvailBytes < k.SizeBytes/10 {
				out = append(out, hit{severity: Warn, summary: "less than 10 % is free for the kubelet: it will evict pods", evidence: k.room(),
					fix: "free space on " + k.Mount})
			}
			h := hit{severity: Warn, evidence: fs.room(), fix: c.biggerDisk(fs)}
			need := int64(diskSmall)
			if c.promised() || len(c.f.GPUs) > 0 {
				need = gpuDisk
			}
			switch {
			case fs.AvailBytes < diskFull:
				h.severity, h.summary = Block, "the disk of k3s's data is full"
			case fs.AvailBytes < need:
				h.summary = fmt.Sprintf("less than %s is free for images and data", humanSize(need))
			case fs.SizeBytes > 0 && fs.AvailBytes < fs.SizeBytes/100*15:
				h.summary = "less than 15 % is free: the kubelet will delete images and evict pods"
			default:
				return out
			}
			return append(out, h)
		},
	}
}

func (fs FileSystem) room() string {
	return fmt.Sprintf("%s (%s on %s): %s of %s free", fs.Path, fs.Type, fs.Mount, humanSize(fs.AvailBytes), humanSize(fs.SizeBytes))
}

// biggerDisk names the largest other file system that k3s could live on, "" if
// none has more room.
func (c hostCase) biggerDisk(than FileSystem) string {
	best := than
	for _, fs := range c.f.FileSystems {
		local := slices.Contains([]string{"ext4", "xfs", "btrfs"}, fs.Type)
		if local && !fs.ReadOnly && !fs.NoExec && fs.AvailBytes > best.AvailBytes {
			best = fs
		}
	}
	if best.Mount == than.Mount {
		return ""
	}
	return fmt.Sprintf("put k3sConfig: {data-dir: %s/k3s} into the inventory: %s has %s free", strings.TrimSuffix(best.Mount, "/"), best.Mount, humanSize(best.AvailBytes))
}

func diskInodes() rule {
	return rule{
		Rule: Rule{ID: "disk-inodes", Severity: Block,
			Meaning: "Images have many small files. The kubelet evicts pods below 5 % free inodes; with almost none left nothing can be written.",
			Fix:     "find what holds so many files (du --inodes -x / | sort -n | tail), or use another file system for data-dir"},
		host: func(c hostCase) []hit {
			fs, ok := c.f.fileSystem(c.dataDir())
			if !ok || fs.Inodes == 0 || fs.AvailInodes >= fs.Inodes/20 {
				return nil
			}
			h := hit{severity: Warn, summary: "the disk of k3s's data runs out of inodes",
				evidence: fmt.Sprintf("%s on %s: %d of %d inodes free", fs.Path, fs.Mount, fs.AvailInodes, fs.Inodes)}
			if fs.AvailInodes < 1000 {
				h.severity = Block
			}
			return []hit{h}
		},
	}
}

func dataDirType() rule {
	return rule{
		Rule: Rule{ID: "data-dir-filesystem", Severity: Block,
			Meaning: "containerd's overlayfs snapshotter does not work on NFS, overlay or ZFS, and etcd not on NFS. NFS blocks, the others warn, unless k3sConfig names another snapshotter.",
			Fix:     "put data-dir on a local ext4 or xfs disk, or set k3sConfig: {snapshotter: native}"},
		host: func(c hostCase) []hit {
			fs, ok := c.f.fileSystem(c.dataDir())
			if !ok {
				return nil
			}
			chosen := c.text("snapshotter")
			h := hit{severity: Warn, evidence: fs.room(), summary: "images cannot be unpacked with overlayfs on " + fs.Type}
			switch fs.Type {
			case "nfs", "nfs4":
				if c.host.Role.IsServer() || chosen == "" {
					h.severity = Block
				}
			case "overlay", "zfs", "9p", "virtiofs", "fuse.gcsfuse", "ceph", "lustre":
				if chosen != "" {
					return nil
				}
			case "tmpfs", "ramfs":
				h.summary = "k3s's data lies in memory: it takes memory from pods and is gone after a reboot"
			default:
				return nil
			}
			return []hit{h}
		},
	}
}

func readOnlyMount() rule {
	return rule{
		Rule: Rule{ID: "mount-read-only", Severity: Block,
			Meaning: "gpuboot writes to /usr/local/bin, /etc and k3s's data directory; image-based systems keep some of them read-only.",
			Fix:     "remount it read-write, or use a distribution that can be written to"},
		host: func(c hostCase) []hit {
			var out []hit
			for _, path := range []string{"/usr/local/bin", "/etc", c.dataDir()} {
				if fs, ok := c.f.fileSystem(path); ok && fs.ReadOnly {
					out = append(out, hit{summary: path + " is read-only", evidence: fmt.Sprintf("%s (%s) is mounted ro", fs.Mount, fs.Type)})
				}
			}
			return out
		},
	}
}

func noexecMount() rule {
	return rule{
		Rule: Rule{ID: "mount-noexec", Severity: Block,
			Meaning: "k3s is run from /usr/local/bin and unpacks its own tools and all containers below the data directory.",
			Fix:     "remount it without noexec (mount -o remount,exec PATH, and in /etc/fstab)"},
		host: func(c hostCase) []hit {
			var out []hit
			for _, path := range []string{"/usr/local/bin", c.dataDir()} {
				if fs, ok := c.f.fileSystem(path); ok && fs.NoExec {
					out = append(out, hit{summary: "nothing can be run from " + path, evidence: fmt.Sprintf("%s (%s) is mounted noexec", fs.Mount, fs.Type)})
				}
			}
			return out
		},
	}
}
