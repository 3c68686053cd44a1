package sim

import (
	"fmt"
	"time"

	"github.com/gpuboot/gpuboot/inventory"
)

// Options describe a fleet. The zero value of every field but Hosts works.
type Options struct {
	Hosts []Host
	// Latency is the round trip to each host, as ping shows it; Jitter is how
	// much later a packet may come, each way.
	Latency, Jitter time.Duration
	// Bandwidth of each host's line, in bytes per second and direction; 0 is no
	// limit.
	Bandwidth int64
	Faults    []Fault
	// Seed makes the hosts' keys and names and the jitter repeatable.
	Seed uint64
	// Speed is how many times faster than in reality k3s starts; 0 means once.
	// A first server takes 17 s in reality, an agent 12 s.
	Speed float64
	// User is the login of all hosts. Empty means root; any other has sudo
	// without a password.
	User string
	// Watch hears of every operation on a host, before and after its effect. It
	// may cut links; it must not wait for the fleet.
	Watch func(Op)
	// Now is the hosts' clock. Nil means the real one.
	Now func() time.Time
}

// Host is one host of a fleet.
type Host struct {
	Name string
	Role inventory.Role
	Pool string // empty means the role
	// GPU is H100, L40S, T4, or empty for none.
	GPU    string
	GPUs   int
	RDMA   int               // InfiniBand ports
	Labels map[string]string // for the inventory
	DiskGB int64             // 0 means 1000
	UsedGB int64             // of it
}

// Op is something that was done to a host over SSH.
type Op struct {
	Host string
	Kind string // connect, command, read, write, forward
	// What is the path, the address, or the words of the command without its
	// scripts.
	What string
	// Done says that the effect is there and the answer is not yet sent.
	Done bool
}

// String is one line for messages.
func (o Op) String() string { return fmt.Sprintf("%s: %s %s", o.Host, o.Kind, o.What) }

// GPUHosts makes n hosts, the first servers of which run the control plane too.
// The others are workers, most with eight H100 and InfiniBand, some with L40S or
// T4.
func GPUHosts(n, servers int) []Host {
	hosts := make([]Host, 0, n)
	for i := range n {
		h := Host{Name: fmt.Sprintf("gpu-%d", i+1), Role: inventory.RoleWorker, Pool: "h100", GPU: "H100", GPUs: 8, RDMA: 8}
		switch {
		case i < servers:
			h.Role, h.Pool = inventory.RoleBoth, "control"
		case i%3 == 2:
			h.Pool, h.GPU, h.GPUs, h.RDMA = "l40s", "L40S", 4, 0
		case i%11 == 10:
			h.Pool, h.GPU, h.GPUs, h.RDMA = "t4", "T4", 1, 0
		}
		hosts = append(hosts, h)
	}
	return hosts
}
