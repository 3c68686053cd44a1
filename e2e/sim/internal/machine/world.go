// Package machine is a simulated GPU host: files, systemd, k3s's life, and the
// commands that gpuboot runs. It models what gpuboot sees and depends on, with
// the times and words of real k3s where those are known (k3s 1.34 to 1.36 as
// observed on systemd hosts); nothing runs for real.
package machine

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/cluster"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/workload"
)

// World is what the hosts of one fleet share: their network, their clusters,
// and time.
type World struct {
	// Speed is how many times faster than in reality k3s lives.
	Speed float64
	Now   func() time.Time

	mu       sync.Mutex
	machines map[netip.Addr]*Machine
	ssh      map[string]bool // addresses of the fleet's SSH servers
	clusters []*cluster.Cluster
	problems []string
	sick     map[string]string // workload: why its pods are not ready
	work     sync.WaitGroup
	stop     context.CancelFunc
	ctx      context.Context //nolint:containedctx // the life of the world, which no caller's call spans
}

// NewWorld makes an empty world.
func NewWorld(speed float64, now func() time.Time) *World {
	w := &World{Speed: speed, Now: now, machines: map[netip.Addr]*Machine{}, ssh: map[string]bool{}, sick: map[string]string{}}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Close ends everything that lives in the world.
func (w *World) Close() {
	w.stop()
	w.work.Wait()
}

// Problem notes something that must not happen: a command that no host knows,
// or a rule of k3s that was broken.
func (w *World) Problem(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems = append(w.problems, fmt.Sprintf(format, args...))
}

// Problems lists what was noted.
func (w *World) Problems() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.problems)
}

// Clusters lists the clusters that were ever begun.
func (w *World) Clusters() []*cluster.Cluster {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.clusters)
}

// AllowSSH lets hosts connect to the SSH server of another, as jump hosts do.
func (w *World) AllowSSH(addr string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ssh[addr] = true
}

func (w *World) knowsSSH(addr string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ssh[addr]
}

// begin adds a cluster.
func (w *World) begin(f cluster.Founding) (*cluster.Cluster, error) {
	c, err := cluster.New(f)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clusters = append(w.clusters, c)
	w.work.Go(func() { c.Follow(w.ctx) })
	pods := &workload.Controller{API: c.API, Wait: w.wait, Broken: w.broken, GPUs: w.gpus}
	w.work.Go(func() { pods.Run(w.ctx) })
	return c, nil
}

// Break keeps the pods of a workload ("namespace/name") from becoming ready,
// with a reason; an empty one ends that.
func (w *World) Break(workload, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sick[workload] = why
}

func (w *World) broken(namespace, name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sick[namespace+"/"+name]
}

// gpus is how many GPUs a node's host has.
func (w *World) gpus(node string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.machines {
		if m.Name == node {
			return m.GPUs
		}
	}
	return 0
}

// cluster finds a cluster by its id.
func (w *World) cluster(id string) *cluster.Cluster {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.clusters, func(c *cluster.Cluster) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return w.clusters[i]
}

// at finds the host that holds an address of the simulated network.
func (w *World) at(host string) *Machine {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.machines[ip]
}

// serving finds the host that serves the API at the host and port of a join
// URL; nil when nobody does.
func (w *World) serving(addr string) *Machine {
	host, port, err := net.SplitHostPort(addr)
	m := w.at(host)
	if err != nil || m == nil || port != "6443" || m.api() == nil {
		return nil
	}
	return m
}

// then is when something that happened at a real time lies in the past as k3s
// knows it: where it lives faster, its past is longer. Whole seconds, as in
// journalctl --since, would else hold many of its lives.
func (w *World) then(at, now time.Time) time.Time {
	if age := now.Sub(at); age > 0 {
		return now.Add(-time.Duration(float64(age) * w.Speed))
	}
	return at
}

// wait lets simulated time pass; it is false when ctx ends first.
func (w *World) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(time.Duration(float64(d) / w.Speed))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
