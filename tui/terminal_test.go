package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// terminal records what is written and lets a test wait for it.
type terminal struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{}
	keys    *io.PipeWriter
	in      *io.PipeReader
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	r, w := io.Pipe()
	t.Cleanup(func() { w.Close() })
	return &terminal{changed: make(chan struct{}, 1), in: r, keys: w}
}

func (x *terminal) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	select {
	case x.changed <- struct{}{}:
	default:
	}
	return x.text.Write(p)
}

func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text.String()
}

func (x *terminal) waitFor(t *testing.T, text string) {
	t.Helper()
	x.waitUntil(t, text, func(all string) bool { return strings.Contains(all, text) })
}

func (x *terminal) waitUntil(t *testing.T, what string, ok func(all string) bool) {
	t.Helper()
	limit := time.After(patience)
	for !ok(x.written()) {
		select {
		case <-x.changed:
		case <-limit:
			t.Fatalf("no %s in:\n%s", what, x.written())
		}
	}
}

func (x *terminal) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(x.keys, keys); err != nil {
		t.Error(err)
	}
}

// checkRestored fails unless everything that was switched on is off again.
func checkRestored(t *testing.T, text string) {
	t.Helper()
	for name, pair := range map[string][2]string{
		"alternate screen": {"\x1b[?1049h", "\x1b[?1049l"},
		"hidden cursor":    {"\x1b[?25l", "\x1b[?25h"},
		"bracketed paste":  {"\x1b[?2004h", "\x1b[?2004l"},
	} {
		on, off := strings.LastIndex(text, pair[0]), strings.LastIndex(text, pair[1])
		if on < 0 || off < on {
			t.Errorf("%s is left on (on at %d, off at %d of %d)", name, on, off, len(text))
		}
	}
	for _, mouse := range []string{"\x1b[?1000h", "\x1b[?1002h", "\x1b[?1003h"} {
		if strings.Contains(text, mouse) {
			t.Errorf("the mouse was taken: %q", mouse)
		}
	}
}

func TestLeavingAtAnyMomentLeavesTheTerminalSane(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		quit func(t *testing.T, x *terminal, v *LiveView, stop context.CancelFunc)
		want error
	}{
		"at the end":       {func(*testing.T, *terminal, *LiveView, context.CancelFunc) {}, nil},
		"context, at once": {func(_ *testing.T, _ *terminal, _ *LiveView, stop context.CancelFunc) { stop() }, context.Canceled},
		"context, drawn":   {func(t *testing.T, x *terminal, _ *LiveView, stop context.CancelFunc) { x.waitFor(t, "server1"); stop() }, context.Canceled},
		"context, asked":   {quitWhileAsked, context.Canceled},
		"context, on a page": {func(t *testing.T, x *terminal, _ *LiveView, stop context.CancelFunc) {
			x.press(t, "?")
			x.waitFor(t, "up a line")
			stop()
		}, context.Canceled},
		"detached": {func(t *testing.T, x *terminal, _ *LiveView, _ context.CancelFunc) {
			x.press(t, "q")
			x.waitFor(t, "Stop the run?")
			x.press(t, "d")
		}, ErrLeft},
		"stopped": {func(t *testing.T, x *terminal, _ *LiveView, _ context.CancelFunc) {
			x.press(t, "\x03")
			x.waitFor(t, "Stop the run?")
			x.press(t, "y")
		}, nil},
		"stopped and left": {func(t *testing.T, x *terminal, _ *LiveView, _ context.CancelFunc) { x.press(t, "\x03\x03\x03\x03") }, ErrLeft},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newTerminal(t)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			told := make(chan struct{}, 9)
			v := Live(ctx, LiveOptions{In: x.in, Out: x, Cancel: func() { told <- struct{}{} }, Recorded: true})
			for _, e := range freshTrio().events {
				v.Sink()(e)
			}
			c.quit(t, x, v, stop)
			if name == "stopped" {
				<-told
			}
			if c.want != nil {
				<-v.Ended()
			}
			if err := v.Close(); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("error %v, want %v", err, c.want)
			}
			checkRestored(t, x.written())
			if strings.LastIndex(x.written(), "\x1b[?1049l") > strings.LastIndex(x.written(), "gpuboot up train.yaml: ") {
				t.Error("the summary is not on the screen that stays")
			}
			if again := v.Close(); !errors.Is(again, c.want) {
				t.Errorf("closed again: %v", again)
			}
		})
	}
}

