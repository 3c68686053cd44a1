package tui

import (
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// colourless styles, as with NO_COLOR: goldens are read by people.
func colourless() styles {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return stylesFor(r, false)
}

type size struct{ w, h int }

func sizes() map[string]size {
	return map[string]size{"80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}}
}

// feedOf has taken the events and stands at their time.
func feedOf(events []engine.Event) *feed {
	f := newFeed(nil, nil)
	for _, e := range events {
		f.take(e)
	}
	return f
}

// liveOf is the live view of a stream at one size.
func liveOf(s *script, at size) liveModel {
	m := newLiveModel(feedOf(s.events), colourless())
	return send(m, tea.WindowSizeMsg{Width: at.w, Height: at.h})
}

// send gives messages to a model and runs the commands that answer at once: looks
// and questions, not the loop of frames.
func send(m liveModel, msgs ...tea.Msg) liveModel {
	for _, msg := range msgs {
		next, cmd := m.Update(msg)
		m = next.(liveModel)
		if cmd == nil {
			continue
		}
		if f, ok := cmd().(frameMsg); ok && !f.loop {
			m = send(m, f)
		}
	}
	return m
}

// press gives keys by their names, runes one by one.
func press(m liveModel, keys ...string) liveModel {
	for _, k := range keys {
		m = send(m, keyMsg(k))
	}
	return m
}

func keyMsg(name string) tea.KeyMsg {
	types := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "ctrl+c": tea.KeyCtrlC, "ctrl+n": tea.KeyCtrlN, "ctrl+p": tea.KeyCtrlP, "backspace": tea.KeyBackspace, " ": tea.KeySpace,
	}
	if t, ok := types[name]; ok {
		msg := tea.KeyMsg{Type: t}
		if name == " " {
			msg.Runes = []rune{' '}
		}
		return msg
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// checkFrame fails if a picture would not fit its terminal.
func checkFrame(t *testing.T, view string, at size) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != at.h {
		t.Errorf("%d lines on a terminal of %d:\n%s", len(lines), at.h, view)
	}
	for i, l := range lines {
		if w := width(l); w > at.w {
			t.Errorf("line %d has %d cells of %d: %q", i+1, w, at.w, l)
		}
	}
}

func goldenFrame(t *testing.T, view string, at size) {
	t.Helper()
	checkFrame(t, view, at)
	lines := strings.Split(view, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	golden.RequireEqual(t, []byte(strings.Join(lines, "\n")+"\n"))
}
