package engine_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update and read the difference)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// tape records events and fails the test if two calls overlap.
type tape struct {
	t      testing.TB
	busy   sync.Mutex
	mu     sync.Mutex
	events []engine.Event
}

func (p *tape) sink(e engine.Event) {
	if !p.busy.TryLock() {
		p.t.Error("two calls of the sink at once")
		return
	}
	defer p.busy.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, e)
}

func (p *tape) all() []engine.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]engine.Event(nil), p.events...)
}

// lines gives the recorded events of the given kinds, all if none is given, in
// a short form.
func (p *tape) lines(kinds ...engine.Kind) string {
	var b strings.Builder
	for _, e := range p.all() {
		if len(kinds) == 0 || slices.Contains(kinds, e.Kind) {
			b.WriteString(brief(e) + "\n")
		}
	}
	return b.String()
}

func brief(e engine.Event) string {
	parts := []string{string(e.Kind)}
	if e.Host != "" {
		parts = append(parts, e.Host+"/"+e.Step)
	}
	if e.Status != "" {
		parts = append(parts, string(e.Status))
	}
	if e.Gate != "" {
		parts = append(parts, "gate="+e.Gate)
	}
	if e.By != nil {
		parts = append(parts, fmt.Sprintf("by=%s/%s", e.By.Host, e.By.Step))
	}
	if e.Error != nil {
		parts = append(parts, fmt.Sprintf("%q", e.Error.Cause))
	}
	return strings.Join(parts, " ")
}

type runFunc = func(context.Context, engine.Reporter) error

func ok(context.Context, engine.Reporter) error { return nil }

func fails(err error) runFunc {
	return func(context.Context, engine.Reporter) error { return err }
}

// untilCancelled waits for the end of its context and returns the reason.
func untilCancelled(ctx context.Context, _ engine.Reporter) error {
	<-ctx.Done()
	return ctx.Err()
}

func step(name string, run runFunc) engine.Step { return engine.Step{Name: name, Run: run} }

func needs(s engine.Step, gates ...string) engine.Step { s.Needs = gates; return s }

func opens(s engine.Step, gates ...string) engine.Step { s.Opens = gates; return s }

func lane(name string, steps ...engine.Step) engine.Lane {
	return engine.Lane{Name: name, Steps: steps}
}

func vital(l engine.Lane, until string) engine.Lane {
	l.Vital, l.VitalUntil = true, until
	return l
}
