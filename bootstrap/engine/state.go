package engine

import (
	"slices"
	"time"
)

// State is what a reader of the event stream knows: the events folded. Every
// renderer keeps one, so that none of them counts by itself. The zero value is
// the state before the first event. Not safe for concurrent use.
//
// It lives in this package, beside the events it folds, because the terminal
// view may import engine and nothing that knows of rendering.
type State struct {
	Version int    // of the stream, 0 if it has no header
	Command string // of the run, as a person would type it
	File    string // the run log
	Phase   string // the phase that runs or ran last

	Status  Status        // of the run: running until run.finished gives the last word
	Began   time.Time     // of the first event
	Now     time.Time     // of the latest event
	Elapsed time.Duration // as run.finished says; zero before
	Error   *ErrorInfo    // of the run, if it ended for a reason that no step has

	Hosts    []*HostState // in the order in which they were first named
	Findings []Event      // in the order sent
	Changes  []Event      // the plan, in the order sent
	Warnings []Event      // notes of level "warn"

	byName map[string]*HostState
	phase  int // counts phases: one name may come twice
}

// HostState is what is known about one lane.
type HostState struct {
	Name  string
	Of    int               // the number of steps of its lane in this phase
	Steps []*StepState      // those named so far, over all phases, in that order
	Facts map[string]string // latest, for reading by people

	pending bool // its phase has begun, its first step has not
}

// StepState is what is known about one step of one host.
type StepState struct {
	Phase   string
	Name    string
	N       int // its number in the lane, from 1
	Status  Status
	Since   time.Time     // of the present status
	Elapsed time.Duration // running time, once final

	Gate string   // it waits for, or was blocked by
	By   *StepRef // the step that opens that gate, or that broke
	Note string   // the latest note; once final, why it is unchanged

	Done, Total int64
	Unit        string
	Output      []string // the last lines of output, kept unless the step ends well
	Error       *ErrorInfo

	phase int
}

// Host gives the state of a host, nil if no event has named it.
func (s *State) Host(name string) *HostState { return s.byName[name] }

// Finished reports whether the run has ended. It is false at the end of a log
// that was cut.
func (s *State) Finished() bool { return s.Status.Final() }

// Current gives the step that the host is at: the one that runs or waits, else
// the one that ended last without being skipped, nil before the first.
func (h *HostState) Current() *StepState {
	for _, s := range slices.Backward(h.Steps) {
		if s.Status != StatusSkipped {
			return s
		}
	}
	return nil
}

// Status sums up the host over all phases: failed, blocked or cancelled if any
// step was; else running or waiting if one is; else done if any step changed
// something; else unchanged. A host between two steps waits, for a slot. The
// status is empty before the first step.
func (h *HostState) Status() Status {
	if len(h.Steps) == 0 {
		return ""
	}
	last := h.Steps[len(h.Steps)-1]
	parts := make([]Status, len(h.Steps))
	for i, s := range h.Steps {
		parts[i] = s.Status
	}
	sum := worst(parts)
	switch {
	case !sum.OK():
		return sum
	case !last.Status.Final():
		return last.Status
	case h.pending || last.N < h.Of:
		return StatusWaiting
	}
	return sum
}

// Broken gives the steps that failed, were blocked or were cancelled while they
// ran or before they began, in order; skipped ones are not in it.
func (h *HostState) Broken() []*StepState {
	var broken []*StepState
	for _, s := range h.Steps {
		switch s.Status {
		case StatusFailed, StatusBlocked, StatusCancelled:
			broken = append(broken, s)
		}
	}
	return broken
}

// Tally counts hosts, or steps, by what they have come to.
type Tally struct {
	Running, Waiting, Done, Unchanged, Failed, Blocked, Cancelled, Skipped int
}

func (t *Tally) add(s Status) {
	switch s {
	case StatusRunning:
		t.Running++
	case StatusWaiting:
		t.Waiting++
	case StatusDone:
		t.Done++
	case StatusUnchanged:
		t.Unchanged++
	case StatusFailed:
		t.Failed++
	case StatusBlocked:
		t.Blocked++
	case StatusCancelled:
		t.Cancelled++
	case StatusSkipped:
		t.Skipped++
	}
}

// Tally counts the hosts by their Status. Hosts that have not begun are in
// none of the counts.
func (s *State) Tally() Tally {
	var t Tally
	for _, h := range s.Hosts {
		t.add(h.Status())
	}
	return t
}

// Tally counts the host's steps by their status.
func (h *HostState) Tally() Tally {
	var t Tally
	for _, s := range h.Steps {
		t.add(s.Status)
	}
	return t
}
