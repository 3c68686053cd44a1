package engine

import (
	"fmt"
	"sync"
	"time"
)

// progressEvery is the shortest time between two progress events of a step.
const progressEvery = 100 * time.Millisecond

// voice stamps events and hands them to the sink one at a time.
type voice struct {
	mu   sync.Mutex
	sink Sink
	now  func() time.Time
}

func (v *voice) say(e Event) {
	if v.sink == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if e.Time.IsZero() {
		e.Time = v.now()
	}
	e.Time = e.Time.UTC().Truncate(time.Millisecond)
	v.sink(e)
}

// reporter is the Reporter of one running step.
type reporter struct {
	*voice
	host, step string

	lock   sync.Mutex
	closed bool
	note   string
	last   time.Time // of the last progress event; zero before the first
	held   *Event    // the latest progress, not sent yet
}

var _ Reporter = (*reporter)(nil)

func (r *reporter) Progress(done, total int64, unit string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.closed {
		return
	}
	now := r.now()
	e := Event{Time: now, Kind: KindStepProgress, Host: r.host, Step: r.step, Done: done, Total: total, Unit: unit}
	if !r.last.IsZero() && now.Sub(r.last) < progressEvery {
		r.held = &e
		return
	}
	r.last, r.held = now, nil
	r.say(e)
}

func (r *reporter) Note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.lock.Lock()
	defer r.lock.Unlock()
	r.note = text
	r.send(Event{Kind: KindNote, Message: text})
}

func (r *reporter) Output(line string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.send(Event{Kind: KindStepOutput, Message: line})
}

func (r *reporter) Emit(e Event) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.send(e)
}

// send fills in where the event comes from. The caller holds the lock.
func (r *reporter) send(e Event) {
	if r.closed {
		return
	}
	if e.Host == "" {
		e.Host = r.host
	}
	if e.Step == "" {
		e.Step = r.step
	}
	r.say(e)
}

func (r *reporter) lastNote() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.note
}

// close sends a progress still held back and shuts the reporter.
func (r *reporter) close() {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.held != nil {
		r.flush()
	}
	r.closed = true
}

// flush sends the progress held back. It is not part of close because an Event
// is large: every step's goroutine would have to grow its stack for it.
func (r *reporter) flush() {
	r.held.Time = r.now()
	r.say(*r.held)
}
