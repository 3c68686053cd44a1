package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func fold(events ...engine.Event) *engine.State {
	var s engine.State
	for _, e := range events {
		s.Apply(e)
	}
	return &s
}

func TestFoldOfEveryKind(t *testing.T) {
	t.Parallel()
	s := fold(samples()...)
	if s.Version != 1 || s.Command != "gpuboot up gpu.yaml" || s.File != "/tmp/run.jsonl" || s.Phase != "converge" {
		t.Errorf("frame %+v", s)
	}
	if !s.Finished() || s.Status != engine.StatusFailed || s.Elapsed != 61*time.Second {
		t.Errorf("end %s after %s", s.Status, s.Elapsed)
	}
	if len(s.Findings) != 1 || len(s.Changes) != 1 || len(s.Warnings) != 1 {
		t.Errorf("%d findings, %d changes, %d warnings", len(s.Findings), len(s.Changes), len(s.Warnings))
	}
	if len(s.Hosts) != 2 || s.Hosts[0].Name != "cp1" || s.Host("gpu1").Facts["gpus"] != "8" || s.Host("nobody") != nil {
		t.Errorf("hosts %+v", s.Hosts)
	}
	cp1 := s.Host("cp1")
	broken := cp1.Broken()
	if len(broken) != 1 || broken[0].Error.Cause != "unit died" || broken[0].Done != 5 || len(broken[0].Output) != 1 {
		t.Errorf("broken %+v", broken)
	}
	if got := s.Tally(); got != (engine.Tally{Failed: 1, Waiting: 1}) {
		t.Errorf("tally %+v", got)
	}
	if got := cp1.Tally(); got != (engine.Tally{Failed: 1}) {
		t.Errorf("tally of cp1 %+v", got)
	}
}

func TestHostStatusOverTime(t *testing.T) {
	t.Parallel()
	const h = "gpu1"
	phase := engine.Event{Kind: engine.KindPhaseStarted, Message: "p", Lanes: []string{h}}
	ended := engine.Event{Kind: engine.KindPhaseFinished, Message: "p"}
	at := func(k engine.Kind, step string, n int, s engine.Status) engine.Event {
		return engine.Event{Kind: k, Host: h, Step: step, N: n, Of: 2, Status: s}
	}
	started := at(engine.KindStepStarted, "one", 1, engine.StatusRunning)
	oneDone := at(engine.KindStepFinished, "one", 1, engine.StatusDone)
	twoSame := at(engine.KindStepFinished, "two", 2, engine.StatusUnchanged)
	for i, c := range []struct {
		events []engine.Event
		want   engine.Status
		step   string
	}{
		{[]engine.Event{phase}, "", ""},
		{[]engine.Event{phase, started}, engine.StatusRunning, "one"},
		{[]engine.Event{phase, started, oneDone}, engine.StatusWaiting, "one"},
		{[]engine.Event{phase, started, oneDone, at(engine.KindStepWaiting, "two", 2, engine.StatusWaiting)}, engine.StatusWaiting, "two"},
		{[]engine.Event{phase, started, oneDone, twoSame}, engine.StatusDone, "two"},
		{[]engine.Event{phase, started, oneDone, twoSame, ended, phase}, engine.StatusWaiting, "two"},
		{[]engine.Event{phase, started, oneDone, twoSame, ended, phase, ended}, engine.StatusDone, "two"},
		{[]engine.Event{phase, started, oneDone, twoSame, ended, phase, started}, engine.StatusRunning, "one"},
		{[]engine.Event{phase, at(engine.KindStepFinished, "one", 1, engine.StatusFailed), at(engine.KindStepFinished, "two", 2, engine.StatusSkipped)},
			engine.StatusFailed, "one"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			host := fold(c.events...).Host(h)
			step := ""
			if cur := host.Current(); cur != nil {
				step = cur.Name
			}
			if got := host.Status(); got != c.want || step != c.step {
				t.Errorf("%q at %q, want %q at %q", got, step, c.want, c.step)
			}
		})
	}
}

func TestFoldKeepsOnlyTheLastOutput(t *testing.T) {
	t.Parallel()
	var s engine.State
	for i := range 1000 {
		s.Apply(engine.Event{Kind: engine.KindStepOutput, Host: "a", Step: "s", Message: fmt.Sprint(i)})
	}
	out := s.Host("a").Steps[0].Output
	if len(out) != 40 || out[0] != "960" || out[39] != "999" || cap(out) > 200 {
		t.Errorf("%d lines, %q to %q, room for %d", len(out), out[0], out[len(out)-1], cap(out))
	}
	s.Apply(engine.Event{Kind: engine.KindStepFinished, Host: "a", Step: "s", Status: engine.StatusUnchanged, Message: "is there"})
	if step := s.Host("a").Steps[0]; step.Output != nil || step.Note != "is there" {
		t.Errorf("step %+v", step)
	}
}

func TestFoldTakesAStreamThatBeginsInTheMiddle(t *testing.T) {
	t.Parallel()
	for cut := range samples() {
		s := fold(samples()[cut:]...)
		for _, h := range s.Hosts {
			h.Status()
			h.Current()
			h.Broken()
		}
	}
	if s := fold(engine.Event{Kind: engine.KindNote, Message: "about nobody"}); len(s.Hosts) != 0 {
		t.Error("a note without host made a host")
	}
}
