package app

import (
	"context"
	"errors"
	"io"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
	"github.com/gpuboot/gpuboot/tui"
)

// liveView draws a run on the terminal. Questions are asked inside the view;
// what comes after the person has left it goes to the plain renderer.
func (g *global) liveView(ctx context.Context, v *view, rest *render.Plain, recorded bool) engine.Sink {
	colour := render.Colour(true, g.env.Getenv)
	live := tui.Live(ctx, tui.LiveOptions{
		In: g.env.In, Out: g.env.Out, Cancel: v.cancel, Rest: rest.Sink, Recorded: recorded, Stay: recorded, Now: g.env.Now, Getenv: g.env.Getenv,
		Summary: func(w io.Writer, s *engine.State) error { return render.Summary(w, s, colour) }})
	ask := func(question string, secret bool) (string, error) { return live.Ask(ctx, question, secret) }
	g.env.Terminal = func() (Terminal, error) { return liveTerminal{ask}, nil }
	v.close = func() error {
		err := live.Close()
		if errors.Is(err, tui.ErrLeft) {
			return rest.Close() // the plain renderer has said the rest
		}
		return err
	}
	return live.Sink()
}

// liveTerminal asks in the live view.
type liveTerminal struct {
	ask func(question string, secret bool) (string, error)
}

func (t liveTerminal) Ask(question string) (string, error) { return t.ask(question, false) }

func (t liveTerminal) AskSecret(question string) (string, error) { return t.ask(question, true) }

func (t liveTerminal) Close() error { return nil }
