package facts

import (
	"time"

	"github.com/gpuboot/gpuboot/inventory"
)

func hostCases() []ruleCase {
	return []ruleCase{
		{"not-root", "user", on(func(f *Facts) { f.User = 1000 }), Block, "", "1000"},
		{"not-root", "unknown user", on(func(f *Facts) { f.User = -1 }), "", "", ""},
		{"facts-incomplete", "vital", on(func(f *Facts) { f.Unknown["df"] = "df says: no" }), Warn, "", "df says: no"},
		{"facts-incomplete", "side issue", on(func(f *Facts) { f.Unknown["clock"] = "no time service" }), Info, "", "clock"},
		{"facts-incomplete", "all read", nil, "", "", ""},
		{"no-systemd", "rented container", on(func(f *Facts) {
			f.Systemd = Systemd{PID1: "sleep"}
			f.Container, f.Virt = true, "docker"
		}), Block, "", "this is a container"},
		{"no-systemd", "openrc", on(func(f *Facts) { f.Systemd = Systemd{PID1: "init"} }), Block, "", `"init"`},
		{"no-systemd", "not read", on(func(f *Facts) { f.Systemd = Systemd{}; f.Unknown["systemd"] = "cut off" }), "", "", ""},
		{"systemd-not-up", "starting", on(func(f *Facts) { f.Systemd.State = "starting" }), Warn, "", "starting"},
		{"systemd-not-up", "degraded is up", on(func(f *Facts) { f.Systemd.State = "degraded" }), "", "", ""},
		{"unprivileged-container", "user namespace", on(func(f *Facts) {
			f.Container, f.Virt = true, "lxc"
			f.Isolation.Privileged, f.Isolation.UserNamespace = false, true
		}), Block, "", "user namespace"},
		{"unprivileged-container", "no capabilities", on(func(f *Facts) { f.Container = true; f.Isolation.Privileged = false }), Block, "", "capabilities"},
		{"unprivileged-container", "virtual machine", on(func(f *Facts) { f.Isolation.Privileged = false }), "", "", ""},
		{"privileged-container", "nspawn", on(func(f *Facts) { f.Container, f.Virt = true, "systemd-nspawn" }), Warn, "", "systemd-nspawn"},
		{"privileged-container", "virtual machine", nil, "", "", ""},
		{"kmsg-missing", "missing", on(func(f *Facts) { f.Isolation.Kmsg = false }), Block, "", "/dev/kmsg"},
		{"kmsg-missing", "not read", on(func(f *Facts) { f.Isolation.Kmsg = false; f.Unknown["virt"] = "x" }), "", "", ""},
	}
}

func systemCases() []ruleCase {
	return []ruleCase{
		{"arch-unsupported", "riscv", on(func(f *Facts) { f.Arch = "riscv64" }), Block, "", "riscv64"},
		{"arch-unsupported", "arm64", on(func(f *Facts) { f.Arch = "arm64" }), "", "", ""},
		{"arch-mixed", "two", on(func(f *Facts) { f.Arch = "arm64" }), Info, "-", "amd64: s1; arm64: w1"},
		{"arch-mixed", "one", nil, "", "-", ""},
		{"os-unknown", "gpu host", on(func(f *Facts) { f.OS = OS{ID: "hobbyos"} }), Warn, "", "hobbyos"},
		{"os-unknown", "plain host", func(w *world) { w.all["s1"].OS = OS{ID: "hobbyos"} }, Info, "s1", "hobbyos"},
		{"os-unknown", "derivative", on(func(f *Facts) { f.OS = OS{ID: "pop", IDLike: []string{"ubuntu", "debian"}} }), "", "", ""},
		{"kernel-too-old", "el7", on(func(f *Facts) { f.Kernel = "3.10.0-1160.el7.x86_64" }), Block, "", "3.10"},
		{"kernel-too-old", "el8", on(func(f *Facts) { f.Kernel = "4.18.0-553.el8_10.x86_64" }), Warn, "", "4.18"},
		{"kernel-too-old", "5.4", on(func(f *Facts) { f.Kernel = "5.4.0-200-generic" }), "", "", ""},
		{"kernel-too-old", "unreadable", on(func(f *Facts) { f.Kernel = "strange" }), "", "", ""},
		{"kernel-module-missing", "vxlan", on(func(f *Facts) { f.Modules.Available = []string{"br_netfilter", "overlay"} }), Warn, "", "vxlan"},
		{"kernel-module-missing", "wireguard", func(w *world) { w.inv.Network.FlannelBackend = "wireguard-native" }, Warn, "", "wireguard"},
		{"kernel-module-missing", "built in, no folder", on(func(f *Facts) {
			f.Modules = Modules{Available: []string{"br_netfilter", "overlay"}}
		}), "", "", ""},
		{"kernel-modules-gone", "upgraded", on(func(f *Facts) { f.Modules.Folder = false; f.Modules.Kernels = []string{"6.8.0-51-generic"} }), Warn, "", "6.8.0-51"},
		{"kernel-modules-gone", "monolithic kernel", on(func(f *Facts) { f.Modules.Folder = false; f.Modules.Kernels = nil }), "", "", ""},
		{"cgroup-v1", "1.36", on(func(f *Facts) { f.CgroupVersion = 1 }), Block, "", "fail-cgroupv1=false"},
		{"cgroup-v1", "version not given", func(w *world) { w.version = ""; w.all["w1"].CgroupVersion = 1 }, Block, "", "v1.34"},
		{"cgroup-v1", "allowed", func(w *world) {
			w.all["w1"].CgroupVersion = 1
			w.host("w1").K3sConfig = map[string]any{"kubelet-arg": []any{"v=2", "fail-cgroupv1=false"}}
		}, Warn, "", "allows"},
		{"cgroup-v1", "1.34", func(w *world) { w.version = "v1.34.6+k3s1"; w.all["w1"].CgroupVersion = 1 }, Info, "", "1.34"},
		{"cgroup-v1", "not read", on(func(f *Facts) { f.CgroupVersion = 0 }), "", "", ""},
		{"cgroup-controller-missing", "v2 without cpuset", on(func(f *Facts) { f.CgroupControllers = []string{"cpu", "memory", "pids"} }), Block, "", "cpuset"},
		{"cgroup-controller-missing", "v1 without memory", on(func(f *Facts) { f.CgroupVersion, f.CgroupControllers = 1, []string{"cpu", "pids"} }), Block, "", "memory"},
		{"cgroup-controller-missing", "v1 without cpuset", on(func(f *Facts) { f.CgroupVersion, f.CgroupControllers = 1, []string{"memory", "pids"} }), "", "", ""},
	}
}

