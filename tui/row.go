package tui

import (
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// row is one host as the table shows it. It is never changed once made, so
// pictures share the rows of hosts that nothing happened to.
type row struct {
	name   string
	status engine.Status // empty: not begun
	step   string        // the present step, or the one that broke
	col    int           // its place in the matrix, -1 for none
	since  time.Time     // of the status, where time still runs
	spent  time.Duration // running time of all steps that ended

	gate string // it waits for, or was blocked by
	by   string // the step that opens that gate, or that broke
	note string // what the step says of itself, with its progress
	err  string // the cause, one line

	cells []cell
}

// cell is one stage of one host.
type cell struct {
	status  engine.Status // empty: not reached, or not part of this host's work
	elapsed time.Duration
}

// broken says that the host will not be finished by this run.
func (r *row) broken() bool {
	return r.status.Final() && !r.status.OK()
}

// unfinished says that something is still to come from it.
func (r *row) unfinished() bool { return !r.status.Final() }

func (b *board) makeRow(l *lane) *row {
	r := &row{name: l.Name, status: l.Status(), col: -1, cells: make([]cell, len(b.cols.order))}
	if l.in && len(l.Steps) == l.from && r.status == engine.StatusWaiting {
		r.status = "" // has ended an earlier phase and not begun this one
	}
	for i, st := range l.Steps {
		if st.Status.Final() {
			r.spent += st.Elapsed
		}
		if id := l.cols[i]; id >= 0 {
			r.cells[b.cols.place[id]] = cell{st.Status, st.Elapsed}
		}
	}
	if at := l.at(); at >= 0 {
		r.describe(l.Steps[at])
		if id := l.cols[at]; id >= 0 {
			r.col = b.cols.place[id]
		}
	}
	return r
}

// at finds the step that a host is best described by: the one that broke, else
// the present one; -1 before the first.
func (l *lane) at() int {
	present := -1
	for i, st := range l.Steps {
		switch st.Status {
		case engine.StatusFailed, engine.StatusBlocked, engine.StatusCancelled:
			return i
		case engine.StatusSkipped:
		default:
			present = i
		}
	}
	return present
}

func (r *row) describe(st *engine.StepState) {
	r.step, r.note, r.gate = st.Name, st.Note, st.Gate
	if !st.Status.Final() {
		r.since = st.Since
		if st.Done > 0 || st.Total > 0 {
			r.note = amount(st.Done, st.Total, st.Unit)
		}
	}
	if st.By != nil {
		r.by = st.By.String()
	}
	if st.Error != nil {
		r.err = firstLine(st.Error.Cause)
	}
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}
