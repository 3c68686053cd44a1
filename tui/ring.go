package tui

// What a host's ring of output holds at most. A thousand hosts then take at
// most 32 MB, whatever they say.
const (
	ringLines = 400
	ringBytes = 32 << 10
)

// outLine is one line of output of one step.
type outLine struct{ step, text string }

// ring keeps the last lines of a host's output. The zero value is empty.
type ring struct {
	lines []outLine
	first int // where the oldest line is
	size  int // bytes of all texts
	total int // lines ever added
}

func (r *ring) add(step, text string) {
	r.total++
	r.size += len(text)
	if len(r.lines) < ringLines {
		r.lines = append(r.lines, outLine{step, text})
	} else {
		r.size -= len(r.lines[r.first].text)
		r.lines[r.first] = outLine{step, text}
		r.first = (r.first + 1) % len(r.lines)
	}
	if r.size > ringBytes {
		r.shrink()
	}
}

// shrink drops the oldest lines until the rest fits half of the bytes, so that
// long lines do not make every add copy.
func (r *ring) shrink() {
	lines := r.copy()
	for len(lines) > 1 && r.size > ringBytes/2 {
		r.size -= len(lines[0].text)
		lines = lines[1:]
	}
	r.lines, r.first = append(make([]outLine, 0, len(lines)), lines...), 0
}

// copy gives the lines, oldest first.
func (r *ring) copy() []outLine {
	out := make([]outLine, 0, len(r.lines))
	out = append(out, r.lines[r.first:]...)
	return append(out, r.lines[:r.first]...)
}
