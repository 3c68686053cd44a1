package bootstrap

import (
	"maps"
	"net/netip"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

const testVersion = "v1.36.2+k3s1"

// threeHosts is one control plane and two workers.
const threeHosts = `
name: lab
k3s: {version: v1.36.2+k3s1}
pools:
  - name: control
    role: server
    hosts: [{name: s1, address: 10.0.0.10}]
  - name: gpu
    role: worker
    labels: {tier: gold}
    taints: ["dedicated=ml:NoSchedule"]
    hosts: [{name: w1, address: 10.0.0.11}, {name: w2, address: 10.0.0.12}]
`

// threeServers is a highly available control plane that also works.
const threeServers = `
name: lab
k3s: {version: v1.36.2+k3s1}
pools:
  - name: all
    role: both
    hosts: [{name: s1, address: 10.0.0.10}, {name: s2, address: 10.0.0.11}, {name: s3, address: 10.0.0.12}]
`

func parse(t *testing.T, text string) *inventory.Inventory {
	t.Helper()
	inv, err := inventory.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// bare is a host that nobody touched.
func bare(h inventory.Host) *facts.Facts {
	addr := netip.MustParseAddr(h.Address)
	return &facts.Facts{
		Hostname: h.Name, MachineID: h.Name + "-id", Arch: "amd64", CgroupVersion: 2,
		Links: []facts.Link{{Name: "eth0", Kind: "ether", Up: true, Physical: true, MTU: 1500,
			Addrs: []facts.Addr{{Prefix: netip.PrefixFrom(addr, 24), Scope: "global"}}}},
		Routes: []facts.Route{{Dst: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("10.0.0.1"), Dev: "eth0", Type: "unicast"}},
		Files:  map[string]facts.FileFact{},
	}
}

var testBinary = Binary{SHA256: "b1", Size: 100}

// bareInput is a plan's input before anything was done.
func bareInput(t *testing.T, text string) Input {
	t.Helper()
	inv := parse(t, text)
	in := Input{Inventory: inv, Version: testVersion, Facts: map[string]*facts.Facts{}, Binaries: map[string]Binary{"amd64": testBinary}}
	for _, h := range inv.Hosts {
		in.Facts[h.Name] = bare(h)
	}
	return in
}

// converged is the input after a plan was carried out: the world as `up` leaves
// it, made from the plan itself.
func converged(t *testing.T, in Input) Input {
	t.Helper()
	p, err := MakePlan(in)
	if err != nil {
		t.Fatal(err)
	}
	out := in
	out.Facts = map[string]*facts.Facts{}
	maps.Copy(out.Facts, in.Facts)
	out.Cluster.Answered = true
	for i := range p.Hosts {
		hp := &p.Hosts[i]
		f := *in.Facts[hp.Host.Name]
		carryOut(t, p, hp, &f)
		out.Facts[hp.Host.Name] = &f
		out.Cluster.Nodes = append(removeNode(out.Cluster.Nodes, hp.Host.Name), nodeAfter(hp))
	}
	return out
}

// carryOut changes facts as the steps would change the host.
func carryOut(t *testing.T, p *Plan, hp *HostPlan, f *facts.Facts) {
	t.Helper()
	files := map[string]facts.FileFact{BinaryPath: {Mode: 0o755, Owner: "root:root", Size: hp.Binary.Size}}
	for _, w := range hp.Files {
		sum := w.sum()
		switch w.Secret {
		case secretServerToken:
			sum = "server-sum"
		case secretAgentToken:
			sum = "agent-sum"
		}
		files[w.Path] = facts.FileFact{Mode: uint32(w.Mode), Owner: "root:root", SHA256: sum}
	}
	f.Files = files
	j := hp.Journal.clone()
	j.Format, j.Cluster, j.Role = journalFormat, p.Cluster, hp.Member.Role
	j.Founder, j.Join, j.Taints = hp.Member.Founder, hp.Member.Join, hp.Member.Taints
	j.NodeIP, j.Interface = hp.Member.NodeIP.String(), hp.Member.Interface
	j.Binary = InstalledBinary{Version: p.Version, SHA256: hp.Binary.SHA256, Size: hp.Binary.Size}
	sum := "agent-sum"
	if hp.Member.Role == roleServer {
		j.ServerToken, j.AgentToken = "server-sum", "agent-sum"
		sum = "server-sum"
	}
	if hp.Member.Founder {
		sum = ""
	}
	j.Started = startHash(hp.Binary.SHA256, hp.Files, sum)
	data, err := j.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	f.Journal = data
	f.K3s = facts.K3s{Version: p.Version, Role: hp.Member.Role, Processes: true,
		Unit: facts.Unit{Name: UnitName(hp.Member.Role), Load: "loaded", Active: "active", Sub: "running", Enabled: "enabled"}}
}

func nodeAfter(hp *HostPlan) Node {
	n := Node{Name: hp.Host.Name, Labels: map[string]string{}, Annotations: map[string]string{}, Ready: true, Voter: hp.Member.Role == roleServer}
	patch, _ := nodePatch(hp.Host, n)
	for k, v := range patch.Labels {
		n.Labels[k] = *v
	}
	for k, v := range patch.Annotations {
		n.Annotations[k] = *v
	}
	n.Taints = patch.Taints
	return n
}

func removeNode(nodes []Node, name string) []Node {
	var out []Node
	for _, n := range nodes {
		if n.Name != name {
			out = append(out, n)
		}
	}
	return out
}

func parseOrPanic(text string) *inventory.Inventory {
	inv, err := inventory.Parse("test.yaml", []byte(text))
	if err != nil {
		panic(err)
	}
	return inv
}

func cloneFacts(in map[string]*facts.Facts) map[string]*facts.Facts {
	out := map[string]*facts.Facts{}
	for name, f := range in {
		c := *f
		out[name] = &c
	}
	return out
}

// journalFile notes in a host's journal that gpuboot wrote a file.
func journalFile(t *testing.T, f *facts.Facts, path string) {
	t.Helper()
	j, err := ParseJournal(f.Journal)
	if err != nil {
		t.Fatal(err)
	}
	j.Acts = append(j.Acts, Act{Kind: ActFile, Path: path})
	f.Journal, _ = j.Marshal()
}
