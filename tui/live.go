package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// LiveOptions are the settings of [Live]. In and Out are needed, everything else
// has a useful zero value.
type LiveOptions struct {
	// In and Out are the terminal. Out gets the summary as well.
	In  io.Reader
	Out io.Writer
	// Title stands on top; empty takes the command that the events name.
	Title string
	// Cancel stops the run when the person has confirmed it, and returns at once:
	// the view stays until Close. Nil means that there is nothing to stop, as in a
	// replay; leaving then needs no confirmation.
	Cancel func()
	// Rest takes the events that come after the person has left the view before the
	// run's end; a plain renderer belongs here. Nil drops them.
	Rest engine.Sink
	// Stay keeps the view open after the end until the person leaves it. Without it
	// the view closes at the end, unless an error or a page is being read.
	Stay bool
	// Recorded takes the time from the events instead of a clock, for runs that
	// happened earlier.
	Recorded bool
	// Now is the clock that stamps the events; nil is time.Now.
	Now func() time.Time
	// Getenv reads the environment (NO_COLOR, TERM); nil is the process's own.
	Getenv func(string) string
	// ASCII adds no signs beyond ASCII to what the run says, for terminals and locales
	// without them.
	ASCII bool
	// Summary writes what stays on the screen after the end; nil is [Summary].
	Summary func(w io.Writer, s *engine.State) error
}

// ErrLeft says that the person left the view while the run went on. It is no
// failure of the run.
var ErrLeft = errors.New("the view was left before the end")

// LiveView is a view that is up. Its methods may be called from any goroutine.
type LiveView struct {
	opt     LiveOptions
	feed    *feed
	program *tea.Program
	ended   chan struct{} // closed when the terminal is as it was

	left bool  // valid once ended is closed
	err  error // likewise

	closing sync.Once
	final   error
}

// Live puts the live view on the terminal and returns as soon as the terminal has
// told its background: at once, or within five seconds on one that answers
// nothing. Every view must be closed. When ctx ends, the view is left at once and
// the terminal restored.
func Live(ctx context.Context, opt LiveOptions) *LiveView {
	clock := opt.Now
	switch {
	case opt.Recorded:
		clock = nil
	case clock == nil:
		clock = time.Now
	}
	f := newFeed(clock, opt.Rest)
	m := newLiveModel(f, newStyles(opt.Out, opt.Getenv, opt.ASCII))
	m.name, m.cancel, m.stay = clean(opt.Title), opt.Cancel, opt.Stay
	v := &LiveView{opt: opt, feed: f, ended: make(chan struct{})}
	v.program = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(opt.In), tea.WithOutput(opt.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(30))
	go v.run()
	go v.program.Send(startMsg{}) // waits until the program takes it, or has ended
	return v
}

func (v *LiveView) run() {
	defer close(v.ended)
	final, err := v.program.Run()
	if m, ok := final.(liveModel); ok {
		v.left = m.left
	}
	if err != nil {
		v.left, v.err = true, fmt.Errorf("drawing the live view: %w", err)
	}
	if v.left {
		v.feed.leave()
	}
}

// Sink takes the run's events. It never waits for the terminal and keeps no
// queue: each event is folded before the call returns. It works before the view
// is drawn and after it was left.
func (v *LiveView) Sink() engine.Sink { return v.feed.take }

// Ended is closed when the view has gone and the terminal is as it was: at the
// end of the run, or when the person has left.
func (v *LiveView) Ended() <-chan struct{} { return v.ended }

// Ask puts a question on the view and waits for one line; with secret the answer
// is not shown. It returns ErrDeclined when the person does not answer, ErrLeft
// when the view has gone, and the context's error when that ends first.
func (v *LiveView) Ask(ctx context.Context, text string, secret bool) (string, error) {
	q := newQuestion(text, secret)
	over := make(chan struct{})
	defer close(over)
	go func() {
		v.program.Send(askMsg{q})
		<-over
		v.program.Send(withdrawMsg{q.reply})
	}()
	select {
	case a := <-q.reply:
		return a.text, a.err
	case <-v.ended:
		return "", ErrLeft
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Close says that no more events come, waits until the person has stopped
// reading, and leaves the summary on the screen. It returns ErrLeft when the
// person had left before, and the reason when the view itself failed. Further
// calls wait for the first and return the same.
func (v *LiveView) Close() error {
	v.closing.Do(func() {
		v.feed.close()
		<-v.ended
		v.final = v.err
		if v.final == nil && v.left {
			v.final = ErrLeft
		}
		v.final = errors.Join(v.final, v.summary())
	})
	return v.final
}

func (v *LiveView) summary() error {
	write := v.opt.Summary
	if write == nil {
		write = Summary
	}
	v.feed.mu.Lock()
	defer v.feed.mu.Unlock()
	if err := write(v.opt.Out, &v.feed.board.state); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}
