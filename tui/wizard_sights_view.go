package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// sightsHeight is how many hosts the list shows; the details get the rest.
func (m wizardModel) sightsHeight() int {
	return max(min(len(m.hosts), (m.bodyHeight()-2)/2), 1)
}

// sightsLines draws the list of hosts and the details of the one at the cursor.
func (m wizardModel) sightsLines() []string {
	h := m.sightsHeight()
	nameLen := 8
	for _, host := range m.hosts {
		nameLen = max(nameLen, width(host.Name))
	}
	nameLen = min(nameLen, max(m.width/4, 14))
	lines := []string{m.sightsHead(nameLen)}
	for i := m.top; i < min(m.top+h, len(m.hosts)); i++ {
		lines = append(lines, m.sightRow(i, nameLen))
	}
	title := fmt.Sprintf("%s%s %s ", m.sym.rule, m.sym.rule, m.cursorHost())
	lines = append(lines, m.dim.Render(fit(title, min(width(title), m.width))+strings.Repeat(m.sym.rule, max(m.width-width(title), 0))))
	return append(lines, m.text.view()...)
}

func (m wizardModel) cursorHost() string {
	if m.cur < len(m.hosts) {
		return m.hosts[m.cur].Name
	}
	return ""
}

func (m wizardModel) sightsHead(nameLen int) string {
	head := "  " + fit("HOST", nameLen) + " " + fit("ADDRESS", addressWidth) + " STATE"
	if m.step == stepLook {
		head = "  " + fit("HOST", nameLen) + " " + fit("GPUS", gpusWidth) + " " + fit("DRIVER", driverWidth) + " FINDINGS"
	}
	if n, h := len(m.hosts), m.sightsHeight(); n > h {
		where := fmt.Sprintf("%d-%d of %d", m.top+1, min(m.top+h, n), n)
		head = fit(head, m.width-len(where)-1) + " " + where
	}
	return m.header.Render(fit(head, m.width))
}

const (
	addressWidth = 22
	gpusWidth    = 28
	driverWidth  = 12
)

func (m wizardModel) sightRow(i, nameLen int) string {
	host := m.hosts[i]
	name := fitMiddle(host.Name, nameLen)
	row := "  " + name
	if i == m.cur {
		row = m.styles.key.Render(m.sym.cursor) + " " + m.bold.Render(name)
	}
	if m.step == stepLook {
		return row + " " + m.lookCells(host.Name)
	}
	return row + " " + fit(host.Address, addressWidth) + " " + m.sightState(host.Name)
}

// sightState says in words how far the look at a host is.
func (m wizardModel) sightState(host string) string {
	s := m.sights.of(host)
	_, seen := m.seen[host]
	switch {
	case slices.Contains(m.draft.Dropped, host):
		return m.dim.Render(m.sym.skipped + " left out")
	case s.failed():
		return m.mark(s.status) + " " + m.bad.Render(s.step+": "+cause(s.err))
	case s.answered() && seen:
		return m.mark(engine.StatusDone) + " " + m.good.Render("answered")
	case s.answered():
		return m.mark(engine.StatusRunning) + " answered, being judged"
	case s.status == "":
		return m.mark("") + " " + m.dim.Render("queued")
	}
	text := s.step
	if s.note != "" {
		text += ": " + s.note
	}
	return m.mark(s.status) + " " + text + " " + m.dim.Render(short(m.now.Sub(s.since)))
}

func cause(e *engine.ErrorInfo) string {
	if e == nil {
		return "no reason given"
	}
	return firstLine(e.Cause)
}

// lookCells are what one looks for first in a host.
func (m wizardModel) lookCells(host string) string {
	if slices.Contains(m.draft.Dropped, host) {
		return m.dim.Render(m.sym.skipped + " left out")
	}
	s := m.sights.of(host)
	counts := map[string]int{}
	for _, f := range s.findings {
		counts[f.Level]++
	}
	var found []string
	for _, level := range []string{"block", "warn", "info"} {
		if n := counts[level]; n > 0 {
			style, sign := m.level(level)
			found = append(found, style.Render(fmt.Sprintf("%s %d", sign, n)))
		}
	}
	if len(found) == 0 {
		found = []string{m.good.Render(m.sym.done + " none")}
	}
	return fit(fact(s, "gpus"), gpusWidth) + " " + fit(fact(s, "driver"), driverWidth) + " " + strings.Join(found, "  ")
}

func fact(s *sight, name string) string {
	if v := s.facts[name]; v != "" {
		return v
	}
	return "none"
}

// sightDetail is all that is known of the host at the cursor.
func (m wizardModel) sightDetail() []string {
	var lines []string
	if m.lookErr != nil {
		lines = append(lines, wrap(clean(m.lookErr.Error()), m.width, m.bad.Render(m.sym.failed)+" ", "  ")...)
	}
	host := m.cursorHost()
	s := m.sights.of(host)
	if s.err != nil {
		lines = append(lines, m.errorInfo(s.err, m.width)...)
		switch {
		case slices.Contains(m.draft.Dropped, host):
			lines = append(lines, "", m.dim.Render("left out; x takes it back"))
		case s.failed():
			lines = append(lines, "", m.dim.Render("r tries this host again, x leaves it out"))
		}
	}
	findings := slices.Concat(s.findings, m.sights.findings)
	if m.step == stepLook && len(findings) > 0 {
		lines = append(lines, m.findingLines(findings, m.width)...)
	}
	for _, k := range slices.Sorted(maps.Keys(s.facts)) {
		lines = append(lines, wrap(s.facts[k], m.width, "  "+fit(clean(k), 12), spaces(14))...)
	}
	if len(lines) == 0 {
		return []string{m.dim.Render("  nothing seen yet")}
	}
	return lines
}
