package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// resultEvent shows findings, facts and the plan as they come, if the event is
// one of them: a question whether to go on must find them on the screen. Equal
// findings of several hosts wait for each other and become one.
func (p *Plain) resultEvent(e engine.Event) bool {
	if e.Kind != engine.KindPlanChange {
		p.planned = ""
	}
	if len(p.alike) > 0 && !sameFinding(p.alike[0], e) {
		p.flushFindings()
	}
	switch e.Kind {
	case engine.KindFinding:
		p.alike = append(p.alike, e)
	case engine.KindHostFacts:
		p.facts(e)
	case engine.KindPlanChange:
		p.change(e)
	default:
		return false
	}
	return true
}

func (p *Plain) flushFindings() {
	if len(p.alike) > 0 {
		p.result("%s", findingText(p.alike, p.text, palette{p.opt.OutColour}))
		p.alike = nil
	}
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
