package tui

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"
)

// patience is how long a test waits for a picture on a busy machine.
const patience = 20 * time.Second

func waitFor(t *testing.T, tm *teatest.TestModel, text string) {
	t.Helper()
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return bytes.Contains(b, []byte(text)) },
		teatest.WithDuration(patience), teatest.WithCheckInterval(5*time.Millisecond))
}

// keyPaths are keys on a stream, and a text that the screen must then show.
var keyPaths = []struct {
	stream func() *script
	keys   []string
	want   string
}{
	{fleet, []string{"down"}, "❯ gpu002"},
	{fleet, []string{"j", "j"}, "❯ gpu003"},
	{fleet, []string{"down", "down", "up"}, "❯ gpu002"},
	{fleet, []string{"j", "k", "j"}, "❯ gpu002"},
	{fleet, []string{"pgdown"}, "❯ gpu018"},
	{fleet, []string{" ", "b", "down"}, "❯ gpu002"},
	{fleet, []string{"end"}, "❯ gpu100"},
	{fleet, []string{"G", "pgup"}, "❯ gpu083"},
	{fleet, []string{"G", "g", "down"}, "❯ gpu002"},
	{fleet, []string{"end", "home", "down"}, "❯ gpu002"},
	{fleet, []string{"enter"}, "[steps]"},
	{fleet, []string{"enter", "tab"}, "[error]"},
	{fleet, []string{"enter", "tab", "tab"}, "[output]"},
	{fleet, []string{"enter", "right"}, "gpu002  ✓ done"},
	{fleet, []string{"enter", "l", "l", "left"}, "gpu002  ✓ done"},
	{fleet, []string{"enter", "l", "l", "h"}, "gpu002  ✓ done"},
	{fleet, []string{"enter", "esc", "down"}, "❯ gpu002"},
	{fleet, []string{"enter", "enter", "down"}, "❯ gpu002"},
	{fleet, []string{"enter", "backspace", "down"}, "❯ gpu002"},
	{fleet, []string{"o"}, "output of gpu001"},
	{fleet, []string{"o", "down"}, "output of gpu002"},
	{fleet, []string{"o", "o", "G"}, "84-100 of 100"},
	{fleet, []string{"f"}, "3 of 100; esc shows all"},
	{fleet, []string{"f", "f", "down"}, "❯ gpu010"},
	{fleet, []string{"f", "enter"}, "writing /usr/local/bin/k3s: no space left on device"},
	{fleet, []string{"f", "esc", "G"}, "❯ gpu100"},
	{fleet, []string{"u"}, "only unfinished hosts"},
	{fleet, []string{"u", "f"}, "only failed"},
	{fleet, []string{"/", "0", "9", "9", "enter"}, "names with \"099\": 1 of 100"},
	{fleet, []string{"/", "0", "9", "esc", "G"}, "❯ gpu100"},
	{fleet, []string{"/", "0", "9", "backspace"}, "names with \"0\""},
	{freshTrio, []string{"w"}, "What hosts wait for"},
	{freshTrio, []string{"n"}, "timedatectl set-ntp true"},
	{freshTrio, []string{"n", "n", "down"}, "❯ gpu1"},
	{freshTrio, []string{"w", "esc", "down"}, "❯ gpu1"},
	{freshTrio, []string{"?"}, "up a line"},
	{freshTrio, []string{"?", "end"}, "the present phase"},
	{freshTrio, []string{"?", "pgdown", "up", "down", "pgup", "down"}, "leave; asks while"},
	{freshTrio, []string{"?", "G", "g"}, "up a line"},
	{freshTrio, []string{"?", "?", "down"}, "❯ gpu1"},
	{freshTrio, []string{"ctrl+c"}, "Stop the run?"},
	{freshTrio, []string{"q"}, "Stop the run?"},
	{freshTrio, []string{"q", "n", "down"}, "❯ gpu1"},
	{freshTrio, []string{"/", "ctrl+c"}, "Stop the run?"},
	{freshTrio, []string{"enter", "ctrl+c"}, "Stop the run?"},
	{freshTrio, []string{"ctrl+c", "y"}, "Stopping: waiting for 2 running steps"},
	{freshTrio, []string{"ctrl+c", "ctrl+c"}, "Stopping: waiting"},
	{freshTrio, []string{"ctrl+c", "y", "q"}, "Leave the view?"},
	{freshTrio, []string{"ctrl+c", "y", "ctrl+c", "n"}, "Stopping: waiting"},
	{brokenTrio, []string{"enter"}, "ss -ltnp sport = :6443"},
	{brokenTrio, []string{"down", "enter"}, "it needs api-ready, and server1: start k3s broke"},
}

func TestEveryKeyPath(t *testing.T) {
	t.Parallel()
	for _, c := range keyPaths {
		t.Run(strings.Join(c.keys, ","), func(t *testing.T) {
			t.Parallel()
			m := newLiveModel(feedOf(c.stream().events), colourless())
			m.cancel = func() {}
			tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
			for _, k := range c.keys {
				tm.Send(keyMsg(k))
			}
			waitFor(t, tm, c.want)
			if err := tm.Quit(); err != nil {
				t.Error(err)
			}
			tm.WaitFinished(t, teatest.WithFinalTimeout(patience))
		})
	}
}

