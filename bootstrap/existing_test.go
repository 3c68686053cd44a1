package bootstrap

import (
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

const joining = `
name: lab
k3s: {version: v1.36.2+k3s1}
existing: {server: "https://10.0.0.5:6443", token: {env: T}, kubeconfig: k}
pools:
  - {name: gpu, role: worker, hosts: [{name: w1, address: 10.0.0.11}, {name: w2, address: 10.0.0.12}]}
`

// joiningInput is the input of two workers that join a cluster of one server.
func joiningInput(t *testing.T) Input {
	t.Helper()
	in := bareInput(t, joining)
	in.ExistingToken = "agent-sum"
	in.Cluster = ClusterState{Answered: true, Nodes: []Node{{Name: "theirs", Version: "v1.36.1+k3s1", Roles: []string{"control-plane", "etcd"}, Ready: true}}}
	return in
}

func TestHostsJoinAnExistingCluster(t *testing.T) {
	t.Parallel()
	in := joiningInput(t)
	p := mustPlan(t, in)
	if len(p.Strangers) > 0 || p.Seed != "" {
		t.Errorf("strangers %v, seed %q", p.Strangers, p.Seed)
	}
	for _, h := range p.Hosts {
		if h.Member.Join != "https://10.0.0.5:6443" || h.Member.Role != roleAgent || h.Start != StartFirst {
			t.Errorf("%s: %+v", h.Host.Name, h.Member)
		}
	}
	if got := render(mustPlan(t, converged(t, in))); got != "" {
		t.Errorf("a second plan changes\n%s", got)
	}
	turned := converged(t, in)
	turned.ExistingToken = "another"
	if got := render(mustPlan(t, turned)); strings.Count(got, "write /etc/rancher/k3s/token | content differs") != 2 {
		t.Errorf("a new token changes\n%s", got)
	}
}

func TestExistingClusterMustAnswerAndBeAsNew(t *testing.T) {
	t.Parallel()
	silent := joiningInput(t)
	silent.Cluster = ClusterState{}
	if _, err := MakePlan(silent); err == nil || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("silent: %v", err)
	}
	old := joiningInput(t)
	old.Cluster.Nodes[0].Version = "v1.35.4+k3s1"
	if _, err := MakePlan(old); err == nil || !strings.Contains(err.Error(), "is newer than the existing cluster's server theirs") {
		t.Errorf("old: %v", err)
	}
}

func TestExistingClustersTokenIsUsed(t *testing.T) {
	t.Parallel()
	a, host := rig(t, threeHosts)
	mkdirs(t, host, "/etc/rancher/k3s")
	a.Existing = &ExistingCluster{Token: []byte("K10aa::node:theirs")}
	hp, _ := a.plan.Host("w1")
	if _, err := a.giveTokens(t.Context(), hp, engine.Silent{}); err != nil {
		t.Fatal(err)
	}
	if got := host.Content(tokenPath); got != "K10aa::node:theirs" {
		t.Errorf("the agent's token is %q", got)
	}
}
