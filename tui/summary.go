package tui

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// What a summary shows at most; the run log has everything.
const (
	summaryWidth  = 100
	summaryGroups = 20
	summaryNames  = 30
	summaryLines  = 12 // of one error's output
)

// Summary writes what a run came to as plain text, for the time after the view:
// the counts, every cause with the hosts it hit, its hint and its retry command,
// and after a stop what state remains. Hosts that broke alike are told once.
func Summary(w io.Writer, s *engine.State) error {
	var lines []string
	lines = append(lines, summaryHead(s)...)
	for i, g := range brokenGroups(s) {
		if i == summaryGroups {
			lines = append(lines, "", "more hosts failed in other ways; see the run log")
			break
		}
		lines = append(lines, g.lines()...)
	}
	lines = append(lines, summaryNotes(s)...)
	lines = append(lines, summaryState(s)...)
	if s.File != "" {
		lines = append(lines, "", "run log: "+s.File)
	}
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

func summaryHead(s *engine.State) []string {
	name := s.Command
	if name == "" {
		name = "gpuboot"
	}
	took := s.Elapsed
	if took == 0 && !s.Began.IsZero() {
		took = s.Now.Sub(s.Began)
	}
	end := word(s.Status) + " after " + short(took)
	if !s.Finished() {
		end = "not finished, " + short(took) + " so far"
	}
	lines := []string{name + ": " + end}
	t := s.Tally()
	var parts []string
	begun := 0
	for _, c := range []struct {
		n  int
		st engine.Status
	}{
		{t.Done, engine.StatusDone}, {t.Unchanged, engine.StatusUnchanged}, {t.Failed, engine.StatusFailed}, {t.Blocked, engine.StatusBlocked},
		{t.Cancelled, engine.StatusCancelled}, {t.Running, engine.StatusRunning}, {t.Waiting, engine.StatusWaiting},
	} {
		begun += c.n
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, word(c.st)))
		}
	}
	if n := len(s.Hosts) - begun; n > 0 {
		parts = append(parts, fmt.Sprintf("%d not begun", n))
	}
	if len(s.Hosts) > 0 {
		lines = append(lines, plural(len(s.Hosts), "host")+": "+strings.Join(parts, ", "))
	}
	if s.Error != nil {
		lines = append(lines, summaryError(s.Error)...)
	}
	return lines
}

// brokenGroup are hosts that broke at the same step for the same reason.
type brokenGroup struct {
	hosts []string
	step  *engine.StepState
	cause string
}

func brokenGroups(s *engine.State) []*brokenGroup {
	var out []*brokenGroup
	for _, h := range s.Hosts {
		for _, st := range h.Broken() {
			if st.Status == engine.StatusCancelled {
				continue // told with the state that remains
			}
			cause := ""
			if st.Error != nil {
				cause = st.Error.Cause
			}
			i := slices.IndexFunc(out, func(g *brokenGroup) bool {
				return g.step.Name == st.Name && g.step.Status == st.Status && g.cause == cause
			})
			if i < 0 {
				out = append(out, &brokenGroup{step: st, cause: cause})
				i = len(out) - 1
			}
			out[i].hosts = append(out[i].hosts, h.Name)
		}
	}
	return out
}

func (g *brokenGroup) lines() []string {
	head := fmt.Sprintf("%s: %s %s", names(g.hosts), g.step.Name, g.step.Status)
	if g.step.Status == engine.StatusBlocked && g.step.By != nil {
		return append([]string{""}, wrap(head+fmt.Sprintf(": %s broke", g.step.By), summaryWidth, "", "  ")...)
	}
	lines := append([]string{""}, wrap(head, summaryWidth, "", "  ")...)
	if g.step.Error != nil {
		lines = append(lines, summaryError(g.step.Error)...)
	}
	return lines
}

func names(hosts []string) string {
	if len(hosts) > summaryNames {
		return strings.Join(hosts[:summaryNames], ", ") + fmt.Sprintf(" and %d more", len(hosts)-summaryNames)
	}
	return strings.Join(hosts, ", ")
}

func summaryError(e *engine.ErrorInfo) []string {
	var lines []string
	for _, part := range []struct{ label, text string }{{"cause", e.Cause}, {"hint", e.Hint}, {"retry", e.Retry}} {
		for i, l := range cleanLines(part.text) {
			label := "  " + fit(part.label+":", 7)
			if i > 0 {
				label = spaces(9)
			}
			lines = append(lines, wrap(l, summaryWidth, label, spaces(9))...)
		}
	}
	output := cleanLines(e.Output)
	if cut := len(output) - summaryLines; cut > 0 {
		output = append([]string{fmt.Sprintf("(%s before these)", plural(cut, "line"))}, output[cut:]...)
	}
	for _, l := range output {
		lines = append(lines, "    | "+l)
	}
	return lines
}

// summaryNotes lists what a person should read even after a success.
func summaryNotes(s *engine.State) []string {
	var lines []string
	for _, f := range s.Findings {
		if f.Level != "block" && f.Level != "warn" {
			continue
		}
		lines = append(lines, wrap(hostPrefix(f.Host)+f.Message+" ["+f.ID+"]", summaryWidth, f.Level+": ", "  ")...)
		for _, l := range cleanLines(f.Fix) {
			lines = append(lines, wrap(l, summaryWidth, "  fix: ", "       ")...)
		}
	}
	for _, w := range s.Warnings {
		lines = append(lines, wrap(hostPrefix(w.Host)+w.Message, summaryWidth, "warn: ", "  ")...)
	}
	if len(lines) > 0 {
		return append([]string{""}, lines...)
	}
	return nil
}

// summaryState says what a run that was stopped, or that nobody finished telling,
// leaves behind.
func summaryState(s *engine.State) []string {
	var midway, open []string
	for _, h := range s.Hosts {
		switch at := interrupted(h); {
		case at != nil:
			midway = append(midway, h.Name+" at "+at.Name)
		case h.Status() == "" || h.Status() == engine.StatusCancelled || !h.Status().Final():
			open = append(open, h.Name)
		}
	}
	if len(midway)+len(open) == 0 {
		return nil
	}
	lines := []string{"", "What remains:"}
	if len(midway) > 0 {
		lines = append(lines, wrap("in the middle of a step, whose work so far stays: "+names(midway), summaryWidth, "  ", "    ")...)
	}
	if len(open) > 0 {
		lines = append(lines, wrap("not brought to the end: "+names(open), summaryWidth, "  ", "    ")...)
	}
	return append(lines, "  The same command run again goes on from there.")
}

// interrupted gives the step that a host was in when the run was stopped, or is
// in while it was not finished.
func interrupted(h *engine.HostState) *engine.StepState {
	for _, st := range h.Steps {
		if st.Status == engine.StatusRunning || st.Status == engine.StatusCancelled && st.Elapsed > 0 {
			return st
		}
	}
	return nil
}
