package facts

import (
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// sectionCase runs one section's parser; either the check holds, or the error
// has the text.
type sectionCase struct {
	name, body string
	read       func(*Facts, section) error
	check      func(f *Facts) bool
	err        string
}

func TestSections(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(hostSections(), storeSections(), netSections(), stateSections()) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFacts()
			err := c.read(f, ended(c.body))
			switch {
			case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("err is %v, want %q", err, c.err)
			case c.check != nil && !c.check(f):
				t.Errorf("facts are wrong: %+v", f)
			}
		})
	}
}

func hostSections() []sectionCase {
	return []sectionCase{
		{name: "self in a user namespace", read: readSelf, body: "uid=0\ncapeff=000001ffffffffff\nuid_map=0 100000 65536\n",
			check: func(f *Facts) bool { return f.Isolation.UserNamespace && !f.Isolation.Privileged && f.User == 0 }},
		{name: "self with the login's address", read: readSelf, body: "uid=0\ncapeff=0000003fffffffff\nuid_map=         0          0 4294967295\nssh=192.0.2.1 4000 10.5.0.9 22\n",
			check: func(f *Facts) bool { return f.Isolation.Privileged && f.SSHAddress.String() == "10.5.0.9" }},
		{name: "self unreadable", read: readSelf, body: "shell=\n", err: "no user id"},
		{name: "host", read: readHost, body: "uname=Linux arm1 6.17.0-1008-nvidia aarch64\nproduct_uuid=ABCD\ncpus_online=0-3,8-11,40\n",
			check: func(f *Facts) bool {
				return f.Arch == "arm64" && f.CPUs == 9 && f.ProductUUID == "abcd" && f.Hostname == "arm1"
			}},
		{name: "host without uname", read: readHost, body: "uname=\ncpus_online=0-1\n", err: "uname"},
		{name: "host with a strange list of CPUs", read: readHost, body: "uname=Linux a 6 x86_64\ncpus_online=3-1\n",
			check: func(f *Facts) bool { return f.CPUs == 0 && f.Unknown["host.cpus"] == "3-1" }},
		{name: "os without ID", read: readOS, body: "NAME=x\n", err: "no ID"},
		{name: "os quoted", read: readOS, body: "# comment\nID='Rocky'\nVERSION_ID=\"9.4\"\nPRETTY_NAME=\"A \\\"b\\\" \\$c\"\nID_LIKE=\"rhel centos fedora\"\n",
			check: func(f *Facts) bool { return f.OS.ID == "rocky" && f.OS.PrettyName == `A "b" $c` && f.OS.Like("fedora") }},
		{name: "systemd of EL7", read: readSystemd, body: "pid1=systemd\nbooted=yes\nVersion=219\nSystemState=running\n",
			check: func(f *Facts) bool { return f.Systemd.Version == 219 && f.Systemd.State == "running" }},
		{name: "systemd without its bus", read: readSystemd, body: "pid1=systemd\nbooted=yes\nFailed to connect to bus: Host is down\n", err: "Host is down",
			check: func(f *Facts) bool { return f.Systemd.Running }},
		{name: "no systemd", read: readSystemd, body: "pid1=sshd\n", check: func(f *Facts) bool { return !f.Systemd.Running }},
		{name: "units", read: readUnits, body: "Id=k3s-agent.service\nLoadState=loaded\nActiveState=activating\nSubState=start\nUnitFileState=enabled\nMainPID=7\nNRestarts=4\nFragmentPath=/etc/systemd/system/k3s-agent.service\n\nId=docker.service\nLoadState=not-found\nActiveState=inactive\n",
			check: func(f *Facts) bool {
				u := f.Units["k3s-agent.service"]
				return len(f.Units) == 1 && u.Running() && u.Restarts == 4 && u.Enabled == "enabled"
			}},
		{name: "units refused", read: readUnits, body: "Failed to connect to bus\n", err: "Failed to connect"},
		{name: "cgroup v1", read: readCgroup, body: "version=1\n#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t2\t9\t1\nmemory\t0\t9\t0\npids\t3\t9\t1\n",
			check: func(f *Facts) bool {
				return f.CgroupVersion == 1 && slices.Equal(f.CgroupControllers, []string{"cpu", "pids"})
			}},
		{name: "cgroup v1 unreadable", read: readCgroup, body: "version=1\n", err: "no controller"},
		{name: "virt in podman", read: readVirt, body: "containerenv=yes\nkmsg=yes\ncgroup1=0::/\n", check: func(f *Facts) bool {
			f.deriveContainer()
			return f.Container && f.Virt == "podman" && f.Isolation.Kmsg
		}},
		{name: "virt of a rented pod", read: readVirt, body: "detect=docker\ndockerenv=yes\ncgroup1=11:memory:/kubepods/burstable/pod1/2\nenviron_name=RUNPOD_POD_ID\n", check: func(f *Facts) bool {
			f.deriveContainer()
			return f.Container && f.Virt == "docker" && slices.Contains(f.Isolation.Signs, "environment=RUNPOD_POD_ID")
		}},
		{name: "virt unknown", read: readVirt, body: "kmsg=yes\n", check: func(f *Facts) bool {
			f.deriveContainer()
			return !f.Container && f.Virt == "" && f.Unknown["virt.detect"] != ""
		}},
		{name: "virt by process 1", read: readVirt, body: "environ_container=lxc\n", check: func(f *Facts) bool { f.deriveContainer(); return f.Virt == "lxc" }},
		{name: "memory", read: readMemory, body: "MemTotal:       16000 kB\n", check: func(f *Facts) bool { return f.MemoryBytes == 16000*1024 }},
		{name: "memory unreadable", read: readMemory, body: "", err: "no MemTotal"},
		{name: "memory of nonsense", read: readMemory, body: "MemTotal: lots kB\n", err: "MemTotal is"},
		{name: "swaps of nonsense", read: readSwaps, body: "/dev/x partition\n", err: "swap line"},
		{name: "chrony in sync", read: readSync, body: "Reference ID    : A9FEA97B\nLeap status     : Normal\n", check: func(f *Facts) bool { return f.Clock.Synced == "yes" }},
		{name: "chrony not in sync", read: readSync, body: "Leap status     : Not synchronised\n", check: func(f *Facts) bool { return f.Clock.Synced == "no" }},
		{name: "timedatectl", read: readSync, body: "NTPSynchronized=no\n", check: func(f *Facts) bool { return f.Clock.Synced == "no" }},
		{name: "no time service", read: readSync, body: "", err: "no time service", check: func(f *Facts) bool { return f.Clock.Synced == "unknown" }},
	}
}

