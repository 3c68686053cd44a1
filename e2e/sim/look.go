package sim

import (
	"fmt"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/cluster"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Counts is what happened on a host, or on all of them together.
type Counts struct {
	Connections, Logins, Execs, Commands, Reads, Writes, Forwards, BytesUp, BytesDown int64
	// Changes counts what was changed of the host's files, by anybody.
	Changes int64
}

func (c *Counts) add(o Counts) {
	c.Connections += o.Connections
	c.Logins += o.Logins
	c.Execs += o.Execs
	c.Commands += o.Commands
	c.Reads += o.Reads
	c.Writes += o.Writes
	c.Forwards += o.Forwards
	c.BytesUp += o.BytesUp
	c.BytesDown += o.BytesDown
	c.Changes += o.Changes
}

// Minus is what happened since an earlier count.
func (c Counts) Minus(o Counts) Counts {
	return Counts{c.Connections - o.Connections, c.Logins - o.Logins, c.Execs - o.Execs, c.Commands - o.Commands, c.Reads - o.Reads,
		c.Writes - o.Writes, c.Forwards - o.Forwards, c.BytesUp - o.BytesUp, c.BytesDown - o.BytesDown, c.Changes - o.Changes}
}

// Count is what happened on one host.
func (f *Fleet) Count(name string) Counts {
	h := f.byName[name]
	c := h.server.Count()
	return Counts{c.Connections.Load(), c.Logins.Load(), c.Execs.Load(), c.Commands.Load(), c.Reads.Load(), c.Writes.Load(),
		c.Forwards.Load(), c.BytesUp.Load(), c.BytesDown.Load(), h.machine.Files().Changes()}
}

// CountAll adds up all hosts.
func (f *Fleet) CountAll() Counts {
	var sum Counts
	for _, h := range f.hosts {
		sum.add(f.Count(h.Name))
	}
	return sum
}

// Problems lists what must never happen and did: commands that no host knows,
// and broken rules of k3s. It is empty after a good run.
func (f *Fleet) Problems() []string {
	out := f.world.Problems()
	for _, c := range f.world.Clusters() {
		if n := c.Learners(); n > 1 {
			out = append(out, fmt.Sprintf("%d servers wanted to be etcd learners at one time", n))
		}
	}
	return out
}

// Clusters counts the clusters that were begun and have saved their keys. More
// than one means that hosts of one inventory were torn apart.
func (f *Fleet) Clusters() int {
	n := 0
	for _, c := range f.world.Clusters() {
		if c.Bootstrapped() {
			n++
		}
	}
	return n
}

// Cluster shows the state of the cluster that a host belongs to.
type Cluster struct{ c *cluster.Cluster }

// Cluster gives the cluster whose k3s runs on a host; ok is false without one.
func (f *Fleet) Cluster(host string) (Cluster, bool) {
	c := f.byName[host].machine.Cluster()
	return Cluster{c}, c != nil
}

// Voters counts the members of etcd that vote.
func (c Cluster) Voters() int { return c.c.Members() }

// Nodes gives the node objects by name, as JSON has them.
func (c Cluster) Nodes() map[string]map[string]any {
	return c.objects(schema.GroupResource{Resource: "nodes"})
}

func (c Cluster) objects(gr schema.GroupResource) map[string]map[string]any {
	all, _ := c.c.API.Store.List(gr, "")
	out := map[string]map[string]any{}
	for _, o := range all {
		out[kubeapi.NameOf(o)] = o.Map
	}
	return out
}

// Put makes a file on a host, as if it had always been there.
func (f *Fleet) Put(host, path, content string) error {
	return f.byName[host].machine.Files().Put(path, []byte(content), 0o644)
}

// Tree lists everything on a host's disk, one line each: mode, owner, path and
// the hash of a file's content.
func (f *Fleet) Tree(host string) []string {
	var out []string
	for _, i := range f.byName[host].machine.Files().Tree("/") {
		out = append(out, fmt.Sprintf("%04o %s %s %s", i.Mode, i.Owner, i.Path, i.Sum))
	}
	return out
}

// Cut breaks all SSH connections of all hosts at once.
func (f *Fleet) Cut() {
	for _, h := range f.hosts {
		h.server.Cut()
	}
}
