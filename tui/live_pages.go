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
			lines = m.notes(m.snap.findings, m.snap.warnings, m.snap.changes, m.width)
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
