package inventory

import (
	"slices"
	"strings"
	"testing"
)

func TestK3sFlagsAreSortedAndWhole(t *testing.T) {
	t.Parallel()
	flags := K3sFlags()
	for i, f := range flags {
		if i > 0 && flags[i-1].Name >= f.Name {
			t.Errorf("%s stands before %s", flags[i-1].Name, f.Name)
		}
		if !f.Server && !f.Agent {
			t.Errorf("no command knows %s", f.Name)
		}
		if f.Critical && !f.Server {
			t.Errorf("%s is critical but no flag of servers", f.Name)
		}
		if strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("%q is no name of a flag", f.Name)
		}
	}
	if len(flags) < 120 {
		t.Errorf("only %d flags", len(flags))
	}
}

// TestK3sFlagsKnowTheFatalOnes holds rows whose place was seen: a key of the
// server alone stops an agent.
func TestK3sFlagsKnowTheFatalOnes(t *testing.T) {
	t.Parallel()
	flags := K3sFlags()
	find := func(name string) K3sFlag {
		i := slices.IndexFunc(flags, func(f K3sFlag) bool { return f.Name == name })
		if i < 0 {
			t.Fatalf("%s is missing", name)
		}
		return flags[i]
	}
	for _, name := range []string{"disable", "embedded-registry", "secrets-encryption", "kube-apiserver-arg", "system-default-registry", "tls-san"} {
		if f := find(name); f.Agent || !f.Server {
			t.Errorf("%s: server %v, agent %v, want the server alone", name, f.Server, f.Agent)
		}
	}
	for _, name := range []string{"kubelet-arg", "data-dir", "snapshotter", "node-external-ip", "nonroot-devices", "prefer-bundled-bin"} {
		if f := find(name); !f.Agent || !f.Server {
			t.Errorf("%s: server %v, agent %v, want both", name, f.Server, f.Agent)
		}
	}
}

func TestEachHostGetsOnlyTheKeysItsRoleKnows(t *testing.T) {
	t.Parallel()
	inv, err := Parse("a.yaml", []byte(`
name: a
k3s: {config: {disable: [traefik], disable-apiserver-lb: true, debug: true}}
hosts:
  - {address: s, role: both}
  - {address: w, role: worker}
`))
	if err != nil {
		t.Fatal(err)
	}
	server, worker := inv.Hosts[0].K3sConfig, inv.Hosts[1].K3sConfig
	if server["disable"] == nil || server["disable-apiserver-lb"] != nil || server["debug"] != true {
		t.Errorf("server got %v", server)
	}
	if worker["disable"] != nil || worker["disable-apiserver-lb"] != true || worker["debug"] != true {
		t.Errorf("worker got %v", worker)
	}
}

func TestListKeysWithAPlusAdd(t *testing.T) {
	t.Parallel()
	inv, err := Parse("a.yaml", []byte(`
name: a
k3s: {config: {kubelet-arg: [base]}}
defaults: {k3sConfig: {kubelet-arg+: [defaults]}}
pools:
  - name: p
    role: both
    hosts:
      - {address: h, k3sConfig: {kubelet-arg+: host, kube-proxy-arg+: [alone]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	got := inv.Hosts[0].K3sConfig
	if list, _ := got["kubelet-arg"].([]any); len(list) != 3 || list[0] != "base" || list[2] != "host" {
		t.Errorf("kubelet-arg is %v", got["kubelet-arg"])
	}
	if list, _ := got["kube-proxy-arg"].([]any); len(list) != 1 {
		t.Errorf("kube-proxy-arg is %v", got["kube-proxy-arg"])
	}
}