// Every binding is on the help page, and some path above presses each of its keys.
func TestEveryKeyIsExplainedAndTried(t *testing.T) {
	t.Parallel()
	k := newLiveKeys()
	help := strings.Join(liveOf(freshTrio(), size{120, 40}).helpLines(), "\n")
	var pressed []string
	for _, p := range keyPaths {
		pressed = append(pressed, p.keys...)
	}
	v := reflect.ValueOf(k)
	for i := range v.NumField() {
		b, name := v.Field(i).Interface().(key.Binding), v.Type().Field(i).Name
		if b.Help().Desc == "" || !strings.Contains(help, b.Help().Key) || !strings.Contains(help, b.Help().Desc) {
			t.Errorf("%s is not explained", name)
		}
		for _, key := range b.Keys() {
			if !slices.Contains(pressed, key) {
				t.Errorf("%s: no path presses %q", name, key)
			}
		}
	}
	if len(k.all()) != v.NumField() {
		t.Errorf("the help lists %d of %d", len(k.all()), v.NumField())
	}
}

// Leaving: what each key does to the view, and whether the run is told.
func TestLeaving(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys          []string
		closed        bool
		cancelled     int
		left, replays bool
	}{
		"replay":           {keys: []string{"q"}, left: true, replays: true},
		"replay by ctrl+c": {keys: []string{"ctrl+c"}, left: true, replays: true},
		"after the end":    {keys: []string{"q"}, closed: true},
		"detach":           {keys: []string{"ctrl+c", "d"}, left: true},
		"stop, then leave": {keys: []string{"ctrl+c", "y", "ctrl+c", "y"}, cancelled: 1, left: true},
		"ctrl+c for ever":  {keys: []string{"ctrl+c", "ctrl+c", "ctrl+c", "ctrl+c"}, cancelled: 1, left: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := feedOf(freshTrio().events)
			m := newLiveModel(f, colourless())
			m.stay = true
			cancelled := make(chan struct{}, 10)
			if !c.replays {
				m.cancel = func() { cancelled <- struct{}{} }
			}
			if c.closed {
				f.close()
			}
			tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
			tm.Send(frameMsg{f.picture(""), false})
			for _, k := range c.keys {
				tm.Send(keyMsg(k))
			}
			final := tm.FinalModel(t, teatest.WithFinalTimeout(patience)).(liveModel)
			if final.left != c.left || len(cancelled) != c.cancelled {
				t.Errorf("left %v, run told %d times", final.left, len(cancelled))
			}
		})
	}
}

// At the end the view closes by itself, unless somebody reads; then it waits for
// them.
func TestTheEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after []string
		stay          bool
	}{
		"nobody reads":     {},
		"reads an error":   {before: []string{"enter"}, after: []string{"esc"}},
		"reads, then q":    {before: []string{"enter"}, after: []string{"q"}},
		"filtered":         {before: []string{"f"}, after: []string{"esc"}},
		"follows output":   {before: []string{"o", "o"}, after: []string{"esc"}},
		"told to stay":     {stay: true, after: []string{"q"}},
		"asked about stop": {before: []string{"ctrl+c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := feedOf(brokenTrio().events)
			m := newLiveModel(f, colourless())
			m.stay, m.cancel = c.stay, func() {}
			tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
			for _, k := range c.before {
				tm.Send(keyMsg(k))
			}
			f.close()
			tm.Send(frameMsg{f.picture(""), false})
			if len(c.after) > 0 {
				waitFor(t, tm, "the run has ended")
			}
			for _, k := range c.after {
				tm.Send(keyMsg(k))
			}
			if m := tm.FinalModel(t, teatest.WithFinalTimeout(patience)).(liveModel); m.left {
				t.Error("left before the end")
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys []string
		text string
		err  error
	}{
		"typed":    {[]string{"y", "e", "s", "enter"}, "yes", nil},
		"mended":   {[]string{"y", "x", "backspace", "e", "s", "enter"}, "yes", nil},
		"empty":    {[]string{"enter"}, "", nil},
		"escaped":  {[]string{"y", "esc"}, "", ErrDeclined},
		"ctrl+c":   {[]string{"ctrl+c"}, "", ErrDeclined},
		"scrolled": {[]string{"down", "pgdown", "up", "pgup", "n", "o", "enter"}, "no", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQuestion(strings.Repeat("a change\n", 60)+"Go on?", false)
			tm := teatest.NewTestModel(t, tea.Model(newLiveModel(feedOf(freshTrio().events), colourless())), teatest.WithInitialTermSize(80, 24))
			tm.Send(askMsg{q})
			for _, k := range c.keys {
				tm.Send(keyMsg(k))
			}
			select {
			case a := <-q.reply:
				if a.text != c.text || !errors.Is(a.err, c.err) {
					t.Errorf("answer %+v", a)
				}
			case <-time.After(patience):
				t.Error("no answer")
			}
			_ = tm.Quit()
			tm.WaitFinished(t, teatest.WithFinalTimeout(patience))
		})
	}
}
