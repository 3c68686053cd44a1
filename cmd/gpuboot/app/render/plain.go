package render

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Plain shows a run as lines of text, for people without a terminal view and
// for logs of build systems. Safe for concurrent use.
type Plain struct {
	mu    sync.Mutex
	opt   Options
	state engine.State
	text  cleaner

	hostWidth, stepWidth int
	spoke                map[engine.StepRef]time.Time // when a step last had a line, or began
	complete             map[engine.StepRef]int64     // total of the transfer whose end was shown
	planned              string                       // host of the plan's last line
	alike                []engine.Event               // equal findings of several hosts, not shown yet
	summed               bool
	err                  error
}

// NewPlain makes a plain renderer.
func NewPlain(opt Options) *Plain {
	if opt.Every <= 0 {
		opt.Every = defaultEvery
	}
	if opt.Quiet <= 0 {
		opt.Quiet = defaultQuiet
	}
	return &Plain{
		opt: opt, text: newCleaner(),
		spoke: make(map[engine.StepRef]time.Time), complete: make(map[engine.StepRef]int64),
	}
}

// Sink shows one event. The end of the run brings the summary.
func (p *Plain) Sink(e engine.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Apply(e)
	if p.resultEvent(e) || p.stepEvent(e) {
		return
	}
	switch e.Kind {
	case engine.KindPhaseStarted:
		for _, name := range e.Lanes {
			p.column(&p.hostWidth, name)
		}
		p.say("%s: %s", p.text.line(e.Message), count(len(e.Lanes), "host"))
	case engine.KindGateOpened:
		if p.opt.Verbose {
			p.stepLine(e, "opens "+p.text.line(e.Gate))
		}
	case engine.KindNote:
		p.note(e)
	case engine.KindRunFinished:
		p.summary()
	}
}

// Close shows the summary if the stream ended without its end of the run, as
// that of a crashed run does. Its error is the first one of writing results.
func (p *Plain) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.summary()
	return p.err
}

func (p *Plain) summary() {
	if p.summed {
		return
	}
	p.summed = true
	p.flushFindings()
	p.result("%s", summaryText(&p.state, p.text, palette{p.opt.OutColour}))
}

// result writes to stdout; a first error ends that.
func (p *Plain) result(format string, args ...any) {
	if p.err != nil {
		return
	}
	if _, err := fmt.Fprintf(p.opt.Out, format, args...); err != nil {
		p.err = fmt.Errorf("writing results: %w", err)
	}
}

// say writes a line to stderr. Nothing could be done about an error there.
func (p *Plain) say(format string, args ...any) {
	_, _ = io.WriteString(p.opt.Err, fmt.Sprintf(format, args...)+"\n")
}

// stepLine writes a line about a step and notes that it has spoken.
func (p *Plain) stepLine(e engine.Event, text string) {
	p.spoke[engine.StepRef{Host: e.Host, Step: e.Step}] = e.Time
	p.say("%s  %s  %s", p.column(&p.hostWidth, e.Host), p.column(&p.stepWidth, e.Step), text)
}

// column pads a name to its column, which grows with its names and never gets
// narrower. A name over 40 columns shifts its own line only.
func (p *Plain) column(w *int, name string) string {
	name = p.text.line(name)
	if n := width(name); n <= 40 {
		*w = max(*w, n)
	}
	return pad(name, *w)
}

func (p *Plain) note(e engine.Event) {
	text := p.text.first(e.Message)
	switch {
	case e.Level == "warn":
		word := palette{p.opt.ErrColour}.status("warning", "warn")
		if e.Host != "" {
			text = p.text.line(e.Host) + ": " + text
		}
		p.say("%s: %s", word, text)
	case e.Step == "" || e.Host == "":
		p.say("note: %s", text)
	case p.opt.Verbose || p.due(e):
		p.stepLine(e, text)
	}
}

// due says whether a step may have another line.
func (p *Plain) due(e engine.Event) bool {
	last, known := p.spoke[engine.StepRef{Host: e.Host, Step: e.Step}]
	return !known || e.Time.Sub(last) >= p.opt.Every
}
