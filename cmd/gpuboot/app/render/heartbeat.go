package render

import (
	"context"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// heartbeatLines is how many silent steps one Tick names. The rest is counted:
// a large fleet at work must not fill the log.
const heartbeatLines = 5

// Tick says which steps still run although nothing was heard of them for a
// while, and what they wait for. A reader then knows waiting from hanging.
func (p *Plain) Tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.summed { // a last tick must not follow the last word
		return
	}
	named, more := 0, 0
	for _, h := range p.state.Hosts {
		s := h.Current()
		if s == nil || s.Status != engine.StatusRunning {
			continue
		}
		ref := engine.StepRef{Host: h.Name, Step: s.Name}
		if now.Sub(p.spoke[ref]) < p.opt.Quiet {
			continue
		}
		if named == heartbeatLines {
			more++
			p.spoke[ref] = now
			continue
		}
		named++
		text := "runs for " + duration(now.Sub(s.Since))
		if s.Note != "" {
			text += ": " + p.text.first(s.Note)
		}
		p.stepLine(engine.Event{Time: now, Host: h.Name, Step: s.Name}, text)
	}
	if more > 0 {
		p.say("and %s more", count(more, "step"))
	}
}

// Heartbeat calls Tick now and then until ctx ends. The clock now is the one
// that stamps the events.
func (p *Plain) Heartbeat(ctx context.Context, now func() time.Time) {
	t := time.NewTicker(max(p.opt.Quiet/3, time.Millisecond))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			p.Tick(now())
		}
	}
}
