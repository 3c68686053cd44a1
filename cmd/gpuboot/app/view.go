package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

// view is where a run's events go, and how the run says its last word.
type view struct {
	env   *Env
	sink  engine.Sink // redacting, serialised
	begun time.Time
	line  string // the command, as a person would type it
	log   *render.Log
	close func() error
	// cancel stops the run; the live view calls it when the person says so.
	cancel context.CancelFunc
}

// newView opens the renderer and, for a run that writes, its log: what writes
// nothing anywhere leaves no log either.
func (g *global) newView(ctx context.Context, cancel context.CancelFunc, command string, s *session, writes bool) (*view, error) {
	v := &view{env: g.env, begun: g.env.Now(), cancel: cancel, line: strings.TrimSpace("gpuboot " + remote.Quote(g.env.Args...))}
	show := g.renderer(ctx, v, g.live() && drawn(command), false)
	var log engine.Sink
	if writes {
		var err error
		if v.log, err = g.env.newLog(command, v.line, s.inv.Name); err != nil {
			return nil, err
		}
		log = v.log.Sink
	}
	v.sink = engine.Serial(s.Redactor.Wrap(engine.Tee(show, log)))
	start := engine.Event{Kind: engine.KindRunStarted, Message: v.line, Time: v.begun}
	if v.log != nil {
		start.File = v.log.Path()
	}
	v.sink(start)
	return v, nil
}

// drawn says whether a command's run is worth a live view; the results of the
// others have to stay on the screen.
func drawn(command string) bool { return command == "up" || command == "down" }

// renderer opens what shows the run to whoever started it: live on the
// terminal, as lines, or as JSON. A recorded run takes its time from the events.
func (g *global) renderer(ctx context.Context, v *view, live, recorded bool) engine.Sink {
	if g.json() {
		j := render.NewJSON(g.env.Out)
		v.close = j.Err
		j.Sink(render.Header(v.line, v.begun))
		return j.Sink
	}
	p := render.NewPlain(render.Options{
		Out: g.env.Out, Err: g.env.Err, Verbose: g.verbose,
		OutColour: render.Colour(g.env.OutTerminal, g.env.Getenv), ErrColour: render.Colour(g.env.ErrTerminal, g.env.Getenv)})
	if live {
		return g.liveView(ctx, v, p, recorded)
	}
	ctx, stop := context.WithCancel(ctx)
	go p.Heartbeat(ctx, g.env.Now)
	v.close = func() error { stop(); return p.Close() }
	return p.Sink
}

// newLog makes the log of a run: one file a run, in a folder per cluster.
func (env *Env) newLog(command, line, cluster string) (*render.Log, error) {
	dir, err := env.stateDir()
	if err != nil {
		return nil, fmt.Errorf("finding the folder for run logs: %w", err)
	}
	dir = filepath.Join(dir, cluster)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder for run logs: %w", err)
	}
	now := env.Now()
	name := now.UTC().Format("20060102T150405.000Z") + "-" + command + ".jsonl"
	return render.CreateLog(filepath.Join(dir, name), line, now)
}

// finish ends the stream and gives the error to exit with. What the stream has
// shown is not printed again.
func (v *view) finish(ctx context.Context, out *bootstrap.Outcome, err error) error {
	end := engine.Event{Kind: engine.KindRunFinished, Message: v.line, Time: v.env.Now(), Elapsed: v.env.Now().Sub(v.begun), Status: status(ctx, out, err)}
	if v.log != nil {
		end.File = v.log.Path()
	}
	if own := ownError(err); own != nil {
		end.Error = engine.Describe("", own)
	}
	v.sink(end)
	closed := v.close()
	if v.log != nil {
		if logErr := v.log.Close(); logErr != nil {
			fmt.Fprintf(v.env.Err, "warning: the run log is incomplete: %v\n", logErr)
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return shown{interruptedError{err}}
	case err != nil:
		return shown{err}
	}
	return closed
}

// status sums up a run.
func status(ctx context.Context, out *bootstrap.Outcome, err error) engine.Status {
	switch {
	case ctx.Err() != nil && err != nil:
		return engine.StatusCancelled
	case errors.As(err, new(changesError)):
		return engine.StatusUnchanged
	case err != nil:
		return engine.StatusFailed
	case out != nil && out.Applied != nil:
		return out.Applied.Status()
	}
	return engine.StatusUnchanged
}

// ownError is the part of a run's error that no step of a host has shown yet.
func ownError(err error) error {
	var step *engine.StepError
	var missing *bootstrap.MissingError
	if err == nil || errors.As(err, new(changesError)) {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var rest []error
		for _, e := range joined.Unwrap() {
			if own := ownError(e); own != nil {
				rest = append(rest, own)
			}
		}
		return errors.Join(rest...)
	}
	if errors.As(err, &step) || errors.As(err, &missing) {
		return nil
	}
	return err
}
