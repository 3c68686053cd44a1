package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// The smallest terminal that the view draws on, and its fixed lines: four of the
// head, one of the foot.
const (
	minWidth, minHeight = 40, 12
	headLines           = 4
)

// View draws the model: exactly as many lines as the terminal has, none wider.
func (m liveModel) View() string {
	if m.width < minWidth || m.height < minHeight {
		return truncate(fmt.Sprintf("%dx%d is too small, %dx%d at least", m.width, m.height, minWidth, minHeight), m.width)
	}
	lines := append(make([]string, 0, m.height), m.head()...)
	if m.page == pageTable {
		lines = append(lines, m.table()...)
	} else {
		lines = append(lines, m.text.view()...)
	}
	lines = append(lines, m.foot()...)
	return m.frame(lines, m.width)
}

// head says what runs, how far it is, and what it waits for.
func (m liveModel) head() []string {
	return []string{m.headTitle(), m.headTally(), m.headBar(), m.headContext()}
}

func (m liveModel) title() string {
	switch {
	case m.name != "":
		return m.name
	case m.snap.command != "":
		return m.snap.command
	}
	return "gpuboot"
}

func (m liveModel) headTitle() string {
	st := m.snap.status
	if st == "" {
		st = engine.StatusRunning
	}
	state := m.mark(st) + " " + m.status(st).Render(word(st))
	if st == engine.StatusRunning && m.stop == stopSent {
		state = m.warn.Render(m.sym.cancelled + " stopping")
	}
	right := short(m.elapsed()) + "  " + state
	left := truncate(m.title(), m.width-width(right)-2)
	return m.styles.title.Render(left) + spaces(m.width-width(left)-width(right)) + right
}

// elapsed is how long the run has taken, as it said itself once it has ended.
func (m liveModel) elapsed() time.Duration {
	if m.snap.elapsed > 0 {
		return m.snap.elapsed
	}
	if m.snap.began.IsZero() {
		return 0
	}
	return m.snap.now.Sub(m.snap.began)
}

func (m liveModel) headTally() string {
	t := m.snap.tally
	parts := []string{}
	for _, c := range []struct {
		n  int
		st engine.Status
	}{
		{t.Failed, engine.StatusFailed}, {t.Blocked, engine.StatusBlocked}, {t.Cancelled, engine.StatusCancelled},
		{t.Running, engine.StatusRunning}, {t.Waiting, engine.StatusWaiting}, {t.Done, engine.StatusDone},
		{t.Unchanged, engine.StatusUnchanged}, {t.NotBegun, ""},
	} {
		if c.n > 0 {
			parts = append(parts, m.mark(c.st)+" "+m.status(c.st).Render(fmt.Sprintf("%d %s", c.n, word(c.st))))
		}
	}
	left := plural(len(m.snap.rows), "host") + "  " + strings.Join(parts, "  ")
	h := m.tableHeight()
	if m.page != pageTable || len(m.shown) <= h {
		return left
	}
	right := fmt.Sprintf("%d-%d of %d", m.top+1, min(m.top+h, len(m.shown)), len(m.shown))
	left = truncate(left, m.width-len(right)-1)
	return left + spaces(m.width-width(left)-len(right)) + m.dim.Render(right)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (m liveModel) headBar() string {
	if m.snap.phase == "" {
		return m.dim.Render("no step has begun")
	}
	p := m.snap.progress
	text := fmt.Sprintf(" %3d%% of %s", int(p.share*100), m.snap.phase)
	switch {
	case m.snap.closed || m.snap.status.Final():
	case p.known:
		text += ", " + about(p.left) + " left"
	case p.missing != "":
		text += ", time left unknown: " + p.missing
	}
	return m.bar(p.share, min(max(m.width/5, 10), 40)) + text
}

// headContext is the one line for what matters most beside the hosts.
func (m liveModel) headContext() string {
	s := m.snap
	switch {
	case m.page == pageHost:
		return ""
	case m.filter != filter{}:
		return m.warn.Render(m.filter.String()) + fmt.Sprintf(": %d of %d; esc shows all", len(m.shown), len(s.rows))
	case s.err != nil:
		return m.bad.Render(m.sym.failed+" ") + firstLine(s.err.Cause)
	case len(s.gates) > 0:
		return m.dim.Render(gatesLine(s.gates))
	case len(s.findings)+len(s.warnings) > 0:
		return m.dim.Render(notesLine(s))
	}
	return ""
}

func notesLine(s *snapshot) string {
	var parts []string
	if n := len(s.findings); n > 0 {
		parts = append(parts, plural(n, "finding"))
	}
	if n := len(s.warnings); n > 0 {
		parts = append(parts, plural(n, "warning"))
	}
	return strings.Join(parts, ", ") + ": n shows them"
}

func gatesLine(gates []gate) string {
	parts := make([]string, 0, len(gates))
	for _, g := range gates {
		by := ""
		if g.by != "" {
			by = " (" + g.by + ")"
		}
		parts = append(parts, fmt.Sprintf("%s for %s%s", plural(len(g.waiting), "host"), g.name, by))
	}
	return "waiting: " + strings.Join(parts, "; ")
}

// String names a filter for people.
func (f filter) String() string {
	var parts []string
	if f.failed {
		parts = append(parts, "only failed, blocked and cancelled hosts")
	}
	if f.unfinished {
		parts = append(parts, "only unfinished hosts")
	}
	if f.name != "" {
		parts = append(parts, fmt.Sprintf("names with %q", f.name))
	}
	return strings.Join(parts, ", ")
}

// foot is what the person is asked, else the keys that matter here.
func (m liveModel) foot() []string {
	switch {
	case m.ask != nil:
		return m.questionLines()
	case m.stop != stopNo && !m.snap.closed:
		return squeeze(m.stopLines(), m.height-headLines-3)
	case m.typing:
		return []string{m.input.View() + m.dim.Render("  enter keeps, esc drops")}
	}
	return []string{m.hints()}
}

// squeeze makes lines fit a height; the last, with the keys, always stays.
func squeeze(lines []string, h int) []string {
	if len(lines) <= h {
		return lines
	}
	return append(lines[:max(h-1, 0):max(h-1, 0)], lines[len(lines)-1])
}

func (m liveModel) hints() string {
	var pairs []string
	switch m.page {
	case pageTable:
		pairs = []string{"enter", "host", "o", "output", "f", "failed", "/", "name", "w", "waits", "n", "notes", "?", "keys"}
	case pageHost:
		pairs = []string{"tab", "steps/error/output", "← →", "host", "esc", "back", "?", "keys"}
	default:
		pairs = []string{"↑ ↓", "scroll", "esc", "back"}
	}
	if m.snap.closed {
		pairs = append([]string{"q", "leave: the run has ended"}, pairs...)
	} else if m.cancel != nil {
		pairs = append(pairs, "ctrl+c", "stop")
	} else {
		pairs = append(pairs, "q", "leave")
	}
	parts := make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		parts = append(parts, m.styles.key.Render(pairs[i])+" "+m.dim.Render(pairs[i+1]))
	}
	return strings.Join(parts, "  ")
}

// bodyHeight is what head and foot leave.
func (m liveModel) bodyHeight() int { return max(m.height-headLines-len(m.foot()), 1) }
