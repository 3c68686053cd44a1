package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// resultEvent shows findings, facts and the plan as they come, if the event is
// one of them: a question whether to go on must find them on the screen.
func (p *Plain) resultEvent(e engine.Event) bool {
	if e.Kind != engine.KindPlanChange {
		p.planned = ""
	}
	switch e.Kind {
	case engine.KindFinding:
		p.result("%s", findingText(e, p.text, palette{p.opt.OutColour}))
	case engine.KindHostFacts:
		p.facts(e)
	case engine.KindPlanChange:
		p.change(e)
	default:
		return false
	}
	return true
}

// findingText gives a finding: level, host, summary and name, then evidence and
// fix, each line of them under the first.
func findingText(e engine.Event, t cleaner, c palette) string {
	var b strings.Builder
	b.WriteString(c.status(pad(t.line(e.Level), 5), e.Level) + "  ")
	if e.Host != "" {
		b.WriteString(t.line(e.Host) + ": ")
	}
	b.WriteString(t.first(e.Message))
	if e.ID != "" {
		b.WriteString("  [" + t.line(e.ID) + "]")
	}
	b.WriteString("\n")
	for _, part := range []struct{ name, text string }{{"evidence", e.Evidence}, {"fix", e.Fix}} {
		indent := "       " + part.name + ": "
		for _, l := range t.lines(part.text) {
			b.WriteString(indent + l + "\n")
			indent = strings.Repeat(" ", len(indent))
		}
	}
	return b.String()
}

func (p *Plain) facts(e engine.Event) {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(e.Facts)) {
		parts = append(parts, p.text.line(k)+" "+p.text.line(e.Facts[k]))
	}
	p.result("%s  %s\n", p.column(&p.hostWidth, e.Host), strings.Join(parts, ", "))
}

func (p *Plain) change(e engine.Event) {
	if e.Change == nil {
		return
	}
	if p.planned != e.Host {
		p.planned = e.Host
		p.result("%s:\n", p.text.line(e.Host))
	}
	t := changeText{p.text, palette{p.opt.OutColour}}
	p.result("%s\n", t.change(*e.Change))
}
