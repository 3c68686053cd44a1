package render

import (
	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// stepEvent shows what happens to a step, if the event is about that.
func (p *Plain) stepEvent(e engine.Event) bool {
	ref := engine.StepRef{Host: e.Host, Step: e.Step}
	switch e.Kind {
	case engine.KindStepStarted:
		if p.opt.Verbose {
			p.stepLine(e, "begins")
		}
		p.spoke[ref] = e.Time
	case engine.KindStepWaiting:
		p.stepLine(e, p.waiting(e))
	case engine.KindStepProgress:
		p.progress(e, ref)
	case engine.KindStepOutput:
		if p.opt.Verbose {
			p.stepLine(e, "| "+p.text.line(e.Message))
		}
	case engine.KindStepFinished:
		p.finished(e)
		delete(p.spoke, ref)
		delete(p.complete, ref)
	default:
		return false
	}
	return true
}

func (p *Plain) waiting(e engine.Event) string {
	text := p.errWord("waits", engine.StatusWaiting) + " for " + p.text.line(e.Gate)
	if e.By != nil {
		text += " (" + p.text.line(e.By.String()) + ")"
	}
	return text
}

// progress shows a step's progress now and then, and always its completion.
func (p *Plain) progress(e engine.Event, ref engine.StepRef) {
	complete := e.Total > 0 && e.Done >= e.Total
	if !complete {
		delete(p.complete, ref)
	}
	if complete && p.complete[ref] == e.Total || !complete && !p.due(e) {
		return
	}
	if complete {
		p.complete[ref] = e.Total
	}
	text := progress(e.Done, e.Total, p.text.line(e.Unit))
	if h := p.state.Host(e.Host); h != nil && h.Current() != nil && h.Current().Note != "" {
		text += "  " + p.text.first(h.Current().Note)
	}
	p.stepLine(e, text)
}

// statusWidth fits the longest final status.
const statusWidth = len(engine.StatusUnchanged)

// finished shows how a step ended. Skipped steps have no line: the step that
// broke has one, and the summary counts them.
func (p *Plain) finished(e engine.Event) {
	word := p.errWord(pad(string(e.Status), statusWidth), e.Status)
	switch e.Status {
	case engine.StatusDone, engine.StatusUnchanged:
		text := word + "  " + duration(e.Elapsed)
		if e.Message != "" {
			text += "  " + p.text.first(e.Message)
		}
		p.stepLine(e, text)
	case engine.StatusFailed:
		text := word + "  " + duration(e.Elapsed)
		if e.Error != nil {
			text += "  " + p.text.first(e.Error.Cause)
		}
		p.stepLine(e, text)
	case engine.StatusBlocked:
		if e.By != nil {
			word += "  by " + p.text.line(e.By.String())
		}
		p.stepLine(e, word)
	case engine.StatusCancelled:
		if e.Elapsed > 0 || e.Error != nil {
			p.stepLine(e, word+"  "+duration(e.Elapsed))
		}
	}
}

func (p *Plain) errWord(word string, s engine.Status) string {
	return palette{p.opt.ErrColour}.status(word, string(s))
}