func storeSections() []sectionCase {
	const dfText = "# asked / /\n# asked /var/lib/rancher /var/lib\n# asked /srv/big disk /srv/big disk\n" +
		"Filesystem Type 1-blocks Used Available Capacity Mounted on\n/dev/mapper/vg-root ext4 1000 900 100 90% /\n" +
		"/dev/mapper/vg-root ext4 1000 900 100 90% /\nserver:/big share nfs4 5000 0 5000 0% /srv/big disk\n" +
		"# inodes\nFilesystem Inodes IUsed IFree IUse% Mounted on\n/dev/mapper/vg-root 50 40 10 80% /\n/dev/mapper/vg-root 50 40 10 80% /\nserver:/big share - - - - /srv/big disk\n"
	return []sectionCase{
		{name: "df", read: readFileSystems, body: dfText, check: func(f *Facts) bool {
			return len(f.FileSystems) == 3 && f.FileSystems[1].Existing == "/var/lib" && f.FileSystems[1].AvailInodes == 10 &&
				f.FileSystems[2].Source == "server:/big share" && f.FileSystems[2].Mount == "/srv/big disk" && f.FileSystems[2].Type == "nfs4"
		}},
		{name: "df lost a path", read: readFileSystems, body: "# asked / /\n# asked /data /data\n# asked /x /x\nFilesystem Type 1-blocks Used Available Capacity Mounted on\n/dev/a ext4 10 1 9 10% /\n/dev/b xfs 20 1 19 5% /data\n",
			check: func(f *Facts) bool {
				return len(f.FileSystems) == 3 && f.FileSystems[1].Mount == "/data" && f.FileSystems[2].Mount == "/"
			}},
		{name: "df of busybox", read: readFileSystems, body: "# asked / /\nFilesystem           1024-blocks    Used Available Capacity Mounted on\noverlay 100 40 60 40% /\n",
			check: func(f *Facts) bool {
				return f.FileSystems[0].SizeBytes == 102400 && f.FileSystems[0].AvailBytes == 61440 && f.FileSystems[0].Type == ""
			}},
		{name: "df over full", read: readFileSystems, body: "# asked / /\nFilesystem Type 1-blocks Used Available Capacity Mounted on\n/dev/a ext4 10 10 -1 100% /\n",
			check: func(f *Facts) bool { return f.FileSystems[0].AvailBytes == 0 }},
		{name: "df failed", read: readFileSystems, body: "# asked / /\nsh: df: not found\n", err: "not found"},
		{name: "mounts", read: readMounts, body: "/dev/vda1 / ext4 rw,relatime 0 0\n/dev/sdb /mnt/big\\040disk xfs ro,noexec 0 0\n# pods 12\n", check: func(f *Facts) bool {
			m, ok := f.mountOf("/mnt/big disk/x")
			return ok && m.Has("noexec") && m.Source == "/dev/sdb" && f.K3s.PodMounts == 12
		}},
		{name: "mounts unreadable", read: readMounts, body: "# pods 0\n", err: "no mount table"},
		{name: "disks unreadable", read: readDisks, body: "lsblk: failed to access sysfs directory\n", err: "sysfs"},
		{name: "disks cut off", read: readDisks, body: `{"blockdevices": [`, err: "JSON"},
		{name: "files", read: readFiles, body: "600|root:root|25|1764590000|2025-12-01 11:53:20.123456789 +0000|/etc/rancher/k3s/config.yaml\n644|root:root|5|1764590000|2025-12-01 11:53:20|/etc/systemd/system/k3s.service\n# sums\n" +
			strings.Repeat("a", 64) + "  /etc/rancher/k3s/config.yaml\n" + strings.Repeat("b", 64) + " */etc/systemd/system/k3s.service\n# tokens\n",
			check: func(f *Facts) bool {
				c, u := f.Files["/etc/rancher/k3s/config.yaml"], f.Files["/etc/systemd/system/k3s.service"]
				return c.MTimeNS == 1764590000123456789 && c.Mode == 0o600 && c.SHA256[0] == 'a' && u.SHA256[0] == 'b' && u.MTimeNS%1e9 == 0
			}},
		{name: "files refused", read: readFiles, body: "stat: cannot statx '/x': Permission denied\n", err: "Permission denied"},
	}
}

