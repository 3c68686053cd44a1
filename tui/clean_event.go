package tui

import (
	"maps"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// cleanEvent makes every text of an event safe to draw, once, before it is kept.
// What the event points to may be shared with other sinks and is copied first.
func cleanEvent(e engine.Event) engine.Event {
	for _, s := range []*string{&e.Host, &e.Step, &e.Gate, &e.Message, &e.File, &e.Unit, &e.ID} {
		*s = clean(*s)
	}
	e.Fix, e.Evidence = cleanText(e.Fix), cleanText(e.Evidence)
	if e.By != nil {
		by := engine.StepRef{Host: clean(e.By.Host), Step: clean(e.By.Step)}
		e.By = &by
	}
	if e.Error != nil {
		info := engine.ErrorInfo{Cause: cleanText(e.Error.Cause), Output: cleanText(e.Error.Output), Hint: cleanText(e.Error.Hint), Retry: clean(e.Error.Retry)}
		e.Error = &info
	}
	if e.Change != nil {
		c := *e.Change
		c.Action, c.What, c.Reason = clean(c.Action), clean(c.What), clean(c.Reason)
		e.Change = &c
	}
	if e.Facts != nil {
		e.Facts = maps.Clone(e.Facts)
		for k, v := range e.Facts {
			e.Facts[k] = clean(v)
		}
	}
	for i, name := range e.Lanes {
		if !plain(name) {
			e.Lanes = append([]string(nil), e.Lanes...)
			e.Lanes[i] = clean(name)
		}
	}
	return e
}

// cleanText cleans a text that may have several lines and keeps their breaks.
func cleanText(s string) string { return strings.Join(cleanLines(s), "\n") }
