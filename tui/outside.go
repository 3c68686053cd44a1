package tui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// outside is all that the wizard's commands share: the backend, what looks have
// told so far, and questions on their way to the screen. The model itself never
// touches it.
type outside struct {
	backend Backend
	context func() context.Context // the wizard's

	mu     sync.Mutex
	sights sights
	round  int // looks of an earlier round are not listened to any more
	end    context.CancelFunc
	within func() context.Context // the round's

	dirty chan struct{}
	asks  chan *wizardAsk
}

func newOutside(ctx context.Context, b Backend) *outside {
	o := &outside{backend: b, context: func() context.Context { return ctx }, dirty: make(chan struct{}, 1), asks: make(chan *wizardAsk)}
	o.newRound(0)
	return o
}

// newRound forgets what was seen and ends the looks that still run.
func (o *outside) newRound(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end != nil {
		o.end()
	}
	ctx, cancel := context.WithCancel(o.context())
	o.round = n
	o.end, o.within = cancel, func() context.Context { return ctx }
	o.sights = sights{}
}

// lookedMsg is the end of one look.
type lookedMsg struct {
	round int
	only  []string
	seen  []Seen
	err   error
}

// look looks at hosts. The first look of a round forgets everything seen before.
func (o *outside) look(r LookRequest, round int, first bool) tea.Cmd {
	return func() tea.Msg {
		if first {
			o.newRound(round)
		}
		o.mu.Lock()
		if round != o.round {
			o.mu.Unlock()
			return nil
		}
		ctx := o.within()
		o.sights.begin(r.Only)
		o.mu.Unlock()
		r.Sink = func(e engine.Event) { o.take(round, e) }
		r.Ask = asker{o}
		seen, err := o.backend.Look(ctx, r)
		return lookedMsg{round, r.Only, seen, err}
	}
}

func (o *outside) take(round int, e engine.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if round != o.round {
		return
	}
	o.sights.apply(cleanEvent(e))
	select {
	case o.dirty <- struct{}{}:
	default:
	}
}

// sightsMsg brings what is known of the hosts. Only the loop's own ask for the
// next.
type sightsMsg struct {
	round  int
	sights sights
	now    time.Time
	loop   bool
}

// next waits until something was seen, or a second.
func (o *outside) next(clock func() time.Time) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-time.After(frameEvery):
		case <-o.context().Done():
			return nil
		}
		select {
		case <-o.dirty:
		case <-time.After(clockEvery - frameEvery):
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		return sightsMsg{o.round, o.sights.clone(), clock(), true}
	}
}

// plannedMsg is a plan made for an inventory.
type plannedMsg struct {
	inventory string
	state     *engine.State
	err       error
}

func (o *outside) plan(file string, inventory []byte) tea.Cmd {
	return func() tea.Msg {
		var state engine.State
		sink := engine.Serial(func(e engine.Event) { state.Apply(cleanEvent(e)) })
		err := o.backend.Plan(o.context(), file, inventory, sink)
		return plannedMsg{string(inventory), &state, err}
	}
}

// openedMsg is an inventory read.
type openedMsg struct {
	path string
	data []byte
	err  error
}

func (o *outside) open(path string) tea.Cmd {
	return func() tea.Msg {
		data, err := o.backend.Open(o.context(), path)
		return openedMsg{path, data, err}
	}
}

// savedMsg is the end of a write. Then says what to do after it.
type savedMsg struct {
	path string
	then afterSave
	err  error
}

// afterSave is why something was saved.
type afterSave int

const (
	thenLeave afterSave = iota // the inventory is saved, that is all
	thenApply                  // it is to be applied
	thenDraft                  // it was the draft
)

// save writes, and removes a draft that an inventory has replaced.
func (o *outside) save(path string, data []byte, replace bool, then afterSave, draft string) tea.Cmd {
	return func() tea.Msg {
		err := o.backend.Save(o.context(), path, data, replace)
		if err == nil && draft != "" {
			err = o.backend.Save(o.context(), draft, nil, true)
		}
		return savedMsg{path, then, err}
	}
}
