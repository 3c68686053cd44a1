package tui

import (
	"maps"
	"slices"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// sight is what the looks at one host have told.
type sight struct {
	host     string
	status   engine.Status // empty before the first step
	step     string
	since    time.Time
	note     string
	err      *engine.ErrorInfo
	facts    map[string]string
	findings []engine.Event
}

// answered says that the host could be looked at.
func (s *sight) answered() bool { return s.status.OK() }

// failed says that it could not.
func (s *sight) failed() bool { return s.status.Final() && !s.status.OK() }

// blocked says that a finding forbids to go on with the host.
func (s *sight) blocked() bool {
	return slices.ContainsFunc(s.findings, func(e engine.Event) bool { return e.Level == "block" })
}

// sights are those of all hosts. The zero value is empty. A copy made by clone
// stays as it is.
type sights struct {
	byHost   map[string]*sight
	findings []engine.Event // that concern no single host
}

// of gives what is known of a host, an empty sight for an unknown one.
func (s sights) of(host string) *sight {
	if h := s.byHost[host]; h != nil {
		return h
	}
	return &sight{host: host}
}

// begin forgets what earlier looks said of hosts that are looked at again.
func (s *sights) begin(hosts []string) {
	if s.byHost == nil {
		s.byHost = map[string]*sight{}
	}
	for _, h := range hosts {
		s.byHost[h] = &sight{host: h}
	}
	s.findings = nil
}

// apply folds one cleaned event.
func (s *sights) apply(e engine.Event) {
	h := s.byHost[e.Host]
	if h == nil {
		if e.Kind == engine.KindFinding {
			s.findings = append(slices.Clip(s.findings), e)
		}
		return
	}
	next := *h
	switch e.Kind {
	case engine.KindStepStarted, engine.KindStepWaiting:
		next.status, next.step, next.since, next.note = e.Status, e.Step, e.Time, ""
	case engine.KindStepFinished:
		next.finish(e)
	case engine.KindNote, engine.KindStepOutput:
		next.note = e.Message
	case engine.KindHostFacts:
		next.facts = e.Facts
	case engine.KindFinding:
		next.findings = append(slices.Clip(next.findings), e)
	}
	s.byHost[e.Host] = &next
}

// finish takes the end of a step. Between two good steps the host still runs; the
// first step that breaks tells why, those skipped behind it say nothing.
func (s *sight) finish(e engine.Event) {
	switch {
	case s.failed():
	case !e.Status.OK():
		s.status, s.step, s.err = e.Status, e.Step, e.Error
	case e.N > 0 && e.N < e.Of:
		s.status, s.note = engine.StatusRunning, ""
	default:
		s.status, s.step, s.note = e.Status, e.Step, ""
	}
}

func (s sights) clone() sights {
	return sights{byHost: maps.Clone(s.byHost), findings: slices.Clip(s.findings)}
}
