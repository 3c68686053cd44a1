package app

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/sim"
	"github.com/gpuboot/gpuboot/inventory"
	"github.com/gpuboot/gpuboot/tui"
)

// A look, and another at one host alone, tell what was seen and write nothing;
// the plan needs no file.
func TestLookAndPlanWriteNothing(t *testing.T) {
	t.Parallel()
	fleet, err := sim.New(sim.Options{Hosts: sim.GPUHosts(3, 1), Seed: 1, Speed: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fleet.Close)
	dir := t.TempDir()
	files, err := fleet.WriteFiles(sim.Setup{Dir: dir, Name: "look", Size: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	text, err := os.ReadFile(files.Inventory)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Parse(files.Inventory, text)
	if err != nil {
		t.Fatal(err)
	}
	env := &Env{Getenv: func(string) string { return "" }, Now: time.Now}
	b := newWizardBackend(&global{env: env})

	var all []string
	for _, h := range inv.Hosts {
		all = append(all, h.Name)
	}
	for _, only := range [][]string{all, all[2:]} {
		var events record
		seen, err := b.Look(t.Context(), tui.LookRequest{File: files.Inventory, Inventory: text, Only: only, Sink: events.take})
		if err != nil || len(seen) != len(only) {
			t.Fatalf("looking at %q: %+v, %v", only, seen, err)
		}
		last := seen[len(seen)-1]
		if last.Host != "gpu-3" || last.GPUs != "4x L40S" || last.GPUCount != 4 {
			t.Errorf("seen: %+v", last)
		}
		if got := events.hosts(engine.KindHostFacts); !slices.Equal(got, only) {
			t.Errorf("facts of %q, want %q", got, only)
		}
	}
	var events record
	if err := b.Plan(t.Context(), files.Inventory, text, events.take); err != nil {
		t.Errorf("plan: %v", err)
	}
	if got := events.hosts(engine.KindPlanChange); !slices.Equal(got, all) {
		t.Errorf("changes on %q, want %q", got, all)
	}
	if after := names(t, dir); !slices.Equal(before, after) {
		t.Errorf("files: %q, before %q", after, before)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// record keeps events.
type record struct {
	mu   sync.Mutex
	list []engine.Event
}

func (r *record) take(e engine.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, e)
}

// hosts that events of a kind were about, sorted, each once.
func (r *record) hosts(kind engine.Kind) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, e := range r.list {
		if e.Kind == kind {
			out = append(out, e.Host)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
