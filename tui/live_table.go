package tui

import (
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// layout is how the table uses its width. Left to right: cursor, name, status,
// the stages, the present step in words, the time.
type layout struct {
	name   int
	from   int   // the first stage shown; those before do not fit
	stages []int // cells of each stage, with the space behind it
	named  bool  // stages have their names above them, else their numbers
	step   int
	time   int
}

const (
	cursorWidth = 2
	timeWidth   = 6
	minStep     = 24 // the step in words needs so much; stages come after it
	maxStage    = 14
)

func (m liveModel) layout() layout {
	l := layout{name: min(max(m.snap.nameLen, 8), max(m.width/5, 14)), time: timeWidth}
	room := m.width - cursorWidth - l.name - 1 - 2 - statusWidth - 1 - minStep - 1 - l.time
	l.stages, l.from, l.named = stages(m.snap.cols, room)
	used := 0
	for _, w := range l.stages {
		used += w
	}
	l.step = max(room-used+minStep, 8)
	return l
}

// stages chooses how the stages are shown: with names if all fit, else one sign
// each, else the last ones.
func stages(cols []column, room int) (widths []int, from int, named bool) {
	sum := 0
	for _, c := range cols {
		w := min(max(width(c.name), 6), maxStage) + 1
		widths = append(widths, w)
		sum += w
	}
	if sum <= room {
		return widths, 0, true
	}
	w := 1
	switch {
	case len(cols) > 9 && 3*len(cols) <= room:
		w = 3
	case 2*len(cols) <= room:
		w = 2
	}
	n := min(max(room/w, 0), len(cols))
	widths = widths[:n]
	for i := range widths {
		widths[i] = w
	}
	return widths, len(cols) - n, false
}

// tableHeight is how many hosts fit.
func (m liveModel) tableHeight() int {
	h := m.bodyHeight() - 1 // the table's own head
	if !m.layout().named {
		h--
	}
	return max(h-m.paneHeight(), 1)
}

// table draws exactly bodyHeight lines.
func (m liveModel) table() []string {
	l := m.layout()
	h := m.tableHeight()
	lines := append(make([]string, 0, m.bodyHeight()), m.tableHead(l))
	for i := range h {
		if at := m.top + i; at < len(m.shown) {
			lines = append(lines, m.tableRow(l, m.snap.rows[m.shown[at]], at == m.cur))
		} else {
			lines = append(lines, "")
		}
	}
	if len(m.shown) == 0 {
		lines[1] = m.dim.Render("  " + m.emptyText())
	}
	if !l.named {
		lines = append(lines, m.legend(l))
	}
	return append(lines, m.paneLines()...)
}

func (m liveModel) emptyText() string {
	if len(m.snap.rows) > 0 {
		return "no host passes the filter; esc shows all"
	}
	return "no host has been named yet"
}

func (m liveModel) tableHead(l layout) string {
	var b strings.Builder
	b.WriteString(spaces(cursorWidth) + fit("HOST", l.name) + " " + fit("STATUS", statusWidth+3))
	for i, w := range l.stages {
		switch at := l.from + i; {
		case l.named:
			b.WriteString(fit(truncate(m.snap.cols[at].name, w-1), w))
		case w == 3:
			b.WriteString(fit(strconv.Itoa((at+1)%100), w))
		default: // the last digit alone; the legend has it all
			b.WriteString(fit(strconv.Itoa((at+1)%10), w))
		}
	}
	b.WriteString(fit(" STEP", l.step+1) + fitRight("TIME", l.time))
	return m.header.Render(fit(b.String(), m.width))
}

func (m liveModel) tableRow(l layout, r *row, selected bool) string {
	var b strings.Builder
	name := m.snap.domain.fitName(r.name, l.name)
	if selected {
		b.WriteString(m.styles.key.Render(m.sym.cursor) + " " + m.bold.Render(name))
	} else {
		b.WriteString("  " + name)
	}
	b.WriteString(" " + m.mark(r.status) + " " + m.words[r.status] + " ")
	for i, w := range l.stages {
		c := r.cells[l.from+i]
		b.WriteString(m.mark(c.status))
		if w >= 7 && c.elapsed > 0 {
			b.WriteString(m.dim.Render(fit(" "+short(c.elapsed), w-1)))
		} else {
			b.WriteString(spaces(w - 1))
		}
	}
	b.WriteString(" " + fit(m.stepText(l, r), l.step))
	return b.String() + fitRight(m.rowTime(r), l.time)
}

// stepText says in words where a host is: the step and what it says of itself,
// what it waits for, or why it broke.
func (m liveModel) stepText(l layout, r *row) string {
	step := r.step
	if !l.named && r.col >= 0 {
		step = strconv.Itoa(r.col+1) + " " + step
	}
	switch {
	case r.status == "":
		return ""
	case r.status == engine.StatusFailed, r.status == engine.StatusCancelled && r.err != "":
		return step + ": " + r.err
	case r.status == engine.StatusBlocked:
		return step + ": blocked by " + r.by
	case r.status == engine.StatusWaiting && r.gate != "":
		return step + ": waits for " + r.gate
	case r.status == engine.StatusWaiting:
		return step + ": waits for its turn"
	case r.status.Final():
		return ""
	case r.note != "":
		return step + ": " + r.note
	}
	return step
}

// rowTime is how long the present step runs or waits, or what all steps took.
func (m liveModel) rowTime(r *row) string {
	switch {
	case r.status == "":
		return ""
	case !r.since.IsZero() && !r.status.Final():
		return short(m.snap.now.Sub(r.since))
	}
	return short(r.spent)
}

// legend names the stages by their numbers.
func (m liveModel) legend(l layout) string {
	var parts []string
	for i := l.from; i < len(m.snap.cols); i++ {
		parts = append(parts, strconv.Itoa(i+1)+" "+m.snap.cols[i].name)
	}
	text := strings.Join(parts, "  ")
	if l.from > 0 {
		text = m.sym.more + " " + text
	}
	return m.dim.Render(truncate(text, m.width))
}
