package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/inventory"
)

// fakeBackend stands for the outside in the wizard's tests: no host, no file and
// no plan of it is real. It holds the wizard to the contract: what it is given must
// be an inventory.
type fakeBackend struct {
	hosts map[string]fakeHost // by name; others answer with one GPU
	plan  error

	mu    sync.Mutex
	files map[string]string
	looks [][]string // the hosts of each look
	plans []string   // the inventories planned
	told  []string   // secrets and keys that the person gave
}

// fakeHost is how a host of the fake behaves.
type fakeHost struct {
	seen     Seen
	facts    map[string]string
	findings []engine.Event
	fails    []error // of the first looks, one each; then it answers
	key      *HostKey
	secret   string // the question for it
	hang     bool   // until the context ends
}

func newFake() *fakeBackend {
	return &fakeBackend{hosts: map[string]fakeHost{}, files: map[string]string{}}
}

func (b *fakeBackend) Open(_ context.Context, path string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, ok := b.files[path]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", path, fs.ErrNotExist)
	}
	return []byte(text), nil
}

func (b *fakeBackend) Look(ctx context.Context, r LookRequest) ([]Seen, error) {
	inv, err := inventory.Parse(r.File, r.Inventory)
	if err != nil {
		return nil, fmt.Errorf("the wizard gave no inventory: %w", err)
	}
	b.mu.Lock()
	b.looks = append(b.looks, slices.Clone(r.Only))
	b.mu.Unlock()
	at := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	r.Sink(engine.Event{Time: at, Kind: engine.KindPhaseStarted, Message: "look", Lanes: r.Only})
	var out []Seen
	for _, name := range r.Only {
		if _, ok := inv.Host(name); !ok {
			return out, fmt.Errorf("host %s is not in the inventory", name)
		}
		seen, ok := b.lookAt(ctx, r, name, at)
		if ok {
			out = append(out, seen)
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
	}
	return out, nil
}

func (b *fakeBackend) lookAt(ctx context.Context, r LookRequest, name string, at time.Time) (Seen, bool) {
	h, ok := b.hosts[name]
	if !ok {
		h = fakeHost{seen: Seen{GPUs: "1x L4", GPUCount: 1}, facts: map[string]string{"gpus": "1x NVIDIA L4", "driver": "580.95.05"}}
	}
	h.seen.Host = name
	r.Sink(engine.Event{Time: at, Kind: engine.KindStepStarted, Host: name, Step: "connect", N: 1, Of: 2, Status: engine.StatusRunning})
	if err := b.logIn(ctx, r, name, h); err != nil {
		r.Sink(engine.Event{Time: at, Kind: engine.KindStepFinished, Host: name, Step: "connect", N: 1, Of: 2, Status: engine.StatusFailed, Error: engine.Describe(name, err)})
		r.Sink(engine.Event{Time: at, Kind: engine.KindStepFinished, Host: name, Step: "probe", N: 2, Of: 2, Status: engine.StatusSkipped})
		return Seen{}, false
	}
	r.Sink(engine.Event{Time: at, Kind: engine.KindStepFinished, Host: name, Step: "connect", N: 1, Of: 2, Status: engine.StatusDone})
	r.Sink(engine.Event{Time: at, Kind: engine.KindStepStarted, Host: name, Step: "probe", N: 2, Of: 2, Status: engine.StatusRunning})
	if h.hang {
		<-ctx.Done()
		return Seen{}, false
	}
	r.Sink(engine.Event{Time: at, Kind: engine.KindHostFacts, Host: name, Facts: h.facts})
	r.Sink(engine.Event{Time: at, Kind: engine.KindStepFinished, Host: name, Step: "probe", N: 2, Of: 2, Status: engine.StatusUnchanged})
	for _, f := range h.findings {
		f.Kind, f.Host = engine.KindFinding, name
		r.Sink(f)
	}
	return h.seen, true
}

var errRefusedKey = errors.New("host key refused")

func (b *fakeBackend) logIn(ctx context.Context, r LookRequest, name string, h fakeHost) error {
	if h.key != nil {
		yes, err := r.Ask.AcceptKey(ctx, *h.key)
		b.tell(fmt.Sprint(name, " key ", yes))
		if err != nil || !yes {
			return errors.Join(errRefusedKey, err)
		}
	}
	if h.secret != "" {
		s, err := r.Ask.Secret(ctx, h.secret)
		if err != nil {
			return fmt.Errorf("asking for the password: %w", err)
		}
		b.tell(name + " secret " + s)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, l := range b.looks {
		if slices.Contains(l, name) {
			n++
		}
	}
	if n <= len(h.fails) {
		return h.fails[n-1]
	}
	return nil
}

func (b *fakeBackend) tell(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told = append(b.told, s)
}

func (b *fakeBackend) Plan(_ context.Context, file string, text []byte, sink engine.Sink) error {
	inv, err := inventory.Parse(file, text)
	if err != nil {
		return fmt.Errorf("the wizard gave no inventory: %w", err)
	}
	b.mu.Lock()
	b.plans = append(b.plans, string(text))
	b.mu.Unlock()
	for _, h := range inv.Hosts {
		sink(engine.Event{Kind: engine.KindPlanChange, Host: h.Name, Change: &engine.Change{Action: "install", What: "k3s as " + string(h.Role), Reason: "it is not there"}})
	}
	return b.plan
}

func (b *fakeBackend) Save(_ context.Context, path string, data []byte, replace bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.HasPrefix(path, "/forbidden") {
		return fmt.Errorf("writing %s: %w", path, fs.ErrPermission)
	}
	if data == nil {
		delete(b.files, path)
		return nil
	}
	if _, there := b.files[path]; there && !replace {
		return fmt.Errorf("writing %s: %w", path, fs.ErrExist)
	}
	b.files[path] = string(data)
	return nil
}

// file gives what was saved.
func (b *fakeBackend) file(path string) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, ok := b.files[path]
	return text, ok
}

// hintError is an error of a host with the next command to type.
type hintError struct{ text, hint string }

func (e hintError) Error() string { return e.text }
func (e hintError) Hint() string  { return e.hint }
