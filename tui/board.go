package tui

import (
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// board is all that the live view knows: the engine's fold of the events, and
// beside it what a screen needs, kept so that a picture of a thousand hosts costs
// little. The zero value is ready. Not safe for concurrent use.
type board struct {
	state  engine.State
	lanes  []*lane // in the order of state.Hosts
	byName map[string]*lane
	domain domain
	cols   columns
	times  []samples // by column

	phase   int
	lengths map[int][]int // in the present phase: columns of a lane with so many steps
	running int           // steps that run now
	peak    int           // the most that ran at once in this phase
	events  uint64        // taken so far
}

// lane is what the board keeps of one host.
type lane struct {
	*engine.HostState
	cols    []int // the column of each of Steps, -1 for none
	from    int   // where the steps of the present phase begin
	in      bool  // has a part in the present phase
	running bool
	ring    ring
	row     *row // as last drawn; nil when something changed since
}

// apply folds one event.
func (b *board) apply(e engine.Event) {
	b.events++
	e = cleanEvent(e)
	b.state.Apply(e)
	b.grow()
	switch e.Kind {
	case engine.KindPhaseStarted:
		b.begin(e.Lanes)
	case engine.KindPhaseFinished:
		b.touchAll()
	case engine.KindStepStarted, engine.KindStepWaiting, engine.KindStepFinished:
		b.step(e)
	case engine.KindStepOutput, engine.KindStepProgress, engine.KindNote:
		if l := b.byName[e.Host]; l != nil {
			b.speech(l, e)
		}
	}
}

// speech takes what a step says of itself. Progress is shown in the table only: it
// would fill a log with numbers.
func (b *board) speech(l *lane, e engine.Event) {
	b.place(l)
	switch e.Kind {
	case engine.KindStepOutput:
		l.ring.add(e.Step, e.Message)
	case engine.KindNote:
		l.ring.add(e.Step, "note: "+e.Message)
		l.row = nil
	default:
		l.row = nil
	}
}

// grow makes lanes for hosts that the event named first.
func (b *board) grow() {
	for _, h := range b.state.Hosts[len(b.lanes):] {
		if b.byName == nil {
			b.byName = map[string]*lane{}
		}
		l := &lane{HostState: h, in: true}
		b.lanes = append(b.lanes, l)
		b.byName[h.Name] = l
		b.domain.add(h.Name)
	}
}

func (b *board) begin(names []string) {
	b.phase++
	b.lengths, b.peak, b.running = nil, 0, 0
	for _, l := range b.lanes {
		l.from, l.in, l.running, l.row = len(l.Steps), false, false, nil
	}
	for _, name := range names {
		if l := b.byName[name]; l != nil {
			l.in = true
		}
	}
}

func (b *board) touchAll() {
	for _, l := range b.lanes {
		l.row = nil
	}
}

// place gives the steps that are new on a lane their columns.
func (b *board) place(l *lane) {
	for i := len(l.cols); i < len(l.Steps); i++ {
		prev := -1
		if i > l.from {
			prev = l.cols[i-1]
		}
		id, moved := b.cols.see(column{b.phase, l.Steps[i].Name}, prev)
		l.cols = append(l.cols, id)
		l.row = nil
		if moved {
			b.touchAll()
		}
	}
}

func (b *board) step(e engine.Event) {
	l := b.byName[e.Host]
	b.place(l)
	l.in, l.row = true, nil
	if runs := e.Status == engine.StatusRunning; runs != l.running {
		l.running = runs
		if runs {
			b.running++
		} else {
			b.running--
		}
		b.peak = max(b.peak, b.running)
	}
	l.tell(e)
	id := b.columnOf(l, e.Step)
	if id < 0 {
		return
	}
	b.learnLength(e.N, e.Of, id)
	if e.Kind == engine.KindStepFinished && e.Status.OK() {
		for len(b.times) <= id {
			b.times = append(b.times, samples{})
		}
		b.times[id].add(e.Elapsed)
	}
}

// columnOf finds the column of a step of the present phase.
func (b *board) columnOf(l *lane, step string) int {
	for i := len(l.Steps) - 1; i >= l.from; i-- {
		if l.Steps[i].Name == step {
			return l.cols[i]
		}
	}
	return -1
}

// learnLength notes which column the n-th step of a lane of so many steps has.
// Lanes of one length are taken to be alike.
func (b *board) learnLength(n, of, id int) {
	if n < 1 || of < n || of > maxColumns {
		return
	}
	if b.lengths == nil {
		b.lengths = map[int][]int{}
	}
	ids := b.lengths[of]
	if ids == nil {
		ids = make([]int, of)
		for i := range ids {
			ids[i] = -1
		}
		b.lengths[of] = ids
	}
	ids[n-1] = id
}

// now is the time that a picture is of: the caller's, or the latest event's when
// the run was recorded.
func (b *board) now(clock func() time.Time) time.Time {
	if clock == nil {
		return b.state.Now
	}
	return clock()
}

// tell puts the turns of a host's work between the lines of its output.
func (l *lane) tell(e engine.Event) {
	switch {
	case e.Kind == engine.KindStepStarted:
		l.ring.add(e.Step, "begins")
	case e.Kind == engine.KindStepWaiting && e.Gate != "":
		l.ring.add(e.Step, "waits for "+e.Gate)
	case e.Kind == engine.KindStepFinished && e.Status != engine.StatusSkipped:
		text := word(e.Status)
		if e.Elapsed > 0 {
			text += " after " + short(e.Elapsed)
		}
		if e.Error != nil {
			text += ": " + firstLine(e.Error.Cause)
		} else if e.Message != "" {
			text += ": " + e.Message
		}
		l.ring.add(e.Step, text)
	}
}
