package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// hostLines is the page of one host: a line that says where it stands, then the
// part that is open.
func (m liveModel) hostLines() []string {
	d := m.snap.focus
	if d == nil || d.name != m.curName {
		return []string{m.bold.Render(m.curName)}
	}
	lines := []string{m.hostTitle(d), ""}
	switch m.tab {
	case tabError:
		return append(lines, m.errorLines(d)...)
	case tabOutput:
		return append(lines, m.outputLines(d)...)
	}
	return append(lines, m.stepLines(d)...)
}

func (m liveModel) hostTitle(d *detail) string {
	var title strings.Builder
	title.WriteString(m.bold.Render(d.name) + "  ")
	if i := m.placeOf(d.name); i >= 0 {
		r := m.snap.rows[m.shown[i]]
		title.WriteString(m.mark(r.status) + " " + m.status(r.status).Render(word(r.status)) + "  " + m.rowTime(r) + "   ")
	}
	for t, name := range []string{"steps", "error", "output"} {
		if tab(t) == m.tab {
			title.WriteString(m.styles.key.Render("["+name+"]") + " ")
		} else {
			title.WriteString(m.dim.Render(" "+name+" ") + " ")
		}
	}
	return title.String()
}

// stepLines lists all steps with what they said, then what is known of the host.
func (m liveModel) stepLines(d *detail) []string {
	var lines []string
	phase := ""
	for _, st := range d.steps {
		if st.Phase != phase {
			phase = st.Phase
			lines = append(lines, m.dim.Render(phase))
		}
		took := st.Elapsed
		if !st.Status.Final() {
			took = m.snap.now.Sub(st.Since)
		}
		lines = append(lines, wrap(m.stepSays(st), m.width, "  "+m.mark(st.Status)+" "+fitRight(short(took), timeWidth)+"  ", spaces(16))...)
	}
	if len(d.facts) > 0 {
		lines = append(lines, "", m.dim.Render("seen on the host"))
	}
	for _, k := range slices.Sorted(maps.Keys(d.facts)) {
		lines = append(lines, wrap(d.facts[k], m.width, "  "+fit(clean(k), 14), spaces(16))...)
	}
	return lines
}

func (m liveModel) stepSays(st engine.StepState) string {
	text := st.Name
	switch {
	case st.Status == engine.StatusWaiting && st.Gate != "":
		text += ": waits for " + st.Gate
		if st.By != nil {
			text += " (" + st.By.String() + ")"
		}
	case st.Error != nil:
		text += ": " + firstLine(st.Error.Cause)
	case st.Status == engine.StatusSkipped && st.By != nil:
		text += ": skipped after " + st.By.String()
	case !st.Status.Final() && (st.Done > 0 || st.Total > 0):
		text += ": " + amount(st.Done, st.Total, st.Unit)
	case st.Note != "":
		text += ": " + st.Note
	}
	return text
}

// errorLines expands what went wrong: cause, hint, the command that tries again,
// and the tail of the output.
func (m liveModel) errorLines(d *detail) []string {
	var lines []string
	for _, st := range d.steps {
		if !st.Status.Final() || st.Status.OK() || st.Status == engine.StatusSkipped {
			continue
		}
		head := m.mark(st.Status) + " " + m.status(st.Status).Render(st.Name+" "+word(st.Status))
		if st.Elapsed > 0 {
			head += " after " + short(st.Elapsed)
		}
		lines = append(lines, head)
		if st.Status == engine.StatusBlocked && st.By != nil {
			lines = append(lines, wrap(fmt.Sprintf("it needs %s, and %s broke", st.Gate, st.By), m.width, "  ", "  ")...)
		}
		if st.Error != nil {
			lines = append(lines, m.errorInfo(st.Error, m.width)...)
		}
		lines = append(lines, "")
	}
	if len(lines) == 0 {
		return []string{"No step of this host failed."}
	}
	return lines
}

// outputLines is what the host's steps printed, as much as is kept.
func (m liveModel) outputLines(d *detail) []string {
	var lines []string
	if d.lost > 0 {
		lines = append(lines, m.dim.Render(fmt.Sprintf("%s before these are only in the run log %s", plural(d.lost, "line"), m.snap.file)))
	}
	step := ""
	for _, l := range d.out {
		if l.step != step {
			step = l.step
			lines = append(lines, m.dim.Render(step))
		}
		lines = append(lines, wrap(l.text, m.width, "  ", "    ")...)
	}
	if len(lines) == 0 {
		return []string{"No output yet."}
	}
	return lines
}
