package render

import (
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// failure explains one failed step: what a person needs to go on without
// looking anywhere else.
func (b *summaryOf) failure(h *engine.HostState, s *engine.StepState) {
	b.linef("")
	b.linef("%s: %s %s after %s", b.text.line(h.Name), b.text.line(s.Name), b.word(engine.StatusFailed), duration(s.Elapsed))
	info := s.Error
	if info == nil {
		info = &engine.ErrorInfo{}
	}
	b.block("cause", b.text.lines(info.Cause))
	output := b.text.lines(info.Output)
	if len(output) == 0 {
		for _, l := range s.Output { // the error has none, but the step had said something
			output = append(output, b.text.line(l))
		}
	}
	for i := range output {
		output[i] = "| " + output[i]
	}
	b.block("output", output)
	b.block("hint", b.text.lines(info.Hint))
	b.block("retry", b.text.lines(info.Retry))
	if held := b.heldUp(h, s); len(held) > 0 {
		b.block("holds up", []string{strings.Join(held, ", ")})
	}
}

// heldUp names the hosts that a broken step keeps from going on.
func (b *summaryOf) heldUp(broken *engine.HostState, s *engine.StepState) []string {
	var names []string
	for _, h := range b.state.Hosts {
		for _, other := range h.Steps {
			if other.Status == engine.StatusBlocked && other.By != nil && *other.By == (engine.StepRef{Host: broken.Name, Step: s.Name}) {
				names = append(names, b.text.line(h.Name))
				break
			}
		}
	}
	return names
}

// block writes lines under a name; nothing if there are none.
func (b *summaryOf) block(name string, lines []string) {
	const column = 10 // the longest name and a colon
	head := pad(name+":", column)
	for _, l := range lines {
		b.linef("  %s", strings.TrimRight(head+l, " "))
		head = strings.Repeat(" ", column)
	}
}

// runError shows an error that no step has, such as a refused plan.
func (b *summaryOf) runError() {
	e := b.state.Error
	if e == nil {
		return
	}
	b.linef("")
	b.linef("%s: %s", b.paint.status("error", "error"), strings.Join(b.text.lines(e.Cause), "\n       "))
	b.block("hint", b.text.lines(e.Hint))
	b.block("retry", b.text.lines(e.Retry))
}

// warnings repeats them: they scrolled by long ago.
func (b *summaryOf) warnings() {
	if len(b.state.Warnings) > 0 {
		b.linef("")
	}
	for _, w := range b.state.Warnings {
		text := b.text.first(w.Message)
		if w.Host != "" {
			text = b.text.line(w.Host) + ": " + text
		}
		b.linef("%s: %s", b.paint.status("warning", "warn"), text)
	}
}

// last gives the sum of it all.
func (b *summaryOf) last() {
	s := b.state
	b.linef("")
	text := count(len(s.Hosts), "host")
	if sum := tally(s.Tally()); sum != "" {
		text += ": " + sum
	}
	if s.Finished() {
		text += ", in " + duration(s.Elapsed)
	} else {
		text += "; the events end before the run does, after " + duration(s.Now.Sub(s.Began))
	}
	b.linef("%s", text)
	if s.Status == engine.StatusCancelled && s.Command != "" {
		b.linef("go on with: %s", b.text.line(s.Command))
	}
	if n := len(s.Changes); n > 0 {
		b.linef("plan: %s", planSum(Changes(s.Changes)))
	}
	if s.File != "" {
		b.linef("log: %s", b.text.line(s.File))
	}
}