func netSections() []sectionCase {
	return []sectionCase{
		{name: "routes as text", read: readRoutes, body: "default via 10.1.0.1 dev eth0 proto dhcp src 10.1.0.9 metric 100\nblackhole 192.0.2.0/24\n10.1.0.0/24 dev eth0 scope link\n10.1.0.1 dev eth0\n", check: func(f *Facts) bool {
			return len(f.Routes) == 4 && f.Routes[0].Default() && f.Routes[0].Metric == 100 && f.Routes[1].Type == "blackhole" && f.Routes[3].Dst.Bits() == 32
		}},
		{name: "routes cut off", read: readRoutes, body: `[{"dst":"default","dev":"eth0"},{"dst":"10.0.0.0/8","de`, err: "cut off", check: func(f *Facts) bool { return len(f.Routes) == 1 }},
		{name: "routes over IPv6 next hops", read: readRoutes, body: `[{"dst":"default","via":{"family":"inet6","host":"fe80::1"},"dev":"eth0"}]`, check: func(f *Facts) bool { return f.Routes[0].Gateway.Is6() }},
		{name: "no routes", read: readRoutes, body: "\n", check: func(f *Facts) bool { return len(f.Routes) == 0 }},
		{name: "resolvers", read: readResolvers, body: "# file /etc/resolv.conf\nsearch lab\nnameserver 127.0.0.53\n# file /run/systemd/resolve/resolv.conf\nnameserver fe80::1%eth0\n", check: func(f *Facts) bool {
			return len(f.Network.ResolverFiles) == 2 && f.Network.Resolvers["/etc/resolv.conf"][0] == "127.0.0.53"
		}},
		{name: "iptables before 1.8", read: readIPTables, body: "iptables v1.4.21\n", check: func(f *Facts) bool { return f.Network.IPTables == "1.4.21" && f.Network.IPTablesMode == "legacy" }},
		{name: "iptables missing", read: readIPTables, body: "sh: iptables: not found\n", check: func(f *Facts) bool { return f.Network.IPTables == "" }},
		{name: "ss", read: readListeners, body: "Netid State Recv-Q Send-Q Local Address:Port Peer Address:Port\nudp UNCONN 0 0 0.0.0.0:8472 0.0.0.0:*\ntcp LISTEN 0 9 [::ffff:127.0.0.1]:6444 *:* users:((\"k3s-agent\",pid=4,fd=9))\ntcp LISTEN 0 9 127.0.0.53%lo:53 0.0.0.0:*\ntcp LISTEN 0 9 [::]:22 [::]:*\n", check: func(f *Facts) bool {
			l := f.Network.Listeners
			return len(l) == 4 && l[0].Port == 22 && l[1].Addr == netip.MustParseAddr("127.0.0.53") && l[2].Process == "k3s-agent" && l[3].Proto == "udp"
		}},
		{name: "ss refused", read: readListeners, body: "Cannot open netlink socket\n", err: "netlink"},
		{name: "ports without ss", read: readListeners, body: "# proc tcp\n0100007F:192C\n# proc udp6\n00000000000000000000000001000000:2118\nnonsense\n", check: func(f *Facts) bool {
			l := f.Network.Listeners
			return len(l) == 2 && l[0].Port == 6444 && l[0].Addr.String() == "127.0.0.1" && l[1].Proto == "udp" && l[1].Addr.String() == "::1"
		}},
		{name: "firewall off", read: readFirewall, body: "ENABLED=no\ntool=ufw\n", check: func(f *Facts) bool { return len(f.Network.Firewalls) == 0 }},
		{name: "rdma device without ports", read: readRDMA, body: "# dev mlx5_0 0000:18:00.0 -\n", err: "without ports"},
		{name: "rdma over virtio", read: readRDMA, body: "# dev roce9 virtual eth0\n/sys/class/infiniband/roce9/ports/1/state:4: ACTIVE\n", check: func(f *Facts) bool { return f.RDMA[0].Software && f.RDMA[0].Netdev == "eth0" }},
	}
}

