package engine

import (
	"errors"
	"slices"
	"time"
)

// Report is what a run came to. Its errors are as the steps returned them: they
// are not redacted, so print them through [Redactor.String].
type Report struct {
	// Lanes are in the order given; nil if the run was invalid.
	Lanes []LaneResult
	// Stopped is why the run ended early: the context's cause, the *StepError of a
	// vital lane, or an *InvalidError if nothing was run at all. Else nil.
	Stopped error
	Elapsed time.Duration

	byLane bool // stopped by a vital lane, whose error stands among the lanes
}

// LaneResult is what one lane came to.
type LaneResult struct {
	Name string
	// Status is failed, blocked or cancelled if a step of the lane is; else done
	// if a step is; else unchanged.
	Status  Status
	Steps   []StepResult
	Elapsed time.Duration // sum of its steps' running times
}

// StepResult is what one step came to.
type StepResult struct {
	Name   string
	Status Status
	// Err is a *StepError where the status is failed, blocked or cancelled while
	// running; else nil.
	Err     error
	Elapsed time.Duration // running time, zero if the step never began
}

// Err joins the errors of all failed steps in lane order, followed by the
// reason if the run was stopped from outside. Blocked, skipped and cancelled
// steps add nothing: what stopped them is in there. It is nil after a success.
func (r Report) Err() error {
	var errs []error
	for _, l := range r.Lanes {
		for _, s := range l.Steps {
			if s.Status == StatusFailed {
				errs = append(errs, s.Err)
			}
		}
	}
	if r.Stopped != nil && !r.byLane {
		errs = append(errs, r.Stopped)
	}
	return errors.Join(errs...)
}

// Lane finds a lane's result by its name.
func (r Report) Lane(name string) (LaneResult, bool) {
	for _, l := range r.Lanes {
		if l.Name == name {
			return l, true
		}
	}
	return LaneResult{}, false
}

// Status sums up the lanes: failed if any lane is failed or blocked, else
// cancelled if any lane is, else done if any changed something, else unchanged.
func (r Report) Status() Status {
	if len(r.Lanes) == 0 && r.Stopped != nil {
		return StatusFailed
	}
	statuses := make([]Status, 0, len(r.Lanes))
	for _, l := range r.Lanes {
		s := l.Status
		if s == StatusBlocked {
			s = StatusFailed
		}
		statuses = append(statuses, s)
	}
	return worst(statuses)
}

// worst gives the status that describes a whole made of parts.
func worst(parts []Status) Status {
	for _, s := range []Status{StatusFailed, StatusBlocked, StatusCancelled, StatusDone} {
		if slices.Contains(parts, s) {
			return s
		}
	}
	return StatusUnchanged
}
