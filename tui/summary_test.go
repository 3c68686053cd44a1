package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// stoppedTrio is the fresh run, stopped by its user.
func stoppedTrio() *script {
	s := freshTrio()
	s.pass(time.Second)
	for _, c := range []struct {
		j    job
		from int
	}{{job{"server1", serverSteps()}, 2}, {job{"gpu2", workerSteps()}, 1}, {job{"gpu1", workerSteps()}, 2}} {
		for n := c.from; n <= len(c.j.steps); n++ {
			e := c.j.event(engine.KindStepFinished, n, engine.StatusCancelled)
			if n == c.from && c.j.host != "gpu1" {
				e.Elapsed, e.Error = 10*time.Second, &engine.ErrorInfo{Cause: "context canceled"}
			}
			s.emit(e)
		}
	}
	s.endPhase(phaseApply)
	s.end(engine.StatusCancelled, 15*time.Second)
	return s
}

// wellDone is a small run that succeeded.
func wellDone() *script {
	s := newScript()
	s.run("gpuboot verify train.yaml")
	j := job{"gpu1", []string{"cuda", "network"}}
	s.phase("verify", "gpu1")
	s.start(j, 1)
	s.done(j, 1, time.Second)
	s.start(j, 2)
	s.unchanged(j, 2, time.Second, "nothing to do")
	s.emit(engine.Event{Kind: engine.KindNote, Level: "warn", Host: "gpu1", Message: "the disk is nearly full"})
	s.end(engine.StatusDone, 2*time.Second)
	return s
}

// alike is a fleet whose hosts fail in the same way, and talk a lot about it.
func alike() *script {
	s := newScript()
	s.run("gpuboot up fleet.yaml")
	var hosts []string
	for i := range 60 {
		hosts = append(hosts, fmt.Sprintf("gpu%02d", i))
	}
	s.phase(phaseApply, hosts...)
	for _, h := range hosts {
		j := job{h, workerSteps()}
		s.start(j, 1)
		s.fail(j, 1, time.Second, engine.ErrorInfo{Cause: "no space left on device", Output: strings.Repeat("df: full\n", 30)})
	}
	return s
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*script{
		"broken": brokenTrio(), "stopped": stoppedTrio(), "cut": freshTrio(), "done": wellDone(), "alike": alike(), "nothing": newScript(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var state engine.State
			for _, e := range s.events {
				state.Apply(e)
			}
			var b strings.Builder
			if err := Summary(&b, &state); err != nil {
				t.Fatal(err)
			}
			golden.RequireEqual(t, []byte(b.String()))
		})
	}
}

func TestManyCausesAreCutShort(t *testing.T) {
	t.Parallel()
	var state engine.State
	for i := range 2 * summaryGroups {
		state.Apply(engine.Event{Kind: engine.KindStepFinished, Host: fmt.Sprint("h", i), Step: "s", N: 1, Of: 1,
			Status: engine.StatusFailed, Error: &engine.ErrorInfo{Cause: fmt.Sprint("cause ", i)}})
	}
	var b strings.Builder
	if err := Summary(&b, &state); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "more hosts failed in other ways") || strings.Contains(b.String(), fmt.Sprint("cause ", summaryGroups)) {
		t.Error(b.String())
	}
}
