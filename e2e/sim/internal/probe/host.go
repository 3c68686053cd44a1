package probe

import (
	"fmt"
	"strings"
)

func (s *State) self() string {
	uid, caps := 1000, "0000000000000000"
	if s.Root {
		uid, caps = 0, "000001ffffffffff"
	}
	return fmt.Sprintf("shell=\nuid=%d\ncapeff=%s\nseccomp=0\nuid_map=         0          0 4294967295\nssh=%s 50000 %s 22\n",
		uid, caps, s.Client, s.Address.Addr())
}

func (s *State) host() string {
	return fmt.Sprintf("uname=Linux %[1]s %[2]s x86_64\nhostname=%[1]s\nmachine_id=%[3]s\nboot_id=%[4]s\nproduct_uuid=%[5]s\n"+
		"sys_vendor=gpuboot simulator\nproduct_name=Simulated host\nchassis_asset_tag=\ncpus_online=0-%[6]d\nuptime=%.2[7]f\n",
		s.Hostname, Kernel, s.MachineID, s.BootID, s.ProductUUID, s.CPUs-1, s.Uptime.Seconds())
}

func (s *State) memory() string {
	return fmt.Sprintf("MemTotal:       %d kB\nMemFree:        %d kB\nSwapTotal:      0 kB\nHugePages_Total:       0\nHugepagesize:       2048 kB\n",
		s.MemoryKB, s.MemoryKB*9/10)
}

func (s *State) ownName() string { return "127.0.1.1 " + s.Hostname + "\n" }

func (s *State) mounts() string {
	pods := 0
	if s.Traces {
		pods = 6
	}
	return fmt.Sprintf("/dev/nvme0n1p1 / ext4 rw,relatime 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev,noexec,relatime 0 0\n# pods %d\n", pods)
}

// df prints the same file system for every path asked for.
func (s *State) df() string {
	var b strings.Builder
	paths := []string{"/", "/var/lib/rancher/k3s", "/var/lib/kubelet", "/usr/local/bin", "/tmp", "/etc"}
	for _, p := range paths {
		near := p
		for !s.Files.Exists(near) && near != "/" {
			near = near[:max(1, strings.LastIndex(near, "/"))]
		}
		fmt.Fprintf(&b, "# asked %s %s\n", p, near)
	}
	b.WriteString("Filesystem Type 1-blocks Used Available Capacity Mounted on\n")
	for range paths {
		fmt.Fprintf(&b, "/dev/nvme0n1p1 ext4 %d %d %d %d%% /\n", s.DiskKB<<10, s.UsedKB<<10, (s.DiskKB-s.UsedKB)<<10, s.UsedKB*100/s.DiskKB)
	}
	b.WriteString("# inodes\nFilesystem Inodes IUsed IFree IUse% Mounted on\n")
	for range paths {
		b.WriteString("/dev/nvme0n1p1 120000000 400000 119600000 1% /\n")
	}
	return b.String()
}

func (s *State) disks() string {
	size := s.DiskKB << 10
	return fmt.Sprintf(`{"blockdevices":[{"name":"nvme0n1","type":"disk","size":%d,"rota":false,"model":"Simulated disk","fstype":null,"mountpoint":null,`+
		`"children":[{"name":"nvme0n1p1","type":"part","size":%d,"rota":false,"model":null,"fstype":"ext4","mountpoint":"/"}]}]}`+"\n", size, size)
}

// watched are the units that the script asks for, beside those of k3s.
const watched = `kubelet rke2-server rke2-agent k0scontroller k0sworker snap.microk8s.daemon-kubelite docker containerd crio
nvidia-fabricmanager nvidia-persistenced ufw firewalld nftables unattended-upgrades nm-cloud-setup multipathd`

func (s *State) units() string {
	var b strings.Builder
	for _, u := range s.Units {
		fmt.Fprintf(&b, "Id=%s\nLoadState=%s\nActiveState=%s\nSubState=%s\nUnitFileState=%s\nMainPID=%d\nNRestarts=%d\nFragmentPath=%s\n\n",
			u.Name, u.Load, u.Active, u.Sub, u.Enabled, u.PID, u.Restarts, u.Path)
	}
	for name := range strings.FieldsSeq(watched) {
		load, active, sub := "not-found", "inactive", "dead"
		if s.GPUs > 0 && (name == "nvidia-persistenced" || name == "nvidia-fabricmanager" && s.GPU.NVSwitch) {
			load, active, sub = "loaded", "active", "running"
		}
		fmt.Fprintf(&b, "Id=%s.service\nLoadState=%s\nActiveState=%s\nSubState=%s\nUnitFileState=\nMainPID=0\nNRestarts=0\nFragmentPath=\n\n", name, load, active, sub)
	}
	return b.String()
}

func (s *State) processes() string {
	var b strings.Builder
	if s.K3s != "" {
		fmt.Fprintf(&b, "/proc/812/comm:k3s-%s\n/proc/840/comm:containerd\n", s.K3s)
	}
	if s.GPUs > 0 {
		b.WriteString("/proc/611/comm:nvidia-persiste\n")
	}
	return b.String()
}

func (s *State) ports() string {
	lines := []string{"Netid State Recv-Q Send-Q Local Address:Port Peer Address:Port Process", "tcp LISTEN 0 128 0.0.0.0:22 0.0.0.0:*"}
	add := func(ports ...int) {
		for _, p := range ports {
			lines = append(lines, fmt.Sprintf(`tcp LISTEN 0 4096 *:%d *:* users:(("k3s-%s",pid=812,fd=14))`, p, s.K3s))
		}
	}
	if s.K3s != "" {
		add(6444, 10248, 10249, 10250, 10256)
	}
	if s.K3s == "server" {
		add(6443, 2379, 2380, 10257, 10259)
	}
	return strings.Join(lines, "\n") + "\n"
}

func (s *State) k3sVersion() string {
	if s.Version == "" {
		return ""
	}
	return fmt.Sprintf("k3s version %s (simulated)\ngo version go1.26.0\n", s.Version)
}
