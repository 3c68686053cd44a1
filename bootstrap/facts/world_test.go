package facts

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/inventory"
)

// world is an inventory with the facts of its hosts: a server and a GPU worker,
// both in good health.
type world struct {
	inv     *inventory.Inventory
	all     map[string]*Facts
	version string
}

func newWorld() *world {
	w := &world{
		inv: &inventory.Inventory{
			Name:    "lab",
			Network: inventory.Network{PodCIDR: "10.42.0.0/16", ServiceCIDR: "10.43.0.0/16", FlannelBackend: "vxlan"},
			Hosts: []inventory.Host{
				{Name: "s1", Address: "10.9.0.1", Role: inventory.RoleServer},
				{Name: "w1", Address: "10.9.0.2", Role: inventory.RoleWorker, GPUs: &inventory.GPUs{Count: 8, Product: "H100"}},
			},
		},
		all:     map[string]*Facts{"s1": healthy(1), "w1": healthy(2)},
		version: "v1.36.2+k3s1",
	}
	addGPUs(w.all["w1"])
	return w
}

// host and facts give the two parts of a host, to be changed.
func (w *world) host(name string) *inventory.Host {
	i := slices.IndexFunc(w.inv.Hosts, func(h inventory.Host) bool { return h.Name == name })
	return &w.inv.Hosts[i]
}

func (w *world) check() []Finding { return Check(w.inv, w.all, w.version) }

// healthy is a machine without any finding; n tells machines apart.
func healthy(n int) *Facts {
	f := &Facts{
		Hostname: fmt.Sprintf("node%d", n), MachineID: fmt.Sprintf("%032d", n), ProductUUID: fmt.Sprintf("uuid-%d", n),
		BootID: fmt.Sprintf("boot-%d", n), Arch: "amd64", Kernel: "6.8.0-49-generic", Virt: "kvm",
		Isolation:     Isolation{Privileged: true, Kmsg: true},
		OS:            OS{ID: "ubuntu", VersionID: "24.04", IDLike: []string{"debian"}},
		Systemd:       Systemd{Running: true, Version: 255, State: "running", PID1: "systemd"},
		CgroupVersion: 2, CgroupControllers: []string{"cpu", "cpuset", "io", "memory", "pids"},
		MemoryBytes: 64 * gib, CPUs: 16,
		Clock: Clock{Remote: time.Unix(1.8e9, 0), RTT: 20 * time.Millisecond, Precision: time.Microsecond, Synced: "yes"},
		Links: []Link{
			{Name: "lo", Kind: "loopback", Up: true, Addrs: []Addr{{Prefix: netip.MustParsePrefix("127.0.0.1/8"), Scope: "host"}}},
			{Name: "eth0", Kind: "ether", MAC: fmt.Sprintf("02:00:00:00:00:%02x", n), MTU: 1500, Up: true, Physical: true,
				Addrs: []Addr{{Prefix: netip.MustParsePrefix(fmt.Sprintf("10.9.0.%d/24", n)), Scope: "global"}}},
		},
		Routes: []Route{{Dst: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("10.9.0.254"), Dev: "eth0", Type: "unicast"}},
		Modules: Modules{Folder: true, Kernels: []string{"6.8.0-49-generic"},
			Available: []string{"br_netfilter", "overlay", "vxlan"}},
		Network: Network{
			ResolverFiles: []string{"/etc/resolv.conf"}, Resolvers: map[string][]string{"/etc/resolv.conf": {"10.9.0.254"}},
			OwnName: true, IPTables: "1.8.10", IPTablesMode: "nf_tables", Proxy: map[string]string{},
		},
		Limits:   Limits{InotifyInstances: 8192, InotifyWatches: 524288},
		Security: Security{SecureBoot: "no"},
		Files:    map[string]FileFact{}, Units: map[string]Unit{}, Unknown: map[string]string{}, Raw: map[string]string{},
	}
	for _, p := range []string{"/", "/var/lib/rancher/k3s", "/var/lib/kubelet", "/usr/local/bin", "/tmp", "/etc"} {
		f.FileSystems = append(f.FileSystems, FileSystem{Path: p, Existing: p, Mount: "/", Source: "/dev/vda1", Type: "ext4",
			SizeBytes: 500 * gib, AvailBytes: 400 * gib, Inodes: 1 << 25, AvailInodes: 1 << 24})
	}
	return f
}

// addGPUs makes a machine an 8x H100 board with switches, driver and fabric
// manager.
func addGPUs(f *Facts) {
	for i := range 8 {
		f.GPUs = append(f.GPUs, PCIDevice{Slot: fmt.Sprintf("0000:%02x:00.0", 0x20+i), VendorID: VendorNVIDIA, DeviceID: "2330",
			Class: "0302", Name: "NVIDIA H100 80GB HBM3", Driver: "nvidia"})
		f.NVIDIA.GPUs = append(f.NVIDIA.GPUs, SMIGPU{Index: i, Name: "NVIDIA H100 80GB HBM3", Bus: fmt.Sprintf("00000000:%02X:00.0", 0x20+i),
			MemoryMiB: 81559, Driver: "570.133.20", Fabric: "Completed Success"})
	}
	f.Devices = append(slices.Clone(f.GPUs), PCIDevice{Slot: "0000:05:00.0", VendorID: VendorNVIDIA, DeviceID: "22a3", Class: "0680"})
	f.NVIDIA.Loaded, f.NVIDIA.Open, f.NVIDIA.DriverVersion, f.NVIDIA.SMI = true, true, "570.133.20", SMIOK
	f.NVIDIA.Modules = []string{"nvidia", "nvidia_uvm"}
	f.NVIDIA.Tools = []string{"/usr/bin/nvidia-smi"}
	f.Units["nvidia-fabricmanager.service"] = Unit{Name: "nvidia-fabricmanager.service", Load: "loaded", Active: "active", Sub: "running"}
}

// ruleCase changes the world of healthy hosts and says what the rule finds then:
// nothing, or one finding of a severity.
type ruleCase struct {
	rule, name string
	change     func(w *world)
	want       Severity
	// host that the finding names; "w1" if empty, "-" for none.
	host string
	// evidence is a part of the finding's evidence or summary.
	evidence string
}

// on changes the facts of the GPU worker.
func on(change func(f *Facts)) func(*world) {
	return func(w *world) { change(w.all["w1"]) }
}

func allRuleCases() []ruleCase {
	return slices.Concat(hostCases(), systemCases(), resourceCases(), diskCases(), identityCases(), clusterCases(),
		networkCases(), reachCases(), packageCases(), gpuCases(), driverCases(), errorCases())
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range allRuleCases() {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			if c.change != nil {
				c.change(w)
			}
			var found []Finding
			host := map[string]string{"": "w1", "-": ""}[c.host]
			if host == "" && c.host != "-" {
				host = c.host
			}
			for _, f := range w.check() {
				if f.ID == c.rule && f.Host == host {
					found = append(found, f)
				}
			}
			c.judge(t, found)
		})
	}
}
