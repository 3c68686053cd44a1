package tui

import (
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestSights(t *testing.T) {
	t.Parallel()
	var s sights
	s.begin([]string{"a"})
	step := func(kind engine.Kind, n int, st engine.Status, name string) {
		s.apply(engine.Event{Kind: kind, Host: "a", Step: name, N: n, Of: 2, Status: st, Error: errorOf(st, name)})
	}
	step(engine.KindStepStarted, 1, engine.StatusRunning, "connect")
	before := s.clone()
	step(engine.KindStepFinished, 1, engine.StatusDone, "connect")
	if h := s.of("a"); h.answered() || h.status != engine.StatusRunning {
		t.Errorf("between two steps: %+v", h)
	}
	step(engine.KindStepFinished, 2, engine.StatusUnchanged, "probe")
	if !s.of("a").answered() || before.of("a").answered() {
		t.Error("the end of the look, or its copy")
	}
	s.begin([]string{"a"})
	step(engine.KindStepFinished, 1, engine.StatusFailed, "connect")
	step(engine.KindStepFinished, 2, engine.StatusSkipped, "probe")
	if h := s.of("a"); !h.failed() || h.step != "connect" || h.err == nil {
		t.Errorf("failed: %+v", h)
	}
	s.apply(engine.Event{Kind: engine.KindFinding, Host: "a", Level: "block"})
	s.apply(engine.Event{Kind: engine.KindFinding, Level: "warn"})
	s.apply(engine.Event{Kind: engine.KindNote, Host: "a", Message: "hm"})
	s.apply(engine.Event{Kind: engine.KindNote, Host: "nobody"})
	if h := s.of("a"); !h.blocked() || h.note != "hm" || len(s.findings) != 1 || s.of("nobody").failed() {
		t.Errorf("%+v, %d for all", h, len(s.findings))
	}
}

func errorOf(st engine.Status, step string) *engine.ErrorInfo {
	if st != engine.StatusFailed {
		return nil
	}
	return &engine.ErrorInfo{Cause: step + " broke"}
}
