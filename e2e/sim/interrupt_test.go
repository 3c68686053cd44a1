package sim_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/sim"
)

// counter counts what passes it, and acts at the n-th.
type counter struct {
	n   atomic.Int64
	at  int64 // 0 is never
	act atomic.Pointer[func(what string)]
}

func (c *counter) pass(what string) {
	if n := c.n.Add(1); n == c.at {
		if act := c.act.Load(); act != nil {
			(*act)(what)
		}
	}
}

// interrupted runs `up` on a new fleet and breaks it off at the n-th thing that
// passes; then `up` again has to finish, to have one cluster, and to find
// nothing more to do. It gives how many things passed in all, for n = 0.
func interrupted(t *testing.T, hosts []sim.Host, n int64, kill bool) int64 {
	c := &counter{at: n}
	opt := sim.Options{Hosts: hosts}
	if kill {
		opt.Watch = func(o sim.Op) {
			if o.Done || o.Kind == "connect" {
				c.pass(o.String())
			}
		}
	}
	r := newRig(t, opt)
	ctx, cancel := context.WithCancel(r.context())
	defer cancel()
	act := func(what string) {
		t.Logf("broken off at %s", what)
		cancel()
		if kill {
			r.fleet.Cut()
		}
	}
	c.act.Store(&act)
	if !kill {
		r.listen(func(e engine.Event) {
			if e.Kind == engine.KindStepStarted || e.Kind == engine.KindStepFinished {
				c.pass(fmt.Sprintf("%s: %s %s", e.Host, e.Step, e.Kind))
			}
		})
	}
	_, err := r.boot.Up(ctx, r.request())
	if n > 0 && c.n.Load() >= n && err == nil {
		t.Log("the run ended well all the same")
	}
	passed := c.n.Load()
	c.act.Store(nil)
	r.listen(nil)
	r.boot = newGpuboot(r.dir, r.hear) // another process, perhaps on another machine
	r.mustUp()
	r.unchanged()
	if n := r.fleet.Clusters(); n != 1 {
		t.Errorf("%d clusters", n)
	}
	if got := len(r.nodes(hosts[0].Name)); got != len(hosts) {
		t.Errorf("%d nodes, want %d", got, len(hosts))
	}
	return passed
}

// Whatever the moment at which gpuboot is killed or the laptop's line breaks,
// the next run finishes. The moments are after the effect of every operation on
// a host, before gpuboot hears of it.
func TestKilledAtAnyOperation(t *testing.T) {
	t.Parallel()
	everyMoment(t, sim.GPUHosts(2, 1), true, 1)
}

// Ctrl-C at the boundary of a step.
func TestInterruptedAtAnyStep(t *testing.T) {
	t.Parallel()
	everyMoment(t, sim.GPUHosts(3, 1), false, 3)
}

// The same with a control plane of three, where order matters.
func TestThreeServersKilledAtAnyOperation(t *testing.T) {
	t.Parallel()
	everyMoment(t, sim.GPUHosts(3, 3), true, 5)
}

// everyMoment breaks off at one moment in so many; at each one with
// GPUBOOT_SIM_EVERY=1 in the environment.
func everyMoment(t *testing.T, hosts []sim.Host, kill bool, every int64) {
	switch {
	case os.Getenv("GPUBOOT_SIM_EVERY") != "":
		every = 1
	case testing.Short():
		every = 9
	}
	total := interrupted(t, hosts, 0, kill)
	for n := int64(1); n <= total; n += every {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			interrupted(t, hosts, n, kill)
		})
	}
}
