package tui

import (
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Screenshot draws the live view as it is after the given events, on a terminal
// of that size, without colours and without spaces at the ends of lines: for
// documentation made from a run log.
func Screenshot(events []engine.Event, width, height int) string {
	f := newFeed(nil, nil)
	for _, e := range events {
		f.take(e)
	}
	m := newLiveModel(f, newStyles(io.Discard, func(string) string { return "" }, false))
	sized, _ := m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	m = sized.(liveModel)
	next, _ := m.Update(frameMsg{snap: f.picture(m.focus())})
	lines := strings.Split(next.View(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
