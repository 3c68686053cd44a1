package probe

import (
	"fmt"
	"strings"
	"time"
)

// section is one section of the script: its name, what it prints, and its
// exit status.
type section struct {
	name string
	body func(*State) (text string, status int)
}

func ok(body func(*State) string) func(*State) (string, int) {
	return func(s *State) (string, int) { return body(s), 0 }
}

func fixed(text string) func(*State) (string, int) {
	return func(*State) (string, int) { return text, 0 }
}

// missing stands for a program that the host does not have.
func missing(*State) (string, int) { return "", 127 }

// sections lists what the script prints, in its order.
func sections() []section {
	return []section{
		{"self", ok((*State).self)}, {"host", ok((*State).host)}, {"os", fixed(osRelease)},
		{"systemd", fixed("pid1=systemd\nbooted=yes\nVersion=255.4-1ubuntu8\nSystemState=running\n")},
		{"units", ok((*State).units)},
		{"cgroup", fixed("version=2\ncontrollers=cpuset cpu io memory hugetlb pids rdma misc\n")},
		{"virt", fixed("detect=kvm\nkmsg=yes\ncgroup1=0::/init.scope\n")},
		{"memory", ok((*State).memory)}, {"clock", fixed("timesyncd=yes\n")},
		{"mounts", ok((*State).mounts)}, {"df", ok((*State).df)}, {"swaps", fixed("Filename\tType\tSize\tUsed\tPriority\n")},
		{"disks", ok((*State).disks)},
		{"pci", ok((*State).pci)}, {"pcinames", missing}, {"klog", fixed("")},
		{"nvidia", ok((*State).nvidia)}, {"smi", ok((*State).smi)}, {"fabric", ok((*State).fabric)}, {"remap", ok((*State).remap)},
		{"modules", ok((*State).modules)}, {"modfiles", fixed("dir=/lib/modules/" + Kernel + "\nhave=overlay\nhave=br_netfilter\nkernel/drivers/net/vxlan/vxlan.ko\nkernel/drivers/net/wireguard/wireguard.ko\n")},
		{"addr", ok((*State).addr)}, {"linkkinds", ok((*State).linkKinds)}, {"net", ok((*State).net)},
		{"route4", ok((*State).route4)}, {"route6", fixed("[]\n")},
		{"resolv", fixed("# file /etc/resolv.conf\nnameserver 10.77.255.1\n")}, {"hosts", ok((*State).ownName)},
		{"files", ok((*State).files)}, {"k3sconfig", ok((*State).k3sConfig)}, {"k3sversion", ok((*State).k3sVersion)},
		{"journal", ok((*State).journal)}, {"dirs", ok((*State).dirs)}, {"procs", ok((*State).processes)},
		{"locks", fixed("")}, {"reboot", fixed("")}, {"ports", ok((*State).ports)}, {"rdma", ok((*State).rdma)},
		{"security", fixed("apparmor=Y\nsecureboot=no-efi\n")}, {"limits", fixed(limits)},
		{"iptables", fixed("iptables v1.8.10 (nf_tables)\n")}, {"firewall", fixed("ENABLED=no\ntool=nft\ntool=iptables\n")},
		{"proxy", fixed("")},
	}
}

const osRelease = `PRETTY_NAME="Ubuntu 24.04.3 LTS (simulated)"
NAME="Ubuntu"
VERSION_ID="24.04"
ID=ubuntu
ID_LIKE=debian
`

const limits = `/proc/sys/fs/inotify/max_user_instances:8192
/proc/sys/fs/inotify/max_user_watches:1048576
/proc/sys/fs/file-max:9223372036854775807
/proc/sys/kernel/pid_max:4194304
/proc/sys/net/ipv4/ip_forward:1
`

// Render is the whole output of the script on a host.
func Render(s State) []byte {
	var b strings.Builder
	mark := "@@" + s.BootID
	fmt.Fprintf(&b, "\n@@gpuboot-probe 1 %s %s\n", mark, stamp(s.Now))
	for _, sec := range sections() {
		if s.leavesOut(sec.name) {
			continue
		}
		text, status := sec.body(&s)
		fmt.Fprintf(&b, "\n%s begin %s\n%s\n%s end %s %d\n", mark, sec.name, text, mark, sec.name, status)
	}
	fmt.Fprintf(&b, "\n%s done %s\n", mark, stamp(s.Now))
	return []byte(b.String())
}

// leavesOut says whether the script leaves a section out on this host.
func (s *State) leavesOut(name string) bool {
	switch name {
	case "pcinames", "klog", "smi", "fabric", "remap":
		return s.GPUs == 0
	case "journal":
		return !s.Files.Exists(journalPath)
	}
	return false
}

// stamp is date '+%s.%N'.
func stamp(t time.Time) string { return fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()) }
