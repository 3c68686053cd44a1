package engine

import (
	"context"
	"errors"
	"time"
)

type laneState int

const (
	laneIdle    laneState = iota // between two steps
	laneWaiting                  // for gates
	laneReady                    // for a slot
	laneRunning
	laneOver
)

// lane is the state of one Lane in a run.
type lane struct {
	Lane
	index   int
	state   laneState
	next    int    // the current step
	waitsOn string // the gate that the last step.waiting named
	results []StepResult
	end     outcome // of the step that ran last
}

// outcome is what a step's goroutine leaves behind.
type outcome struct {
	err     error
	elapsed time.Duration
}

func newLane(index int, l Lane) *lane {
	return &lane{Lane: l, index: index, results: make([]StepResult, len(l.Steps))}
}

// advance decides what the lane's current step does: run, wait or be blocked.
func (r *run) advance(l *lane) {
	if l.next == len(l.Steps) {
		l.state = laneOver
		return
	}
	s := &l.Steps[l.next]
	var shut *gate
	for _, name := range s.Needs {
		g := r.gates[name]
		if g.err != nil {
			r.breakLane(l, StatusBlocked, g.err, 0)
			return
		}
		if !g.open && shut == nil {
			shut = g
		}
	}
	if shut == nil {
		l.state, l.waitsOn = laneReady, ""
		r.ready = append(r.ready, l)
		return
	}
	r.wait(l, s, shut)
}

// wait enters the lane at each gate still shut, not only at the first, because
// the failure of any of them must be heard at once.
func (r *run) wait(l *lane, s *Step, shut *gate) {
	if l.state != laneWaiting {
		for _, name := range s.Needs {
			if g := r.gates[name]; !g.open {
				g.waiters = append(g.waiters, l)
			}
		}
		l.state = laneWaiting
	}
	if l.waitsOn == shut.name {
		return
	}
	l.waitsOn = shut.name
	e := l.event(KindStepWaiting, StatusWaiting)
	e.Gate, e.By = shut.name, &shut.opener
	r.say(e)
}

// settle takes in a lane whose step has ended.
func (r *run) settle(ctx context.Context, l *lane) {
	r.running--
	l.state = laneIdle
	err, took := l.end.err, l.end.elapsed
	switch {
	case err == nil && !l.Steps[l.next].ReadOnly:
		r.succeed(ctx, l, StatusDone, took)
	case err == nil || isUnchanged(err):
		r.succeed(ctx, l, StatusUnchanged, took)
	case ctx.Err() != nil:
		r.stopFor(context.Cause(ctx))
		r.finish(l, StatusCancelled, err, took)
		r.endLane(l, StatusCancelled, nil)
	default:
		r.breakLane(l, StatusFailed, err, took)
	}
}

func (r *run) succeed(ctx context.Context, l *lane, s Status, took time.Duration) {
	step := &l.Steps[l.next]
	r.finish(l, s, l.end.err, took)
	l.next++
	r.openGates(l, step)
	if ctx.Err() == nil { // else cancelRest takes the lane
		r.advance(l)
	}
}

// breakLane ends a lane whose current step failed or is blocked.
func (r *run) breakLane(l *lane, s Status, err error, took time.Duration) {
	owed := l.Steps[l.next:]
	root := &GateError{Host: l.Name, Step: owed[0].Name, Err: err}
	if g, ok := errors.AsType[*GateError](err); ok && s == StatusBlocked {
		root = g
	}
	r.finish(l, s, err, took)
	stepErr := l.results[l.next].Err
	r.endLane(l, StatusSkipped, &StepRef{root.Host, root.Step})
	r.failGates(l, owed, root)
	if l.Vital && (l.VitalUntil == "" || !r.gates[l.VitalUntil].open) && r.stopped == nil {
		r.stopped, r.vital = stepErr, true
		r.stop(stepErr)
	}
}

// endLane gives the steps after the current one their final status.
func (r *run) endLane(l *lane, s Status, by *StepRef) {
	for l.next++; l.next < len(l.Steps); l.next++ {
		r.finishUnbegun(l, s, by)
	}
	l.state = laneOver
}

// stopFor notes why steps were cancelled. A run whose context ends when nothing
// is left to cancel was not stopped.
func (r *run) stopFor(cause error) {
	if r.stopped == nil {
		r.stopped = cause
	}
}

// cancelRest ends every lane that does not run. It is called again after each
// step that ends in a stopped run, and then finds only that step's lane.
func (r *run) cancelRest(cause error) {
	r.ready = nil
	for _, l := range r.lanes {
		if l.state == laneRunning || l.state == laneOver {
			continue
		}
		if l.next < len(l.Steps) {
			r.stopFor(cause)
			r.finishUnbegun(l, StatusCancelled, nil)
			r.endLane(l, StatusCancelled, nil)
		}
		l.state = laneOver
	}
}

func (l *lane) result() LaneResult {
	res := LaneResult{Name: l.Name, Steps: l.results}
	parts := make([]Status, len(l.results))
	for i, s := range l.results {
		parts[i] = s.Status
		res.Elapsed += s.Elapsed
	}
	res.Status = worst(parts)
	return res
}
