package tui

import (
	"fmt"
	"strings"
)

// paneWish is whether the output of the host under the cursor is shown below the
// table. Nobody has to ask for it where a table of few hosts leaves the room.
type paneWish int

const (
	paneAuto paneWish = iota
	paneOn
	paneOff
)

func (w paneWish) toggled(shown bool) paneWish {
	if shown {
		return paneOff
	}
	return paneOn
}

const (
	paneLeast = 3 // lines, with the title
	paneRoom  = 8 // free lines from which on it comes by itself
)

// paneHeight is how many lines it takes, its title included.
func (m liveModel) paneHeight() int {
	body := m.bodyHeight()
	free := body - 3 - len(m.snap.rows) // heads, legend and a line between
	switch {
	case m.page != pageTable || body < 4+paneLeast:
		return 0
	case m.pane == paneOn:
		return max(body*2/5, paneLeast, free)
	case m.pane == paneAuto && free >= paneRoom && len(m.snap.rows) > 0:
		return free
	}
	return 0
}

// paneLines follows the output of the host under the cursor.
func (m liveModel) paneLines() []string {
	h := m.paneHeight()
	if h == 0 {
		return nil
	}
	lines := make([]string, h)
	title := fmt.Sprintf("%s%s output of %s ", m.sym.rule, m.sym.rule, m.curName)
	lines[0] = m.dim.Render(fit(title, min(width(title), m.width)) + strings.Repeat(m.sym.rule, max(m.width-width(title), 0)))
	d := m.snap.focus
	if d == nil || d.name != m.curName || len(d.out) == 0 {
		lines[1] = m.dim.Render("  no output yet")
		return lines
	}
	const stepWidth = 14
	step := ""
	for i, l := range d.out[max(len(d.out)-(h-1), 0):] {
		name := ""
		if l.step != step {
			name, step = l.step, l.step
		}
		lines[1+i] = "  " + m.dim.Render(fit(name, stepWidth)) + " " + truncate(l.text, m.width-stepWidth-3)
	}
	return lines
}