func resourceCases() []ruleCase {
	skew := func(d time.Duration) func(*world) {
		return func(w *world) {
			w.inv.Hosts = append(w.inv.Hosts, inventory.Host{Name: "w2", Role: inventory.RoleWorker})
			w.all["w2"] = healthy(3)
			w.all["w1"].Clock.Offset = d
		}
	}
	return []ruleCase{
		{"memory-low", "server", func(w *world) { w.all["s1"].MemoryBytes = gib }, Warn, "s1", "MemTotal"},
		{"memory-low", "tiny server", func(w *world) { w.all["s1"].MemoryBytes = 500 * mib }, Block, "s1", "MemTotal"},
		{"memory-low", "agent", on(func(f *Facts) { f.MemoryBytes = gib }), "", "", ""},
		{"memory-low", "not read", on(func(f *Facts) { f.MemoryBytes = 0 }), "", "", ""},
		{"cpu-low", "server", func(w *world) { w.all["s1"].CPUs = 1 }, Warn, "s1", "1 CPU"},
		{"cpu-low", "agent", on(func(f *Facts) { f.CPUs = 1 }), "", "", ""},
		{"swap-active", "on", on(func(f *Facts) { f.SwapBytes = 2 * gib }), Info, "", "2.0 GiB"},
		{"swap-active", "off", nil, "", "", ""},
		{"inotify-low", "Debian's default", on(func(f *Facts) { f.Limits.InotifyInstances = 128 }), Info, "", "=128"},
		{"inotify-low", "not read", on(func(f *Facts) { f.Limits = Limits{} }), "", "", ""},
		{"clock-skew", "ahead", skew(5 * time.Second), Warn, "", "5s ahead of"},
		{"clock-skew", "behind", skew(-45 * time.Second), Block, "", "45s behind"},
		{"clock-skew", "small", skew(1500 * time.Millisecond), "", "", ""},
		{"clock-skew", "within a slow round trip", func(w *world) {
			skew(8 * time.Second)(w)
			w.all["w1"].Clock.RTT = 14 * time.Second
		}, "", "", ""},
		{"clock-skew", "our own clock is wrong", func(w *world) {
			skew(0)(w)
			for _, f := range w.all {
				f.Clock.Offset = time.Hour
			}
		}, "", "", ""},
		{"clock-skew", "two hosts, ours decides", func(w *world) { w.all["w1"].Clock.Offset = time.Minute }, Block, "", "1m0s ahead"},
		{"clock-unsynced", "no", on(func(f *Facts) { f.Clock.Synced = "no" }), Warn, "", "not synchronised"},
		{"clock-unsynced", "unknown", on(func(f *Facts) { f.Clock.Synced = "unknown" }), "", "", ""},
	}
}
