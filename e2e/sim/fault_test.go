package sim_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/e2e/sim"
)

// stepErrors lists the failed steps in an error, "host: step".
func stepErrors(err error) []string {
	var out []string
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) { //nolint:errorlint // the walk does the unwrapping
		case *engine.StepError:
			out = append(out, e.Host+": "+e.Step)
		case interface{ Unwrap() []error }:
			for _, e := range e.Unwrap() {
				walk(e)
			}
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		}
	}
	walk(err)
	return out
}

// A host that cannot be logged in to is missing, by its name and with the class
// of the reason, and the others are finished.
func TestHostsThatDoNotLetUsIn(t *testing.T) {
	t.Parallel()
	for kind, class := range map[sim.FaultKind]error{
		sim.Down: remote.ErrRefused, sim.RefuseKey: remote.ErrAuth, sim.HangAfterBanner: remote.ErrTimeout,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1), Faults: []sim.Fault{{Host: "gpu-2", Kind: kind}}})
			out, err := r.up()
			var missing *bootstrap.MissingError
			if !errors.As(err, &missing) || missing.Host != "gpu-2" || !errors.Is(err, class) || len(stepErrors(err)) > 0 {
				t.Errorf("error %v, want gpu-2 missing for %v", err, class)
			}
			r.converged(out, "gpu-1", "gpu-3")
			r.heal("gpu-2")
		})
	}
}

// converged checks that hosts' nodes are there and Ready.
func (r *rig) converged(out *bootstrap.Outcome, hosts ...string) {
	r.t.Helper()
	nodes := r.nodes(hosts[0])
	for _, h := range hosts {
		if !ready(nodes[h]) {
			r.t.Errorf("%s has nothing wrong with it and is not finished: %v", h, out.Applied.Err())
		}
	}
}

// heal takes a host's faults away; then a run finishes it, and one more has
// nothing to do.
func (r *rig) heal(host string) {
	r.t.Helper()
	if err := r.fleet.Heal(host); err != nil {
		r.t.Fatal(err)
	}
	r.mustUp()
	r.unchanged()
}

// A host that breaks during the run fails in the step that it breaks in, with
// what the host said, and the others are finished.
func TestHostsThatBreakOnTheWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  sim.Fault
		step   string
		output string // part of the error's text or output
		class  error
	}{
		"disk full":      {sim.Fault{Kind: sim.DiskFull, Bytes: 32 << 10}, bootstrap.StageInstall, "No space left on device", nil},
		"crash loop":     {sim.Fault{Kind: sim.CrashLoop, Text: `level=fatal msg="Error: flag provided but not defined: -nonsense"`}, bootstrap.StageJoin, "flag provided but not defined", nil},
		"cut in install": {sim.Fault{Kind: sim.CutLink, Text: "write /etc/rancher/k3s/config.yaml"}, bootstrap.StageInstall, "", remote.ErrClosed},
		"cut in join":    {sim.Fault{Kind: sim.CutLink, Text: "restart --no-block"}, bootstrap.StageJoin, "", remote.ErrClosed},
		"cut in look":    {sim.Fault{Kind: sim.CutLink, Text: "write /var/lib/gpuboot/journal.json", Times: 1}, bootstrap.StageInstall, "", remote.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.fault.Host = "gpu-2"
			r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1), Faults: []sim.Fault{c.fault}})
			out, err := r.up()
			if got := stepErrors(err); !slices.Equal(got, []string{"gpu-2: " + c.step}) {
				t.Errorf("failed steps %q, want gpu-2: %s (error %v)", got, c.step, err)
			}
			if c.class != nil && !errors.Is(err, c.class) {
				t.Errorf("error %v, want %v", err, c.class)
			}
			if text := said(err); !strings.Contains(text, c.output) {
				t.Errorf("error and output %q, want %q in it", text, c.output)
			}
			r.converged(out, "gpu-1", "gpu-3")
			r.heal("gpu-2")
		})
	}
}

// said is an error's text with the output that it carries.
func said(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	var tail engine.Outputter
	if errors.As(err, &tail) {
		text += "\n" + tail.Output()
	}
	return text
}

