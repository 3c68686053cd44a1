package facts

import (
	"bytes"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// layHost unpacks a host of testdata into a folder and gives the folder.
func layHost(t *testing.T, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, f := range ar.Files {
		path := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(string(f.Data), "link: "); ok {
			err = os.Symlink(strings.TrimSpace(target), path)
		} else {
			mode := os.FileMode(0o644)
			if strings.HasPrefix(string(f.Data), "#!") {
				mode = 0o755
			}
			err = os.WriteFile(path, f.Data, mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// probeHost runs the probe on a laid host; the folder's own name is taken out of
// what it prints.
func probeHost(t *testing.T, root string, shell ...string) (*Facts, []byte) {
	t.Helper()
	out := runProbe(t, shell, "GPUBOOT_PROBE_ROOT="+root, "PATH="+root+"/bin:"+os.Getenv("PATH"),
		"SSH_CONNECTION=192.0.2.9 51000 10.20.0.11 22", "HTTP_PROXY=http://u:hunter2@proxy.lab:8080")
	out = bytes.ReplaceAll(out, []byte(root), nil)
	f, err := Parse(out)
	if err != nil {
		t.Fatal(err)
	}
	return f, out
}

func TestProbeReadsALaidHost(t *testing.T) {
	t.Parallel()
	for name, argv := range shells(t) {
		if name == "busybox" {
			continue // it runs its own df, ip and dmesg instead of those laid out
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, out := probeHost(t, layHost(t, "hgx.txtar"), argv...)
			checkHGX(t, f)
			for _, secret := range []string{"never-print-this-token", "s3cr3tpass", "hunter2"} {
				if bytes.Contains(out, []byte(secret)) {
					t.Errorf("the probe printed the secret %q", secret)
				}
			}
		})
	}
}

func checkHGX(t *testing.T, f *Facts) {
	t.Helper()
	check := func(what string, ok bool, got any) {
		t.Helper()
		if !ok {
			t.Errorf("%s: %+v", what, got)
		}
	}
	check("unknown", len(f.Unknown) == 1 && f.Unknown["route6"] != "" || len(f.Unknown) == 0, f.Unknown)
	check("host", f.Hostname == "gpu-a1" && f.Arch == "amd64" && f.CPUs == 112 && f.Product == "DGXH100", f)
	check("os", f.OS.ID == "ubuntu" && f.OS.DGX == "DGX H100" && f.OS.Like("debian"), f.OS)
	check("systemd", f.Systemd == Systemd{Running: true, Version: 255, State: "degraded", PID1: "systemd"}, f.Systemd)
	check("virt", f.Virt == "none" && !f.Container && f.Isolation.Kmsg, f.Isolation)
	check("cgroup", f.CgroupVersion == 2 && slices.Contains(f.CgroupControllers, "cpuset"), f.CgroupControllers)
	check("memory", f.MemoryBytes == 2113407132*1024 && f.SwapBytes == 8388604*1024, f.MemoryBytes)
	check("ssh", f.SSHAddress == netip.MustParseAddr("10.20.0.11"), f.SSHAddress)
	check("clock", f.Clock.Synced == "yes", f.Clock)
	data, _ := f.fileSystem("/data/k3s")
	check("file system", data.Type == "xfs" && data.NoExec && data.Inodes == 0 && data.AvailBytes == 3809524318208, data)
	check("disks", len(f.Disks) == 2 && f.Disks[0].Signature[0] == "linux_raid_member" && len(f.Disks[1].Signature) == 0, f.Disks)
	check("pod mounts", f.K3s.PodMounts == 1, f.K3s.PodMounts)
	checkHGXDevices(t, f, check)
	checkHGXSoftware(t, f, check)
}

func checkHGXDevices(t *testing.T, f *Facts, check func(string, bool, any)) {
	t.Helper()
	check("gpus", len(f.GPUs) == 2, f.GPUs)
	check("gpu 0", f.GPUs[0] == PCIDevice{Slot: "0000:1b:00.0", VendorID: "10de", DeviceID: "2330", Class: "0302",
		Name: "NVIDIA H100 80GB HBM3", Driver: "nvidia"}, f.GPUs[0])
	check("gpu 1", f.GPUs[1].Driver == "vfio-pci" && f.GPUs[1].Name == "H100 SXM5 80GB", f.GPUs[1])
	check("switch", f.nvswitch(), f.Devices)
	check("driver", f.NVIDIA.DriverVersion == "570.133.20" && f.NVIDIA.Open && f.NVIDIA.Loaded, f.NVIDIA)
	check("nodes", slices.Equal(f.NVIDIA.Nodes, []string{"nvidia0", "nvidia1"}), f.NVIDIA.Nodes)
	check("smi", f.NVIDIA.SMI == SMILost && f.NVIDIA.GPUs[0].Compute == "" && f.NVIDIA.GPUs[0].MemoryMiB == 81559, f.NVIDIA)
	check("xid", len(f.Kernlog.Xids) == 1 && f.Kernlog.Xids[0].Code == 79, f.Kernlog)
	check("rdma", len(f.RDMA) == 2 && f.RDMA[0] == RDMAPort{Device: "mlx5_0", Port: 1, State: "ACTIVE", Phys: "LinkUp",
		GbPerSec: 400, LinkLayer: "InfiniBand", Slot: "0000:18:00.0"}, f.RDMA)
	check("soft rdma", f.RDMA[1].Software, f.RDMA[1])
	check("links", len(f.Links) == 3 && f.Links[1].Physical && f.Links[1].SpeedMbit == 25000 && f.Links[2].Kind == "vlan", f.Links)
	check("route", len(f.Routes) == 1 && f.Routes[0].Default(), f.Routes)
}

func checkHGXSoftware(t *testing.T, f *Facts, check func(string, bool, any)) {
	t.Helper()
	check("k3s", f.K3s.Version == "v1.36.2+k3s1" && f.K3s.Role == "server" && f.K3s.Processes && f.K3s.Unit.MainPID == 812, f.K3s)
	check("k3s config", f.K3s.Config["node-ip"] == "10.20.0.11" && f.K3s.Config["data-dir"] == "/data/k3s" && f.K3s.Config["token"] == "", f.K3s.Config)
	_, kubelet := f.Units["kubelet.service"]
	check("units", !kubelet && f.Units["k3s.service"].Restarts == 2, f.Units)
	check("journal", string(f.Journal) == `{"format":1,"cluster":"lab","nodeIP":"10.20.0.11"}`+"\n", string(f.Journal))
	token, server := f.Files["/etc/rancher/k3s/token"], f.Files["/var/lib/rancher/k3s/server/token"]
	check("token sums", len(token.SHA256) == 64 && token.SecretSHA256 == server.SecretSHA256 && token.SHA256 != token.SecretSHA256, token)
	check("server token", len(server.SHA256) == 64 && server.SHA256 != server.SecretSHA256, server)
	check("executable", f.Files["/usr/local/bin/k3s"].SHA256 == "" && f.Files["/usr/local/bin/k3s"].Mode == 0o755, f.Files["/usr/local/bin/k3s"])
	check("config sum", len(f.Files["/etc/rancher/k3s/config.yaml.d/10-site.yaml"].SHA256) == 64, f.Files)
	check("firewalls", slices.Equal(f.Network.Firewalls, []string{"firewalld", "ufw"}), f.Network.Firewalls)
	check("resolvers", slices.Equal(f.Network.Resolvers["/run/systemd/resolve/resolv.conf"], []string{"10.20.0.2", "2001:db8:9::53"}), f.Network.Resolvers)
	check("own name", f.Network.OwnName, f.Network.OwnName)
	check("proxy", f.Network.Proxy["environment HTTPS_PROXY"] == "***@proxy.lab:3128/" && f.Network.Proxy["HTTP_PROXY"] == "***@proxy.lab:8080", f.Network.Proxy)
	check("listener", len(f.Network.Listeners) == 1 && f.Network.Listeners[0].PID == 812, f.Network.Listeners)
	check("packages", f.Packages.RebootRequired && f.Packages.CloudInit == "running" && f.Packages.RebootFor[0] == "linux-image-6.8.0-60-generic", f.Packages)
	check("security", f.Security == Security{SELinux: "enforcing", SecureBoot: "no", Lockdown: "integrity"}, f.Security)
	check("modules", f.Modules.Has("vxlan") && f.Modules.Has("nvidia") && f.Modules.Has("br_netfilter") && !f.Modules.Has("wireguard"), f.Modules)
	check("processes", len(f.Processes) == 2 && f.Processes[1] == Process{PID: 900, Name: "unattended-upgr"}, f.Processes)
	check("limits", f.Limits.InotifyInstances == 128 && f.Limits.InotifyWatches == 249000, f.Limits)
}

// What a laid host is judged to be: a GPU of two is gone, and more.
func TestCheckOnALaidHost(t *testing.T) {
	t.Parallel()
	w := newWorld()
	f, err := Parse(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	w.all = map[string]*Facts{"w1": f}
	w.host("w1").K3sConfig = map[string]any{"data-dir": "/data/k3s"}
	var got []string
	for _, found := range w.check() {
		got = append(got, string(found.Severity)+" "+found.ID)
	}
	want := []string{"block gpu-count", "block gpu-lost", "block gpu-passthrough", "block mount-noexec", "warn cloud-init-running",
		"block fabric-manager", "warn firewall-active", "warn firewall-active", "warn gpu-memory", "warn reboot-pending", "warn selinux-enforcing",
		"info inotify-low", "info proxy-environment", "info swap-active"}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
