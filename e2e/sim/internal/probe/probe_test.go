package probe

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
	"github.com/gpuboot/gpuboot/inventory"
)

func host(t *testing.T, product string, gpus int) State {
	t.Helper()
	files := vfs.New(time.Now)
	if err := files.MkdirAll("/usr/local/bin", 0o755); err != nil {
		t.Fatal(err)
	}
	return State{Hostname: "gpu-1", MachineID: strings.Repeat("a1", 16), BootID: "b1", ProductUUID: "u1", CPUs: 16, MemoryKB: 64 << 20,
		Uptime: time.Hour, Now: time.Now(), Root: true, Address: netip.MustParsePrefix("10.77.0.11/16"), Gateway: netip.MustParseAddr("10.77.255.1"),
		Client: netip.MustParseAddr("10.77.255.9"), GPU: Models(product), GPUs: gpus, DiskKB: 1 << 30, UsedKB: 100 << 20, Files: files}
}

func parse(t *testing.T, s State) *facts.Facts {
	t.Helper()
	f, err := facts.Parse(Render(s))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A section that the script gained and this package lacks shows up here.
func TestNothingIsUnknownAboutAHost(t *testing.T) {
	t.Parallel()
	for _, product := range []string{"H100", "L40S", "T4", ""} {
		s := host(t, product, 0)
		if product != "" {
			s.GPUs, s.RDMA = 8, 4
		}
		f := parse(t, s)
		for name, why := range f.Unknown {
			t.Errorf("%s: unknown %s: %s", product, name, why)
		}
		if len(f.GPUs) != s.GPUs || len(f.RDMA) != s.RDMA || f.Kernel != Kernel {
			t.Errorf("%s: %d GPUs, %d RDMA ports, kernel %s", product, len(f.GPUs), len(f.RDMA), f.Kernel)
		}
	}
}

func TestAHostWithoutFaultsHasNoFindings(t *testing.T) {
	t.Parallel()
	for _, product := range []string{"H100", "L40S", "T4"} {
		f := parse(t, host(t, product, 8))
		inv, err := inventory.Parse("test.yaml", []byte("name: lab\npools: [{name: all, role: both, gpus: 8x "+product+", hosts: [{name: gpu-1, address: 10.77.0.11}]}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range facts.Check(inv, map[string]*facts.Facts{"gpu-1": f}, "v1.36.2+k3s1") {
			t.Errorf("%s: %s %s: %s (%s)", product, finding.Severity, finding.ID, finding.Summary, finding.Evidence)
		}
	}
}

func TestFilesAndK3sAreSeen(t *testing.T) {
	t.Parallel()
	s := host(t, "", 0)
	s.K3s, s.Version = "server", "v1.36.2+k3s1"
	s.Units = []Unit{{Name: "k3s.service", Load: "loaded", Active: "active", Sub: "running", Enabled: "enabled", Path: "/etc/systemd/system/k3s.service", PID: 812}}
	for name, text := range map[string]string{
		"/etc/rancher/k3s/config.yaml": "node-ip: 10.77.0.11\ntls-san: [a]\n", "/etc/rancher/k3s/token": "K10aa::server:secret",
		"/var/lib/rancher/k3s/server/token": "K10aa::server:secret\n", journalPath: `{"cluster":"lab"}`, "/usr/local/bin/k3s": "x", "/var/lib/rancher/k3s/server/db/x": "",
	} {
		if err := s.Files.Put(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := parse(t, s)
	k := f.K3s
	if k.Version != s.Version || k.Role != "server" || k.Unit.Active != "active" || !k.Processes || k.Config["node-ip"] != "10.77.0.11" {
		t.Errorf("k3s: %+v", k)
	}
	if string(f.Journal) != `{"cluster":"lab"}` {
		t.Errorf("journal %q", f.Journal)
	}
	a, b := f.Files["/etc/rancher/k3s/token"], f.Files["/var/lib/rancher/k3s/server/token"]
	if a.Mode != 0o600 || a.Owner != "root:root" || a.SHA256 != sum("K10aa::server:secret") || a.SHA256 != b.SHA256 || b.SecretSHA256 != sum("secret") {
		t.Errorf("tokens: %+v %+v", a, b)
	}
	if f.Files["/usr/local/bin/k3s"].SHA256 != "" {
		t.Error("the executable is hashed, which the script does not do")
	}
}
