package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// world is a random, valid set of lanes that checks itself while it runs.
type world struct {
	lanes   []engine.Lane
	width   int
	running atomic.Int64
	most    atomic.Int64
}

// newWorld draws lanes whose gates only ever point backwards in a random total
// order of all steps, so that there is no circle. About one step in fails does
// not end well; none if fails is zero.
func newWorld(rng *rand.Rand, fails int) *world {
	w := &world{width: 1 + rng.IntN(6)}
	for i := range 1 + rng.IntN(12) {
		l := engine.Lane{Name: fmt.Sprintf("h%d", i)}
		for j := range rng.IntN(7) {
			l.Steps = append(l.Steps, w.step(rng, fmt.Sprintf("s%d", j), fails))
		}
		l.Vital = fails > 0 && rng.IntN(20) == 0
		w.lanes = append(w.lanes, l)
	}
	w.connect(rng)
	return w
}

func (w *world) step(rng *rand.Rand, name string, fails int) engine.Step {
	took := time.Duration(rng.IntN(50)) * time.Millisecond
	kind := -1
	if fails > 0 && rng.IntN(fails) == 0 {
		kind = rng.IntN(3)
	}
	quiet := rng.IntN(2) == 0
	s := engine.Step{Name: name}
	if kind == 2 {
		s.Timeout, took = took+1, time.Hour
	}
	s.Run = func(ctx context.Context, r engine.Reporter) error {
		now := w.running.Add(1)
		defer w.running.Add(-1)
		for most := w.most.Load(); now > most && !w.most.CompareAndSwap(most, now); most = w.most.Load() {
		}
		if !quiet {
			r.Progress(1, 2, "B")
			r.Note("time to pass")
		}
		select {
		case <-time.After(took):
		case <-ctx.Done():
			return ctx.Err()
		}
		switch {
		case kind == 0:
			return errBoom
		case kind == 1:
			panic("boom")
		case quiet:
			return engine.ErrUnchanged
		}
		return nil
	}
	return s
}

// connect walks the lanes in a random interleaving and lets each step wait for
// up to three gates of steps passed before.
func (w *world) connect(rng *rand.Rand) {
	next := make([]int, len(w.lanes))
	var gates []string
	for {
		var open []int
		for i := range w.lanes {
			if next[i] < len(w.lanes[i].Steps) {
				open = append(open, i)
			}
		}
		if len(open) == 0 {
			return
		}
		i := open[rng.IntN(len(open))]
		s := &w.lanes[i].Steps[next[i]]
		for range rng.IntN(4) {
			if len(gates) > 0 {
				s.Needs = append(s.Needs, gates[rng.IntN(len(gates))])
			}
		}
		for g := range rng.IntN(3) {
			s.Opens = append(s.Opens, fmt.Sprintf("g-%d-%d-%d", i, next[i], g))
		}
		gates = append(gates, s.Opens...)
		next[i]++
	}
}

func TestRandomWorldsKeepTheRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		fails    int
		cancelAt time.Duration
	}{
		{"all well", 0, 0}, {"some fail", 8, 0}, {"cancelled", 0, 60 * time.Millisecond}, {"both", 15, 90 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(150) {
				w := newWorld(rand.New(rand.NewPCG(seed, 7)), c.fails)
				synctest.Test(t, func(t *testing.T) { playWorld(t, w, c.cancelAt) })
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

func playWorld(t *testing.T, w *world, cancelAt time.Duration) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if cancelAt > 0 {
		time.AfterFunc(cancelAt, cancel)
	}
	rec := &tape{t: t}
	rep := engine.Run(ctx, w.lanes, engine.Options{Parallel: w.width, Sink: rec.sink})
	if w.running.Load() != 0 {
		t.Error("Run came back while a step ran")
	}
	if w.most.Load() > int64(w.width) {
		t.Errorf("%d steps at once, the width is %d", w.most.Load(), w.width)
	}
	checkStream(t, w.lanes, rec.all())
	checkAgreement(t, rep, rec.all())
}

// checkStream checks the rules on the events alone.
func checkStream(t *testing.T, lanes []engine.Lane, events []engine.Event) {
	t.Helper()
	gates := make(map[string]engine.Kind)
	begun, ended := make(map[string]bool), make(map[string]bool)
	next := make(map[string]int) // the steps of each lane that have ended
	for _, e := range events {
		id := e.Host + "/" + e.Step
		switch e.Kind {
		case engine.KindStepStarted:
			if begun[id] || ended[id] {
				t.Errorf("%s began twice", id)
			}
			begun[id] = true
			for _, g := range find(lanes, e).Needs {
				if gates[g] != engine.KindGateOpened {
					t.Errorf("%s began although %s is not open", id, g)
				}
			}
		case engine.KindGateOpened, engine.KindGateFailed:
			if gates[e.Gate] != "" {
				t.Errorf("%s was decided twice", e.Gate)
			}
			gates[e.Gate] = e.Kind
		case engine.KindStepFinished:
			if ended[id] {
				t.Errorf("%s ended twice", id)
			}
			if next[e.Host]+1 != e.N || !e.Status.Final() {
				t.Errorf("%s ended as number %d after %d others: %s", id, e.N, next[e.Host], e.Status)
			}
			ended[id] = true
			next[e.Host]++
		default:
			if !begun[id] && e.Kind != engine.KindStepWaiting || ended[id] {
				t.Errorf("%s of %s outside its run", e.Kind, id)
			}
		}
	}
	for _, l := range lanes {
		if next[l.Name] != len(l.Steps) {
			t.Errorf("%s: %d of %d steps ended", l.Name, next[l.Name], len(l.Steps))
		}
	}
}

func find(lanes []engine.Lane, e engine.Event) engine.Step {
	for _, l := range lanes {
		if l.Name == e.Host {
			return l.Steps[e.N-1]
		}
	}
	return engine.Step{}
}

// checkAgreement checks that report, events and their fold tell one story.
func checkAgreement(t *testing.T, rep engine.Report, events []engine.Event) {
	t.Helper()
	var s engine.State
	for _, e := range events {
		s.Apply(e)
	}
	failed := false
	for _, l := range rep.Lanes {
		if len(l.Steps) == 0 {
			continue
		}
		h := s.Host(l.Name)
		if h == nil || h.Status() != l.Status || len(h.Steps) != len(l.Steps) {
			t.Fatalf("%s: report says %s, fold says %+v", l.Name, l.Status, h)
		}
		for i, step := range l.Steps {
			if h.Steps[i].Status != step.Status || h.Steps[i].Name != step.Name {
				t.Errorf("%s/%s: report says %s, fold says %s", l.Name, step.Name, step.Status, h.Steps[i].Status)
			}
			failed = failed || step.Status == engine.StatusFailed
		}
	}
	var step *engine.StepError
	if failed != errors.As(rep.Err(), &step) {
		t.Errorf("failed is %t, error is %v", failed, rep.Err())
	}
}
