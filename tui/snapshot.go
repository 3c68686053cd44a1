package tui

import (
	"slices"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// snapshot is the board at one moment. It shares nothing that changes with the
// board, so it may be read while events go on.
type snapshot struct {
	rows     []*row
	cols     []column
	nameLen  int // cells of the widest host name
	domain   domain
	command  string
	file     string
	phase    string
	status   engine.Status
	err      *engine.ErrorInfo
	began    time.Time
	elapsed  time.Duration // as the run said at its end
	now      time.Time
	tally    tally
	gates    []gate
	progress progress

	findings, warnings, changes []engine.Event

	focus  *detail // of the host asked for, nil if there is none
	closed bool    // no more events come
	events uint64
}

// tally counts hosts by status.
type tally struct {
	engine.Tally
	NotBegun int
}

// gate is something that hosts wait for.
type gate struct {
	name    string
	by      string   // the step that opens it, empty if none is known
	waiting []string // hosts, in their order
	since   time.Time
}

func (b *board) snapshot(now time.Time, focus string) *snapshot {
	s := &snapshot{
		rows: make([]*row, len(b.lanes)), cols: b.cols.shown(), now: now, domain: b.domain,
		command: b.state.Command, file: b.state.File, phase: b.state.Phase, status: b.state.Status,
		err: b.state.Error, began: b.state.Began, elapsed: b.state.Elapsed,
		// Appending to these slices later writes only behind what is shared here.
		findings: slices.Clip(b.state.Findings), warnings: slices.Clip(b.state.Warnings), changes: slices.Clip(b.state.Changes),
		events: b.events,
	}
	for i, l := range b.lanes {
		if l.row == nil {
			l.row = b.makeRow(l)
		}
		s.rows[i] = l.row
		s.nameLen = max(s.nameLen, width(l.row.name))
		s.tally.add(l.row.status)
	}
	s.gates = gates(s.rows)
	s.progress = b.progress(now)
	if l := b.byName[focus]; l != nil {
		s.focus = l.detail()
	}
	return s
}

func (t *tally) add(s engine.Status) {
	switch s {
	case engine.StatusRunning:
		t.Running++
	case engine.StatusWaiting:
		t.Waiting++
	case engine.StatusDone:
		t.Done++
	case engine.StatusUnchanged:
		t.Unchanged++
	case engine.StatusFailed:
		t.Failed++
	case engine.StatusBlocked:
		t.Blocked++
	case engine.StatusCancelled:
		t.Cancelled++
	default:
		t.NotBegun++
	}
}

// gates lists what hosts wait for, in the order of the first host that does.
func gates(rows []*row) []gate {
	var out []gate
	at := map[string]int{}
	for _, r := range rows {
		if r.status != engine.StatusWaiting || r.gate == "" {
			continue
		}
		i, known := at[r.gate]
		if !known {
			i = len(out)
			at[r.gate] = i
			out = append(out, gate{name: r.gate, by: r.by, since: r.since})
		}
		out[i].waiting = append(out[i].waiting, r.name)
		if r.since.Before(out[i].since) {
			out[i].since = r.since
		}
	}
	return out
}

// detail is all that is known of one host.
type detail struct {
	name  string
	steps []engine.StepState
	facts map[string]string
	out   []outLine
	lost  int // lines of output that are no longer kept
}

func (l *lane) detail() *detail {
	d := &detail{name: l.Name, facts: l.Facts, out: l.ring.copy(), steps: make([]engine.StepState, len(l.Steps))}
	d.lost = l.ring.total - len(d.out)
	for i, st := range l.Steps {
		d.steps[i] = *st
		d.steps[i].Output = nil // its array is written to again; the ring has the lines
	}
	return d
}

// keepFocus takes over the details of the host that is looked at from the picture
// before, where the new one was ordered while another host was.
func (s *snapshot) keepFocus(before *snapshot, host string) *snapshot {
	if host == "" || s.focus != nil && s.focus.name == host || before.focus == nil || before.focus.name != host {
		return s
	}
	kept := *s
	kept.focus = before.focus
	return &kept
}
