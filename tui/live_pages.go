package tui

import (
	"fmt"
	"strings"
)

// rebuild makes the text of the page, unless nothing it is made from has changed.
func (m liveModel) rebuild() liveModel {
	var lines []string
	built := fmt.Sprint(m.page, m.tab, m.width, m.curName, m.snap.events)
	switch m.page {
	case pageTable:
		return m
	case pageHost:
		built += fmt.Sprint(m.snap.focus == nil, m.snap.now.Unix())
		lines = m.hostLines()
	case pageNotes:
		built = fmt.Sprint(m.page, m.width, len(m.snap.findings), len(m.snap.warnings), len(m.snap.changes))
		if built == m.built {
			lines = m.text.lines
		} else {
			lines = m.noteLines()
		}
	case pageGates:
		lines = m.gateLines()
	case pageHelp:
		lines = m.helpLines()
	}
	m.built = built
	m.text = m.text.set(lines, m.bodyHeight())
	return m
}

// gateLines tells what hosts wait for, who opens it, and who waits.
func (m liveModel) gateLines() []string {
	lines := []string{m.header.Render("What hosts wait for")}
	for _, g := range m.snap.gates {
		text := m.bold.Render(g.name) + fmt.Sprintf("  %s, the first for %s", plural(len(g.waiting), "host"), short(m.snap.now.Sub(g.since)))
		lines = append(lines, "", text)
		if g.by != "" {
			lines = append(lines, "  opened by "+g.by+m.openerState(g.by))
		}
		lines = append(lines, wrap(strings.Join(g.waiting, " "), m.width, "  ", "  ")...)
	}
	turn := 0
	for _, r := range m.snap.rows {
		if r.status == "waiting" && r.gate == "" {
			turn++
		}
	}
	if turn > 0 {
		lines = append(lines, "", plural(turn, "host")+" between two steps: waiting for a turn, as only so many steps run at once")
	}
	if len(lines) == 1 {
		lines = append(lines, "", "Nothing: no host waits.")
	}
	return lines
}

// openerState says what the step that opens a gate is doing.
func (m liveModel) openerState(by string) string {
	for _, r := range m.snap.rows {
		if r.name+": "+r.step == by {
			return fmt.Sprintf(", which is %s for %s", word(r.status), m.rowTime(r))
		}
	}
	return ""
}

// noteLines lists findings, warnings and the plan.
func (m liveModel) noteLines() []string {
	var lines []string
	if len(m.snap.findings)+len(m.snap.warnings) > 0 {
		lines = append(lines, m.header.Render("Findings and warnings"))
	}
	for _, f := range m.snap.findings {
		style, sign := m.level(f.Level)
		lines = append(lines, wrap(hostPrefix(f.Host)+f.Message+" ["+f.ID+"]", m.width, style.Render(sign)+" ", "    ")...)
		for _, l := range cleanLines(f.Evidence) {
			lines = append(lines, wrap(l, m.width, "    seen: ", "          ")...)
		}
		for _, l := range cleanLines(f.Fix) {
			lines = append(lines, wrap(l, m.width, "    fix:  ", "          ")...)
		}
	}
	for _, w := range m.snap.warnings {
		style, sign := m.level("warn")
		lines = append(lines, wrap(hostPrefix(w.Host)+w.Message, m.width, style.Render(sign)+" ", "    ")...)
	}
	if len(m.snap.changes) > 0 {
		lines = append(lines, "", m.header.Render("Plan"))
	}
	for _, e := range m.snap.changes {
		text := fmt.Sprintf("%s: %s %s", e.Host, e.Change.Action, e.Change.What)
		if e.Change.Reason != "" {
			text += " (" + e.Change.Reason + ")"
		}
		if e.Change.Disruptive {
			text += " " + m.warn.Render(m.sym.blocked+" disturbs running work")
		}
		lines = append(lines, wrap(text, m.width, "  ", "      ")...)
	}
	if len(lines) == 0 {
		return []string{"No findings, no warnings, no plan so far."}
	}
	return lines
}

func hostPrefix(host string) string {
	if host == "" {
		return ""
	}
	return host + ": "
}

// helpLines explains every key and every sign.
func (m liveModel) helpLines() []string {
	lines := []string{m.header.Render("Keys")}
	for _, k := range m.keys.all() {
		lines = append(lines, "  "+m.styles.key.Render(fit(k.Help().Key, 14))+k.Help().Desc)
	}
	lines = append(lines, "", m.header.Render("Signs"))
	for _, st := range statuses() {
		lines = append(lines, "  "+m.mark(st)+" "+m.words[st]+"  "+meaning(st))
	}
	lines = append(lines, "", m.header.Render("Progress and time left"))
	for _, l := range []string{
		"The bar is of the present phase: every host counts alike, with the part of its steps that have ended.",
		"Time left is made of this run alone: a step takes what it took on other hosts (the median), a host needs the sum of its steps to come, " +
			"and the phase ends with its slowest host, or when the work divided by the steps that run at once is done.",
		"While a step to come has not ended on any host, time left is unknown. Later phases are not in it.",
	} {
		lines = append(lines, wrap(l, m.width, "  ", "  ")...)
	}
	return lines
}
