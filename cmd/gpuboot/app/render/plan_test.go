package render_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	var s engine.State
	replay(t, record(t, scenes()["fresh"]), s.Apply)
	plan := render.Changes(s.Changes)
	var text, machine bytes.Buffer
	if err := render.Plan(&text, plan); err != nil {
		t.Fatal(err)
	}
	if err := render.PlanJSON(&machine, plan); err != nil {
		t.Fatal(err)
	}
	golden(t, "plan.txt", text.Bytes())
	golden(t, "plan.json", machine.Bytes())
}

func TestEmptyPlan(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := render.Plan(&b, render.Changes([]engine.Event{{Kind: engine.KindNote}, {Kind: engine.KindPlanChange}})); err != nil {
		t.Fatal(err)
	}
	if err := render.PlanJSON(&b, nil); err != nil {
		t.Fatal(err)
	}
	if want := "no changes\n" + `{"hosts":[],"changes":0,"disruptive":0}` + "\n"; b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

func TestSummaryOfALargeFleetIsComplete(t *testing.T) {
	t.Parallel()
	var s engine.State
	for i := range 200 {
		status := engine.StatusUnchanged
		switch {
		case i%3 == 0:
			status = engine.StatusDone
		case i == 100:
			status = engine.StatusFailed
		}
		s.Apply(engine.Event{Kind: engine.KindStepFinished, Host: fmt.Sprintf("gpu%03d", i), Step: "check", N: 1, Of: 1, Status: status})
	}
	var b bytes.Buffer
	if err := render.Summary(&b, &s, false); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if lines := strings.Count(text, "\n"); lines > 12 {
		t.Errorf("%d lines", lines)
	}
	for i := range 200 {
		if !strings.Contains(text, fmt.Sprintf("gpu%03d", i)) {
			t.Errorf("gpu%03d is not in it", i)
		}
	}
	if !strings.Contains(text, "\ngpu100  failed     at check (1 of 1)\n") {
		t.Errorf("got:\n%s", text)
	}
}

func TestErrorOfTheRunIsShown(t *testing.T) {
	t.Parallel()
	s := engine.State{Error: &engine.ErrorInfo{Cause: "two servers\ndisagree", Hint: "gpuboot plan"}, Status: engine.StatusFailed}
	var b bytes.Buffer
	if err := render.Summary(&b, &s, false); err != nil {
		t.Fatal(err)
	}
	want := "\nerror: two servers\n       disagree\n  hint:     gpuboot plan\n\n0 hosts, in 0s\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

func TestHeartbeatNamesSilentSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out, errs bytes.Buffer
		p := render.NewPlain(render.Options{Out: &out, Err: &errs})
		event := func(k engine.Kind, host, message string) {
			p.Sink(engine.Event{Time: time.Now(), Kind: k, Host: host, Step: "join", N: 1, Of: 1, Status: engine.StatusRunning, Message: message})
		}
		go p.Heartbeat(t.Context(), time.Now)
		for i := range 7 {
			event(engine.KindStepStarted, fmt.Sprintf("gpu%d", i), "")
		}
		event(engine.KindNote, "gpu0", "node gpu0 to be Ready")
		time.Sleep(20 * time.Second)
		event(engine.KindNote, "gpu1", "node gpu1 to be Ready") // has spoken, so it is not silent
		time.Sleep(20 * time.Second)
		synctest.Wait()
		want := `gpu1  join  node gpu1 to be Ready
gpu0  join  runs for 30s: node gpu0 to be Ready
gpu2  join  runs for 30s
gpu3  join  runs for 30s
gpu4  join  runs for 30s
gpu5  join  runs for 30s
and 1 step more
`
		if got := errs.String(); got != want {
			t.Errorf("got:\n%s", got)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		before := errs.Len()
		p.Tick(time.Now().Add(time.Hour))
		if errs.Len() != before {
			t.Error("a heartbeat after the summary")
		}
		if !strings.Contains(out.String(), "events end before the run does") {
			t.Errorf("the summary is %q", out.String())
		}
	})
}
