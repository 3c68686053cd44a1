package sim_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/sim"
)

// The address of each fresh host is proved by the others, and the plan says so.
// That costs one command a host.
func TestAddressesAreProvedBeforeThePlan(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	out, err := r.boot.Plan(r.context(), r.request())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range out.Plan.Hosts {
		if !slices.ContainsFunc(h.Changes, hasReason("reached by all 2 other hosts, MTU 1500")) {
			t.Errorf("%s: no proof in %+v", h.Host.Name, h.Changes)
		}
		if c := r.fleet.Count(h.Host.Name); c.Connections != 1 || c.Commands != 2 || c.Writes > 0 {
			t.Errorf("%s: %+v, want one connection, two commands, no write", h.Host.Name, c)
		}
	}
}

// A host that reaches nobody is found before anything is written, and named as
// the cause.
func TestAnIsolatedHostIsFoundBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1), Faults: []sim.Fault{{Host: "gpu-2", Kind: sim.Isolated}}})
	_, err := r.up()
	var blocked bootstrap.Blocked
	if !errors.As(err, &blocked) || len(blocked) != 1 || blocked[0].Host != "gpu-2" || blocked[0].ID != "address-unreached" {
		t.Errorf("error %v, want gpu-2 alone", err)
	}
	if c := r.fleet.CountAll(); c.Writes > 0 {
		t.Errorf("%d writes", c.Writes)
	}
	r.heal("gpu-2")
}

// A host that loses the others after the test fails where it joins.
func TestAHostThatBecomesIsolatedFailsToJoin(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	req := r.request()
	req.Confirm = func(*bootstrap.Outcome) error {
		r.fleet.Inject(sim.Fault{Host: "gpu-2", Kind: sim.Isolated})
		return nil
	}
	out, err := r.boot.Up(r.context(), req)
	if got := stepErrors(err); !slices.Equal(got, []string{"gpu-2: " + bootstrap.StageJoin}) || !strings.Contains(said(err), "10.77.0.1:6443") {
		t.Errorf("failed steps %q (error %v)", got, err)
	}
	r.converged(out, "gpu-1", "gpu-3")
	r.heal("gpu-2")
}

func hasReason(text string) func(engine.Change) bool {
	return func(c engine.Change) bool { return strings.Contains(c.Reason, text) }
}