func quitWhileAsked(t *testing.T, x *terminal, v *LiveView, stop context.CancelFunc) {
	asked := make(chan error, 1)
	go func() {
		_, err := v.Ask(t.Context(), "Go on?", false)
		asked <- err
	}()
	x.waitFor(t, "Go on?")
	stop()
	if err := <-asked; !errors.Is(err, ErrLeft) {
		t.Errorf("asked: %v", err)
	}
}

func TestAskThroughTheView(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	v := Live(t.Context(), LiveOptions{In: x.in, Out: x, Recorded: true})
	answers := make(chan string, 1)
	go func() {
		a, err := v.Ask(t.Context(), "sudo password of gpu1:", true)
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	x.waitFor(t, "sudo password of gpu1:")
	x.press(t, "hunter2\r")
	if a := <-answers; a != "hunter2" {
		t.Errorf("answer %q", a)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrUnexpectedEOF)
	if _, err := v.Ask(ctx, "nobody waits", false); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("ended: %v", err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if strings.Contains(x.written(), "hunter2") {
		t.Error("the password is on the screen")
	}
	if _, err := v.Ask(t.Context(), "late", false); !errors.Is(err, ErrLeft) {
		t.Errorf("late: %v", err)
	}
}

// Who leaves early gets the rest as lines, and the summary of the whole run.
func TestTheRestGoesToTheNextSink(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	var rest []engine.Event
	v := Live(t.Context(), LiveOptions{In: x.in, Out: x, Recorded: true, Rest: func(e engine.Event) { rest = append(rest, e) }})
	events := brokenTrio().events
	for _, e := range events[:20] {
		v.Sink()(e)
	}
	x.press(t, "q")
	<-v.Ended()
	for _, e := range events[20:] {
		v.Sink()(e)
	}
	if err := v.Close(); !errors.Is(err, ErrLeft) {
		t.Error(err)
	}
	if len(rest) != len(events)-20 {
		t.Errorf("%d events of %d", len(rest), len(events)-20)
	}
	if !strings.Contains(x.written(), "3 hosts: 1 failed, 2 blocked") {
		t.Errorf("summary:\n%s", x.written())
	}
}

func TestASummaryThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	v := Live(t.Context(), LiveOptions{In: x.in, Out: x, Summary: func(io.Writer, *engine.State) error { return io.ErrShortWrite }})
	if err := v.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
}

func TestColoursCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	env := func(vars ...string) func(string) string {
		return func(name string) string {
			for _, v := range vars {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		}
	}
	for name, c := range map[string]struct {
		env   func(string) string
		plain bool
	}{
		"colours":  {env("TERM=xterm-256color", "CLICOLOR_FORCE=1"), false},
		"NO_COLOR": {env("TERM=xterm-256color", "NO_COLOR=1", "CLICOLOR_FORCE=1"), true},
		"dumb":     {env("TERM=dumb"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newLiveModel(feedOf(brokenTrio().events), newStyles(io.Discard, c.env, false))
			if got := !strings.Contains(m.View(), "\x1b["); got != c.plain {
				t.Errorf("without escapes: %v\n%q", got, m.View())
			}
		})
	}
}

func TestASCIIOnly(t *testing.T) {
	t.Parallel()
	m := newLiveModel(feedOf(fleet().events), newStyles(io.Discard, func(string) string { return "" }, true))
	for _, keys := range [][]string{nil, {"o"}, {"enter"}, {"w"}, {"ctrl+c"}, {"?"}, {"?", "end"}} {
		for _, r := range press(m, keys...).View() {
			if r > '~' {
				t.Fatalf("%q in\n%s", r, press(m, keys...).View())
			}
		}
	}
}

func TestLightAndDarkDiffer(t *testing.T) {
	t.Parallel()
	view := func(dark bool) string {
		r := lipgloss.NewRenderer(io.Discard)
		r.SetColorProfile(termenv.ANSI256)
		r.SetHasDarkBackground(dark)
		return newLiveModel(feedOf(brokenTrio().events), stylesFor(r, false)).View()
	}
	if light, dark := view(false), view(true); light == dark || ansi.Strip(light) != ansi.Strip(dark) {
		t.Error("the colours are the same, or more than the colours differs")
	}
}
