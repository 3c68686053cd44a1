package engine

import (
	"context"
	"sync"
	"time"
)

// Run runs the lanes and returns when every step has ended and all goroutines
// it started are gone. Lanes that [Validate] refuses are not run at all.
//
// When ctx ends, running steps get the cancelled context and are awaited; a
// step that then returns an error is cancelled, one that returns nil is done.
// No step begins any more.
func Run(ctx context.Context, lanes []Lane, opt Options) Report {
	if err := Validate(lanes); err != nil {
		return Report{Stopped: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := newRun(lanes, opt, cancel)
	begun := r.now()
	r.framePhase(opt.Phase)
	r.loop(ctx)
	r.steps.Wait()
	rep := r.report()
	rep.Elapsed = r.now().Sub(begun)
	if opt.Phase != "" {
		r.say(Event{Kind: KindPhaseFinished, Message: opt.Phase, Status: rep.Status(), Elapsed: rep.Elapsed})
	}
	return rep
}

// run is the state of one call of Run. One goroutine, that of the caller, owns
// it; step goroutines only hand back their lane through ended.
type run struct {
	*voice
	width   int
	retry   func(host, step string) string
	stop    context.CancelCauseFunc
	lanes   []*lane
	gates   map[string]*gate
	ready   []*lane // wait for a slot, first come first served
	running int
	ended   chan *lane // lanes whose running step has ended
	steps   sync.WaitGroup
	stopped error // why, once the rest was cancelled
	vital   bool  // stopped by a vital lane, not from outside
}

func newRun(lanes []Lane, opt Options, stop context.CancelCauseFunc) *run {
	steps := 0
	for i := range lanes {
		steps += len(lanes[i].Steps)
	}
	r := &run{
		voice: &voice{sink: opt.Sink, now: opt.Now},
		width: opt.Parallel, retry: opt.Retry, stop: stop,
		lanes: make([]*lane, len(lanes)),
		gates: make(map[string]*gate, steps), // about one a step
	}
	if r.now == nil {
		r.now = time.Now
	}
	if r.width <= 0 {
		r.width = DefaultParallel
	}
	r.ended = make(chan *lane, min(r.width, len(lanes)))
	for i := range lanes {
		r.lanes[i] = newLane(i, lanes[i])
		for j := range lanes[i].Steps {
			s := &lanes[i].Steps[j]
			for _, name := range s.Opens {
				r.gates[name] = &gate{name: name, opener: StepRef{lanes[i].Name, s.Name}}
			}
		}
	}
	return r
}

func (r *run) framePhase(phase string) {
	if phase == "" {
		return
	}
	names := make([]string, len(r.lanes))
	for i, l := range r.lanes {
		names[i] = l.Name
	}
	r.say(Event{Kind: KindPhaseStarted, Message: phase, Lanes: names})
}

// loop drives the lanes until none runs. It cannot end with a lane that still
// waits: Validate has shown that every gate has an opener and that there is no
// cycle, and a lane that ends early fails the gates it owes.
func (r *run) loop(ctx context.Context) {
	if ctx.Err() == nil {
		for _, l := range r.lanes {
			r.advance(l)
		}
	}
	done := ctx.Done()
	for {
		if ctx.Err() != nil {
			r.cancelRest(context.Cause(ctx))
			done = nil
		}
		r.fill(ctx)
		if r.running == 0 {
			return
		}
		select {
		case l := <-r.ended:
			r.settle(ctx, l)
		case <-done:
		}
	}
}

// fill gives free slots to ready lanes.
func (r *run) fill(ctx context.Context) {
	for r.running < r.width && len(r.ready) > 0 && ctx.Err() == nil {
		l := r.ready[0]
		r.ready = r.ready[1:]
		r.start(ctx, l)
	}
}

func (r *run) report() Report {
	rep := Report{Lanes: make([]LaneResult, len(r.lanes)), Stopped: r.stopped, byLane: r.vital}
	for i, l := range r.lanes {
		rep.Lanes[i] = l.result()
	}
	return rep
}
