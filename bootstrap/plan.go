package bootstrap

import (
	"slices"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

// Input is everything a plan depends on. Making a plan reads nothing else and
// writes nothing.
type Input struct {
	Inventory *inventory.Inventory
	// Facts of the hosts that answered.
	Facts map[string]*facts.Facts
	// Missing are hosts that did not answer, with the reason.
	Missing map[string]error
	// Only limits changes to these hosts; nil means all.
	Only []string
	// Version is the k3s version to run; Binaries its executables by
	// architecture.
	Version  string
	Binaries map[string]Binary
	Cluster  ClusterState
	// ExistingToken is the hash of the token that joins an existing cluster.
	ExistingToken string
}

// Binary identifies the k3s executable of one architecture.
type Binary struct {
	SHA256 string
	Size   int64
	Origin string
}

// ClusterState is what the Kubernetes API said.
type ClusterState struct {
	Answered bool
	// Err is why it did not, where a server should have answered.
	Err   error
	Nodes []Node
}

// Node finds a node by name.
func (s ClusterState) Node(name string) (Node, bool) {
	i := slices.IndexFunc(s.Nodes, func(n Node) bool { return n.Name == name })
	if i < 0 {
		return Node{}, false
	}
	return s.Nodes[i], true
}

// Plan is what `up` would do.
type Plan struct {
	Cluster string
	Version string
	// Seed is the server that the others join: the one that began the cluster,
	// or will.
	Seed  string
	Hosts []HostPlan // in inventory order, limited hosts only
	// Strangers are nodes of the cluster that the inventory does not name;
	// they are left alone.
	Strangers []string

	addresses *facts.AddressPlan
}

// StartKind says what has to happen to a host's k3s unit.
type StartKind string

// The kinds of starts.
const (
	StartNone    StartKind = ""
	StartFirst   StartKind = "start"
	StartRestart StartKind = "restart"
)

// HostPlan is what `up` would do to one host.
type HostPlan struct {
	Host   inventory.Host
	Member membership
	// Journal is the host's own memory as it was read.
	Journal Journal
	Arch    string
	Binary  Binary
	Install bool // the executable is absent or another one
	Files   []wantFile
	Write   []wantFile // those of Files that differ
	Remove  []string   // files that gpuboot wrote and that are not wanted any more
	Enable  bool
	Start   StartKind
	Patch   bool // the node's labels or taints differ, or the node is new
	Changes []engine.Change
}

// Unchanged says that nothing would be done.
func (p *Plan) Unchanged() bool {
	return !slices.ContainsFunc(p.Hosts, func(h HostPlan) bool { return len(h.Changes) > 0 })
}

// Host finds a host's plan.
func (p *Plan) Host(name string) (*HostPlan, bool) {
	i := slices.IndexFunc(p.Hosts, func(h HostPlan) bool { return h.Host.Name == name })
	if i < 0 {
		return nil, false
	}
	return &p.Hosts[i], true
}

// MakePlan decides what has to be done, with a reason for each change. Its
// error is a [Refusals] when something must not be done.
func MakePlan(in Input) (*Plan, error) {
	p, refused := newPlanner(in)
	plan := &Plan{Cluster: in.Inventory.Name, Version: in.Version, Seed: p.seed, Strangers: strangers(in), addresses: p.addresses}
	for _, h := range in.Inventory.Hosts {
		f, ok := in.Facts[h.Name]
		if !ok || !in.wanted(h.Name) {
			continue
		}
		if r := p.refuseHost(h, f); len(r) > 0 {
			refused = append(refused, r...)
			continue
		}
		hp, err := p.host(h, f)
		if err != nil {
			refused = append(refused, Refusal{Host: h.Name, Reason: err.Error(), Fix: hintOf(err)})
			continue
		}
		plan.Hosts = append(plan.Hosts, hp)
	}
	if len(refused) > 0 {
		return nil, refused
	}
	return plan, nil
}

func (in Input) wanted(host string) bool { return in.Only == nil || slices.Contains(in.Only, host) }

func strangers(in Input) []string {
	var out []string
	if in.Inventory.Existing != nil {
		return nil // the cluster is somebody else's, and so are its nodes
	}
	for _, n := range in.Cluster.Nodes {
		if _, ok := in.Inventory.Host(n.Name); !ok {
			out = append(out, n.Name)
		}
	}
	return out
}
