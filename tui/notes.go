package tui

import (
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// notes lists findings, warnings and a plan.
func (s styles) notes(findings, warnings, changes []engine.Event, w int) []string {
	var lines []string
	if len(findings)+len(warnings) > 0 {
		lines = append(lines, s.header.Render("Findings and warnings"))
	}
	lines = append(lines, s.findingLines(findings, w)...)
	for _, e := range warnings {
		style, sign := s.level("warn")
		lines = append(lines, wrap(hostPrefix(e.Host)+e.Message, w, style.Render(sign)+" ", "    ")...)
	}
	if len(changes) > 0 {
		lines = append(lines, "", s.header.Render("Plan"))
	}
	for _, e := range changes {
		lines = append(lines, s.changeLines(e, w)...)
	}
	if len(lines) == 0 {
		return []string{"No findings, no warnings, no plan so far."}
	}
	return lines
}

// findingLines draws findings with their evidence and fix.
func (s styles) findingLines(findings []engine.Event, w int) []string {
	var lines []string
	for _, f := range findings {
		style, sign := s.level(f.Level)
		lines = append(lines, wrap(hostPrefix(f.Host)+f.Message+" ["+f.ID+"]", w, style.Render(sign)+" ", "    ")...)
		for _, l := range cleanLines(f.Evidence) {
			lines = append(lines, wrap(l, w, "    seen: ", "          ")...)
		}
		for _, l := range cleanLines(f.Fix) {
			lines = append(lines, wrap(l, w, "    fix:  ", "          ")...)
		}
	}
	return lines
}

func (s styles) changeLines(e engine.Event, w int) []string {
	if e.Change == nil {
		return nil
	}
	text := fmt.Sprintf("%s: %s %s", e.Host, e.Change.Action, e.Change.What)
	if e.Change.Reason != "" {
		text += " (" + e.Change.Reason + ")"
	}
	if e.Change.Disruptive {
		text += " " + s.warn.Render(s.sym.blocked+" disturbs running work")
	}
	return wrap(text, w, "  ", "      ")
}

func hostPrefix(host string) string {
	if host == "" {
		return ""
	}
	return host + ": "
}

// errorInfo draws an error: cause, hint, retry and the tail of the output.
func (s styles) errorInfo(e *engine.ErrorInfo, w int) []string {
	var lines []string
	for _, part := range []struct{ label, text string }{{"cause", e.Cause}, {"hint", e.Hint}, {"retry", e.Retry}} {
		if part.text == "" {
			continue
		}
		label := "  " + s.bold.Render(fit(part.label+":", 7))
		for i, l := range strings.Split(part.text, "\n") {
			if i > 0 {
				label = spaces(9)
			}
			lines = append(lines, wrap(l, w, label, spaces(9))...)
		}
	}
	if e.Output == "" {
		return lines
	}
	lines = append(lines, "  "+s.bold.Render("output:"))
	for l := range strings.SplitSeq(e.Output, "\n") {
		lines = append(lines, wrap(l, w, "    ", "      ")...)
	}
	return lines
}