func stateSections() []sectionCase {
	return []sectionCase{
		{name: "k3s version of something else", read: readK3sVersion, body: "Segmentation fault\n", err: "Segmentation"},
		{name: "no k3s", read: readK3sVersion, body: "\n", check: func(f *Facts) bool { return f.K3s.Version == "" }},
		{name: "locks", read: readLocks, body: "/var/lib/dpkg/lock-frontend 2794 unattended-upgr\n", check: func(f *Facts) bool { return f.Packages.Locks[0].PID == 2794 }},
		{name: "locks of nonsense", read: readLocks, body: "oops\n", err: "lock line"},
		{name: "dirs", read: readDirs, body: "/var/lib/docker\n/run/cloud-init\n/run/ostree-booted\n", check: func(f *Facts) bool {
			return reflect.DeepEqual(f.K3s.Leftovers, []string{"/var/lib/docker"}) && f.Packages.CloudInit == "running" && f.OS.Ostree
		}},
		{name: "processes", read: readProcesses, body: "/proc/812/comm:k3s-server\n/proc/9/comm:dockerd\n", check: func(f *Facts) bool {
			return f.Processes[0].PID == 9 && slices.Equal(f.Running("k3s-server"), []int{812})
		}},
		{name: "security without EFI", read: readSecurity, body: "selinux=0\napparmor=Y\nsecureboot=no-efi\n", check: func(f *Facts) bool {
			return f.Security == Security{SELinux: "permissive", AppArmor: true, SecureBoot: "no"}
		}},
		{name: "Secure Boot unreadable", read: readSecurity, body: "secureboot=unreadable\n", err: "Secure Boot", check: func(f *Facts) bool { return f.Security.SecureBoot == "unknown" }},
		{name: "pci of nonsense", read: readPCI, body: "0000:01:00.0 0x030200 - -\n0000:02:00.0 0x030200 0x10de 0x2330 nvidia -\n", check: func(f *Facts) bool { return len(f.GPUs) == 1 && f.Unknown["pci.line"] != "" }},
		{name: "driver version of nonsense", read: readNVIDIA, body: "version=NVRM version: what\nmodule=nvidia\n", check: func(f *Facts) bool { return f.NVIDIA.Loaded && f.Unknown["nvidia.version"] != "" }},
		{name: "no modules", read: readModuleFiles, body: "\n", err: "no module"},
		{name: "dmesg for root only", read: readKernlog, body: "dmesg: read kernel buffer failed: Operation not permitted\n", check: func(f *Facts) bool { return f.Unknown["klog"] != "" }},
	}
}

func TestReadClock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"1764590000.123456789": time.Microsecond, "1764590000.%N": time.Second, "1764590000": time.Second, "soon": 0, "-5.1": 0} {
		if got := readClock(text); got.precision != want || (want != 0) == got.at.IsZero() {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
