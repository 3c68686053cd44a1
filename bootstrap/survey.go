package bootstrap

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

const (
	connectTimeout = 60 * time.Second // the dial itself has its own, shorter deadline
	probeTimeout   = 60 * time.Second
	readTimeout    = 20 * time.Second
)

// Survey is what was found: every host's facts, and the cluster if there is
// one. It holds the open connections.
type Survey struct {
	Hosts   []*Seen // inventory order
	Cluster ClusterState
	// Kube is the API of the running cluster, nil without one, and APIHost the
	// server it is reached through.
	Kube    Kube
	APIHost string
	Report  engine.Report

	mu sync.Mutex // guards Cluster and Kube while lanes run
}

// Survey connects to the hosts and reads them: one connection and one command
// a host, and one more on the first running server, whose API tells the rest.
// Hosts that fail are in the result; the others' results stand.
func (g *Gpuboot) Survey(ctx context.Context, hosts []inventory.Host) *Survey {
	s := &Survey{}
	var lanes []engine.Lane
	for _, h := range hosts {
		seen := &Seen{Host: h}
		s.Hosts = append(s.Hosts, seen)
		lanes = append(lanes, engine.Lane{Name: h.Name, Steps: g.surveySteps(s, seen)})
	}
	s.Report = engine.Run(ctx, lanes, g.engineOptions(PhaseLook))
	return s
}

func (g *Gpuboot) surveySteps(s *Survey, seen *Seen) []engine.Step {
	steps := []engine.Step{
		{Name: StageConnect, Timeout: connectTimeout, ReadOnly: true, Run: func(ctx context.Context, _ engine.Reporter) error {
			seen.Conn, seen.Err = g.Dial(ctx, seen.Host)
			return seen.Err
		}},
		{Name: StageProbe, Timeout: probeTimeout, ReadOnly: true, Run: func(ctx context.Context, _ engine.Reporter) error {
			seen.Facts, seen.Err = facts.Collect(ctx, seen.Conn, g.Now)
			if seen.Err == nil {
				seen.Facts.Raw = nil // nobody here reads the text again, and it is most of a host's memory
			}
			return seen.Err
		}},
	}
	if seen.Host.Role.IsServer() || g.Existing != nil {
		steps = append(steps, engine.Step{Name: StageCluster, Timeout: readTimeout, ReadOnly: true, Run: func(ctx context.Context, _ engine.Reporter) error {
			return g.readCluster(ctx, s, seen)
		}})
	}
	return steps
}

// readCluster asks the API through the first running server that answers. A
// silent API is an answer too: the plan has to know it, so it is no failure of
// the host.
func (g *Gpuboot) readCluster(ctx context.Context, s *Survey, seen *Seen) error {
	running := seen.Facts.K3s.Role == roleServer && seen.Facts.K3s.Unit.Active == "active"
	if g.Existing == nil && !running {
		return engine.ErrUnchanged
	}
	s.mu.Lock() // one server at a time: the others only matter if this one is silent
	defer s.mu.Unlock()
	if s.Cluster.Answered {
		return engine.ErrUnchanged
	}
	kube, nodes, err := g.openKube(ctx, seen.Conn)
	if err != nil {
		s.Cluster.Err = fmt.Errorf("asking the API from %s: %w", seen.Host.Name, err)
		return nil
	}
	s.Kube, s.APIHost, s.Cluster = kube, seen.Host.Name, ClusterState{Answered: true, Nodes: nodes}
	return nil
}

// openKube reads the kubeconfig of a server and lists the nodes through it.
func (g *Gpuboot) openKube(ctx context.Context, c Conn) (Kube, []Node, error) {
	config, err := g.kubeconfig(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	kube, err := g.Kube(config, c.DialContext)
	if err != nil {
		return nil, nil, err
	}
	nodes, err := kube.Nodes(ctx)
	return kube, nodes, err
}

// kubeconfig is the admin's: the given one of an existing cluster, else the one
// on the server itself.
func (g *Gpuboot) kubeconfig(ctx context.Context, c Conn) ([]byte, error) {
	if g.Existing != nil {
		return g.Existing.Kubeconfig, nil
	}
	return c.ReadFile(ctx, kubeconfigPath)
}

// Close ends all connections.
func (s *Survey) Close() {
	for _, h := range s.Hosts {
		if h.Conn != nil {
			h.Conn.Close()
		}
	}
}

// Facts are those of the hosts that answered.
func (s *Survey) Facts() map[string]*facts.Facts {
	out := map[string]*facts.Facts{}
	for _, h := range s.Hosts {
		if h.Err == nil && h.Facts != nil {
			out[h.Host.Name] = h.Facts
		}
	}
	return out
}

// Missing are the hosts that did not answer, with the reason.
func (s *Survey) Missing() map[string]error {
	out := map[string]error{}
	for _, h := range s.Hosts {
		if h.Err != nil {
			out[h.Host.Name] = h.Err
		}
	}
	return out
}

// Host finds a host of the survey.
func (s *Survey) Host(name string) *Seen {
	i := slices.IndexFunc(s.Hosts, func(h *Seen) bool { return h.Host.Name == name })
	if i < 0 {
		return nil
	}
	return s.Hosts[i]
}
