package tui

import (
	"fmt"
	"slices"

	"github.com/gpuboot/gpuboot/inventory"
)

// IDs of the choices that the wizard makes itself.
const (
	choiceServers = "servers"
	choiceWork    = "work"
)

// hostSet is the hosts that go into the inventory, with what was seen of them.
type hostSet struct {
	hosts []inventory.Host
	seen  map[string]Seen
}

// names gives the hosts' names in their order.
func (f hostSet) names() []string {
	out := make([]string, len(f.hosts))
	for i, h := range f.hosts {
		out[i] = h.Name
	}
	return out
}

func (f hostSet) gpus() (total int) {
	for _, h := range f.hosts {
		total += f.seen[h.Name].GPUCount
	}
	return total
}

// serverChoice offers the sizes of a control plane. Even ones are listed to say
// why they are not offered.
func (f hostSet) serverChoice() Choice {
	c := Choice{
		ID: choiceServers, Title: "servers of the control plane",
		Why: "Servers keep the cluster's state in etcd, which needs more than half of them alive: of 3 one may fail, of 5 two.",
	}
	for n := 1; n <= 5; n++ {
		o := Option{Value: fmt.Sprint(n), Label: plural(n, "server")}
		switch {
		case n%2 == 0:
			o.Impossible = true
			o.Why = fmt.Sprintf("an even number: %d servers survive no more failures than %d, and one more machine can break", n, n-1)
		case n > len(f.hosts):
			o.Impossible = true
			o.Why = fmt.Sprintf("there are only %s", plural(len(f.hosts), "host"))
		case n == 1:
			o.Why = "the simplest; while it is down, nothing new starts, and running work goes on"
		default:
			o.Why = fmt.Sprintf("survives the loss of %s", plural((n-1)/2, "server"))
		}
		c.Options = append(c.Options, o)
	}
	return c
}

// workChoice offers whether servers also run work.
func (f hostSet) workChoice(servers []string) Choice {
	yes := Option{Value: "yes", Label: "servers also run work", Why: "no machine is kept for the control plane alone"}
	no := Option{Value: "no", Label: "servers run the control plane only", Why: "work that takes all memory or disk cannot bring the cluster down"}
	withGPUs := slices.ContainsFunc(servers, func(s string) bool { return f.seen[s].GPUCount > 0 })
	c := Choice{ID: choiceWork, Title: "work on servers", Why: "A server that runs work shares its memory and disks with etcd."}
	switch {
	case len(servers) == len(f.hosts):
		no.Impossible, no.Why = true, "no host would be left for work"
		c.Options = []Option{yes, no}
	case withGPUs:
		yes.Why = "a server here has GPUs, which would be idle otherwise"
		c.Options = []Option{yes, no}
	default:
		c.Options = []Option{no, yes}
	}
	return c
}

// servers gives the hosts of the control plane: those the person chose, else
// hosts without GPUs first, in their order.
func (f hostSet) servers(d draft) []string {
	names := f.names()
	chosen := slices.DeleteFunc(slices.Clone(d.Servers), func(s string) bool { return !slices.Contains(names, s) })
	if len(chosen) > 0 {
		return chosen
	}
	slices.SortStableFunc(names, func(a, b string) int { return min(f.seen[a].GPUCount, 1) - min(f.seen[b].GPUCount, 1) })
	return names[:min(max(d.ServerCount, 1), len(names))]
}

// role gives a host its role.
func role(host string, servers []string, work bool) inventory.Role {
	switch {
	case !slices.Contains(servers, host):
		return inventory.RoleWorker
	case work:
		return inventory.RoleBoth
	}
	return inventory.RoleServer
}

// picked gives the option of a choice that is taken: the person's where it is
// still possible, else the first possible one.
func picked(c Choice, chosen map[string]string) (Option, bool) {
	value, ok := chosen[c.ID]
	for _, o := range c.Options {
		if ok && o.Value == value && !o.Impossible {
			return o, true
		}
	}
	for _, o := range c.Options {
		if !o.Impossible {
			return o, true
		}
	}
	return Option{}, false
}

// plainSSH is what to say where a cluster may be more than is needed.
func (f hostSet) plainSSH() string {
	if len(f.hosts) != 1 || f.gpus() > 1 {
		return ""
	}
	return "One host and " + gpuWords(f.gpus()) + ": for one job at a time, plain SSH may be all you need. " +
		"A cluster pays off with several people, a queue of jobs, or more machines to come."
}

func gpuWords(n int) string {
	if n == 0 {
		return "no GPU"
	}
	return "one GPU"
}
