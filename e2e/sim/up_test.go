package sim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/sim"
	"github.com/gpuboot/gpuboot/inventory"
)

// jsonMap reads a map out of a node.
func jsonMap(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		m, _ = m[p].(map[string]any)
	}
	return m
}

// nodes gives the nodes of the cluster that a server is in.
func (r *rig) nodes(server string) map[string]map[string]any {
	r.t.Helper()
	c, ok := r.fleet.Cluster(server)
	if !ok {
		r.t.Fatalf("no cluster runs on %s", server)
	}
	return c.Nodes()
}

func ready(node map[string]any) bool {
	conditions, _ := jsonMap(node, "status")["conditions"].([]any)
	for _, c := range conditions {
		if m, _ := c.(map[string]any); m["type"] == "Ready" && m["status"] == "True" {
			return true
		}
	}
	return false
}

func TestFreshHostsBecomeACluster(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	out := r.mustUp()
	if len(out.Findings) > 0 {
		t.Errorf("findings on healthy hosts: %+v", out.Findings)
	}
	nodes := r.nodes("gpu-1")
	for _, name := range []string{"gpu-1", "gpu-2", "gpu-3"} {
		if !ready(nodes[name]) {
			t.Errorf("node %s is not Ready: %v", name, nodes[name])
		}
		if got := jsonMap(nodes[name], "metadata", "labels")["gpuboot.dev/simulated"]; got != "true" {
			t.Errorf("node %s does not say that it is simulated", name)
		}
		if v, _ := jsonMap(nodes[name], "status", "nodeInfo")["kubeletVersion"].(string); !strings.HasSuffix(v, "-simulated") {
			t.Errorf("kubelet of %s: %q", name, v)
		}
	}
	if got := jsonMap(nodes["gpu-3"], "metadata", "labels")["gpuboot.dev/pool"]; got != "l40s" {
		t.Errorf("pool of gpu-3: %v", got)
	}
	if n := r.fleet.Clusters(); n != 1 {
		t.Errorf("%d clusters", n)
	}
}

// A second run costs one connection and one command for each host, one more to
// the server whose API is asked, and changes nothing.
func TestANoOpIsOneLook(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	r.mustUp()
	before := map[string]sim.Counts{}
	for _, h := range sim.GPUHosts(3, 1) {
		before[h.Name] = r.fleet.Count(h.Name)
	}
	r.unchanged()
	for name, old := range before {
		d := r.fleet.Count(name).Minus(old)
		if d.Connections != 1 || d.Execs > 2 || d.Writes != 0 || d.Changes != 0 {
			t.Errorf("%s: %+v, want 1 connection, at most 2 commands, no writes", name, d)
		}
	}
}

func TestAChangedLabelTouchesOnlyTheAPI(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	r.mustUp()
	before := r.fleet.CountAll()
	r.write(sim.Setup{Labels: map[string]string{"tier": "gold"}})
	r.mustUp()
	for name, n := range r.nodes("gpu-1") {
		if jsonMap(n, "metadata", "labels")["tier"] != "gold" {
			t.Errorf("node %s has not got the label", name)
		}
	}
	if d := r.fleet.CountAll().Minus(before); d.Writes != 0 {
		t.Errorf("a label made %d writes on hosts", d.Writes)
	}
	r.write(sim.Setup{})
	r.mustUp()
	for name, n := range r.nodes("gpu-1") {
		if v, there := jsonMap(n, "metadata", "labels")["tier"]; there {
			t.Errorf("node %s still has the label that left the inventory: %v", name, v)
		}
	}
	r.unchanged()
}

func TestAnAddedWorkerLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	hosts := sim.GPUHosts(4, 1)
	r := newRig(t, sim.Options{Hosts: hosts[:3]})
	r.mustUp()
	before := r.fleet.CountAll()
	if err := r.fleet.Add(hosts[3]); err != nil {
		t.Fatal(err)
	}
	r.write(sim.Setup{})
	r.mustUp()
	if n := r.nodes("gpu-1"); len(n) != 4 || !ready(n["gpu-4"]) {
		t.Errorf("%d nodes", len(n))
	}
	d := r.fleet.CountAll().Minus(before).Minus(r.fleet.Count("gpu-4"))
	if d.Changes != 0 || d.Writes != 0 {
		t.Errorf("the hosts that were done got %d writes and %d changes", d.Writes, d.Changes)
	}
	r.unchanged()
}

// etcd takes one learner at a time; the fleet reports two as a problem.
func TestThreeServersJoinOneAtATime(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(4, 3)})
	r.mustUp()
	c, _ := r.fleet.Cluster("gpu-1")
	if n := c.Voters(); n != 3 {
		t.Errorf("%d voters", n)
	}
	if n := r.fleet.Clusters(); n != 1 {
		t.Errorf("%d clusters", n)
	}
	r.unchanged()
}

func TestALoginWithSudoWorksAsWell(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(2, 1), User: "ubuntu"})
	r.mustUp()
	r.unchanged()
}

// tree is what lies on a host's disk. The lock is left out: an empty file on a
// tmpfs, which gpuboot's lock says it leaves.
func (r *rig) tree(host string) string {
	lines := slices.DeleteFunc(r.fleet.Tree(host), func(l string) bool { return strings.Contains(l, " /run/gpuboot.lock ") })
	return strings.Join(lines, "\n")
}

func TestDownLeavesTheHostsAsTheyWere(t *testing.T) {
	t.Parallel()
	hosts := sim.GPUHosts(3, 1)
	r := newRig(t, sim.Options{Hosts: hosts})
	if err := r.fleet.Put("gpu-2", "/var/lib/kubelet/mine", "kept"); err != nil {
		t.Fatal(err)
	}
	if err := r.fleet.Put("gpu-2", "/etc/rancher/k3s/registries.yaml", "mine"); err != nil {
		t.Fatal(err)
	}
	before := map[string]string{}
	for _, h := range hosts {
		before[h.Name] = r.tree(h.Name)
	}
	r.mustUp()
	if _, err := r.boot.Down(r.context(), r.request()); err != nil {
		t.Fatal(err)
	}
	for _, h := range hosts {
		if after := r.tree(h.Name); after != before[h.Name] {
			t.Errorf("%s before:\n%s\nafter:\n%s", h.Name, before[h.Name], after)
		}
	}
	r.mustUp() // and again
	r.unchanged()
}

func TestAWorkerLeavesAClusterThatStays(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	r.mustUp()
	req := r.request()
	req.Only = []string{"gpu-3"}
	if _, err := r.boot.Down(r.context(), req); err != nil {
		t.Fatal(err)
	}
	if n := r.nodes("gpu-1"); len(n) != 2 || n["gpu-3"] != nil {
		t.Errorf("nodes after one left: %d", len(n))
	}
	r.write(sim.Setup{Only: []string{"gpu-1", "gpu-2"}})
	r.unchanged()
}

func TestManyHosts(t *testing.T) {
	t.Parallel()
	n := 200
	if testing.Short() {
		n = 40
	}
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(n, 3)})
	r.mustUp()
	count := 0
	for _, node := range r.nodes("gpu-1") {
		if ready(node) {
			count++
		}
	}
	if count != n {
		t.Errorf("%d of %d nodes are Ready", count, n)
	}
}

// The inventory that a fleet writes is one that gpuboot reads without warnings.
func TestTheInventoryIsClean(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(12, 3)})
	inv, err := inventory.Load(r.files.Inventory)
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Hosts) != 12 || len(inv.Servers()) != 3 {
		t.Errorf("%d hosts, %d servers", len(inv.Hosts), len(inv.Servers()))
	}
}
