package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// listHosts is the number of hosts up to which each that went well has a line
// of its own. In larger fleets these share one line per state; a host that did
// not go well always has its own.
const listHosts = 30

// Summary writes how a run ended: the state of every host, then each broken
// host with step, cause, the tail of its output, a hint and the command to try
// again, then the sum and the run log.
func Summary(w io.Writer, s *engine.State, colour bool) error {
	_, err := io.WriteString(w, summaryText(s, newCleaner(), palette{colour}))
	return err
}

// summaryOf collects the lines of a summary.
type summaryOf struct {
	strings.Builder
	state *engine.State
	text  cleaner
	paint palette
	hosts int // columns
}

func summaryText(s *engine.State, t cleaner, c palette) string {
	b := &summaryOf{state: s, text: t, paint: c}
	for _, h := range s.Hosts {
		b.hosts = max(b.hosts, min(width(t.line(h.Name)), 40))
	}
	b.hostLines()
	for _, h := range s.Hosts {
		for _, step := range h.Steps {
			if step.Status == engine.StatusFailed {
				b.failure(h, step)
			}
		}
	}
	b.runError()
	b.warnings()
	b.last()
	return b.String()
}

func (b *summaryOf) linef(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

func (b *summaryOf) hostLines() {
	many := len(b.state.Hosts) > listHosts
	well := map[engine.Status][]string{}
	if len(b.state.Hosts) > 0 {
		b.linef("")
	}
	for _, h := range b.state.Hosts {
		name, status := b.text.line(h.Name), h.Status()
		if many && status.OK() {
			well[status] = append(well[status], name)
			continue
		}
		b.linef("%s  %s", pad(name, b.hosts), strings.TrimRight(b.hostState(h, status), " "))
	}
	for _, s := range []engine.Status{engine.StatusDone, engine.StatusUnchanged} {
		if len(well[s]) > 0 {
			b.linef("%s: %s", b.word(s), strings.Join(well[s], ", "))
		}
	}
}

func (b *summaryOf) word(s engine.Status) string { return b.paint.status(string(s), string(s)) }

// hostState says where a host stands.
func (b *summaryOf) hostState(h *engine.HostState, s engine.Status) string {
	word := b.paint.status(pad(string(s), statusWidth), string(s))
	t := h.Tally()
	switch {
	case s == "":
		return b.paint.status("not begun", string(engine.StatusSkipped))
	case s.OK():
		return word + "  " + tally(t)
	case !s.Final():
		return word + "  at " + b.place(h, h.Current())
	}
	broken := h.Broken()[0]
	text := word + "  at " + b.place(h, broken)
	if s == engine.StatusBlocked && broken.By != nil {
		text += ", by " + b.text.line(broken.By.String())
	}
	return text
}

// place gives "join cluster (3 of 5)".
func (b *summaryOf) place(h *engine.HostState, s *engine.StepState) string {
	name := b.text.line(s.Name)
	if s.N == 0 {
		return name
	}
	return fmt.Sprintf("%s (%d of %d)", name, s.N, max(h.Of, s.N))
}

// tally gives "3 done, 1 unchanged" without the zeros.
func tally(t engine.Tally) string {
	var parts []string
	for _, c := range []struct {
		n int
		s engine.Status
	}{
		{t.Done, engine.StatusDone}, {t.Unchanged, engine.StatusUnchanged}, {t.Failed, engine.StatusFailed},
		{t.Blocked, engine.StatusBlocked}, {t.Cancelled, engine.StatusCancelled}, {t.Skipped, engine.StatusSkipped},
		{t.Running, engine.StatusRunning}, {t.Waiting, engine.StatusWaiting},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.s))
		}
	}
	return strings.Join(parts, ", ")
}