// A worker that never becomes Ready holds up only itself: the others finish
// while it waits, and when the wait ends the error has the end of k3s's log.
func TestAWorkerThatNeverBecomesReady(t *testing.T) {
	t.Parallel()
	why := "failed to initialise the simulated network"
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1), Faults: []sim.Fault{{Host: "gpu-2", Kind: sim.NeverReady, Text: why}}})
	ctx, cancel := context.WithCancel(r.context())
	defer cancel()
	rest := map[string]bool{"gpu-1": true, "gpu-3": true}
	r.listen(func(e engine.Event) {
		if e.Kind == engine.KindStepFinished && e.Step == bootstrap.StageCheck && e.Status == engine.StatusUnchanged {
			delete(rest, e.Host)
		}
		if len(rest) == 0 && e.Host == "gpu-2" && strings.Contains(e.Message, why) {
			cancel() // as its own deadline would after ten minutes
		}
		if len(rest) == 0 {
			time.AfterFunc(300*time.Millisecond, cancel)
		}
	})
	out, err := r.boot.Up(ctx, r.request())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	r.converged(out, "gpu-1", "gpu-3")
	r.listen(nil)
	r.heal("gpu-2")
}

// sshd that allows no forwarding is worked around, not a fault.
func TestHostsWithoutForwarding(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(2, 1), Faults: []sim.Fault{{Host: "gpu-1", Kind: sim.NoForwarding}, {Host: "gpu-2", Kind: sim.NoForwarding}}})
	r.mustUp()
	r.unchanged()
}

func TestASlowHostArrivesLate(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1), Latency: 5 * time.Millisecond, Faults: []sim.Fault{{Host: "gpu-2", Kind: sim.Slow, Factor: 10}}})
	r.mustUp()
	r.unchanged()
}

// k3s that died in its very first start on the founder leaves a datastore that
// it never reads again; gpuboot recognises it and begins anew.
func TestAFirstStartThatDied(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(2, 1), Faults: []sim.Fault{{Host: "gpu-1", Kind: sim.FirstStartDies}}})
	r.mustUp()
	if n := r.fleet.Clusters(); n != 1 {
		t.Errorf("%d clusters", n)
	}
	r.unchanged()
}

// Losing the founder before there is a cluster stops the run: there is nothing
// to join.
func TestAFounderThatCrashesStopsTheRun(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1), Faults: []sim.Fault{{Host: "gpu-1", Kind: sim.CrashLoop,
		Text: `level=fatal msg="failed to find memory cgroup (v2)"`}}})
	_, err := r.up()
	if got := stepErrors(err); len(got) == 0 || got[0] != "gpu-1: "+bootstrap.StageStart {
		t.Errorf("failed steps %q (%v)", got, err)
	}
	if !strings.Contains(said(err), "no memory cgroup") {
		t.Errorf("the error does not name the cause: %v", err)
	}
	r.heal("gpu-1")
}

func TestFaultsAreTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	hosts := sim.GPUHosts(64, 3)
	a, b := sim.RandomFaults(hosts, 1), sim.RandomFaults(hosts, 1)
	if len(a) != 8 || !slices.Equal(a, b) {
		t.Errorf("%d faults: %v and %v", len(a), a, b)
	}
	for _, f := range a {
		if f.Host == "gpu-1" || f.Host == "gpu-2" || f.Host == "gpu-3" {
			t.Errorf("a server is broken: %v", f)
		}
	}
}

func TestAFullDiskIsFoundBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	hosts := sim.GPUHosts(2, 1)
	hosts[1].DiskGB, hosts[1].UsedGB = 100, 99
	r := newRig(t, sim.Options{Hosts: hosts})
	_, err := r.up()
	var blocked bootstrap.Blocked
	if !errors.As(err, &blocked) || blocked[0].Host != "gpu-2" || blocked[0].ID != "disk-space" {
		t.Errorf("error %v", err)
	}
	if c := r.fleet.CountAll(); c.Writes != 0 {
		t.Errorf("%d files were written", c.Writes)
	}
}
