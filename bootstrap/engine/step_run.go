package engine

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"time"
)

// errGoexit stands for a step that ended its own goroutine.
var errGoexit = errors.New("the step ended its goroutine without returning")

// start runs the lane's current step in a goroutine of its own.
func (r *run) start(ctx context.Context, l *lane) {
	l.state = laneRunning
	r.running++
	r.say(l.event(KindStepStarted, StatusRunning))
	s := &l.Steps[l.next]
	rep := &reporter{voice: r.voice, host: l.Name, step: s.Name}
	r.steps.Go(func() { r.execute(ctx, l, s, rep) })
}

// execute runs the step and hands the lane back, whatever the step does.
func (r *run) execute(ctx context.Context, l *lane, s *Step, rep *reporter) {
	begun := r.now()
	err := error(&panicError{value: errGoexit}) // stays if Run never returns
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{value: v, stack: panicStack(debug.Stack())}
		}
		rep.close()
		l.end = outcome{err, r.now().Sub(begun)}
		r.ended <- l
	}()
	err = runLimited(ctx, s, rep)
}

// runLimited runs the step under its own time limit.
func runLimited(ctx context.Context, s *Step, rep *reporter) error {
	if s.Timeout <= 0 {
		return s.Run(ctx, rep)
	}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	err := s.Run(limited, rep)
	expired := limited.Err() == context.DeadlineExceeded && ctx.Err() == nil
	if err == nil || !expired || isUnchanged(err) {
		return err
	}
	return &timeoutError{limit: s.Timeout, note: rep.lastNote(), err: err}
}

// panicStack cuts a stack down to where the panic came from.
func panicStack(stack []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stack)), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+2 <= len(lines) {
			lines = lines[i+2:]
			break
		}
	}
	return strings.Join(lines[:min(len(lines), tailLines)], "\n")
}

// event begins an event about the lane's current step.
func (l *lane) event(k Kind, s Status) Event {
	return Event{Kind: k, Host: l.Name, Step: l.Steps[l.next].Name, N: l.next + 1, Of: len(l.Steps), Status: s}
}

// finish records and reports the end of the lane's current step.
func (r *run) finish(l *lane, s Status, err error, took time.Duration) {
	step := l.Steps[l.next].Name
	res := StepResult{Name: step, Status: s, Elapsed: took}
	e := l.event(KindStepFinished, s)
	e.Elapsed = took
	if !s.OK() {
		res.Err = &StepError{Host: l.Name, Step: step, Err: err}
		e.Error = r.errorInfo(l.Name, step, s, err)
	} else if why, ok := errors.AsType[*unchangedError](err); ok {
		e.Message = why.reason
	}
	if g, ok := errors.AsType[*GateError](err); ok && s == StatusBlocked {
		e.Gate, e.By = g.Gate, &StepRef{g.Host, g.Step}
	}
	l.results[l.next] = res
	r.say(e)
}

// finishUnbegun records and reports a step that never began.
func (r *run) finishUnbegun(l *lane, s Status, by *StepRef) {
	l.results[l.next] = StepResult{Name: l.Steps[l.next].Name, Status: s}
	e := l.event(KindStepFinished, s)
	e.By = by
	r.say(e)
}

func (r *run) errorInfo(host, step string, s Status, err error) *ErrorInfo {
	info := Describe(host, err)
	if r.retry != nil && s == StatusFailed {
		info.Retry = r.retry(host, step)
	}
	return info
}
