package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

var errBoom = errors.New("boom")

func TestRunOpensGatesAndReportsInLaneOrder(t *testing.T) {
	t.Parallel()
	rec := &tape{t: t}
	rep := engine.Run(t.Context(), []engine.Lane{
		lane("w1", needs(step("join", ok), "api", "token")),
		lane("cp1", opens(step("start", fails(engine.Unchanged("runs already"))), "api", "token")),
		lane("idle"),
	}, engine.Options{Sink: rec.sink})
	if err := rep.Err(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []engine.Status{engine.StatusDone, engine.StatusUnchanged, engine.StatusUnchanged} {
		if got := rep.Lanes[i].Status; got != want {
			t.Errorf("lane %s is %s, want %s", rep.Lanes[i].Name, got, want)
		}
	}
	want := `step.waiting w1/join waiting gate=api by=cp1/start
step.started cp1/start running
step.finished cp1/start unchanged
gate.opened cp1/start gate=api
gate.opened cp1/start gate=token
step.started w1/join running
step.finished w1/join done
`
	if got := rec.lines(); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if e := rec.all()[2]; e.Message != "runs already" || e.N != 1 || e.Of != 1 || e.Time.IsZero() {
		t.Errorf("finished event %+v", e)
	}
}

func TestFailureEndsItsLaneAndBlocksOnlyThoseWhoWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rec := &tape{t: t}
		rep := engine.Run(t.Context(), []engine.Lane{
			lane("cp1", step("fetch", ok), opens(step("start", fails(errBoom)), "api"), opens(step("verify", ok), "proof")),
			lane("w1", step("fetch", ok), opens(needs(step("join", ok), "api"), "w1-ready"), step("label", ok)),
			lane("w2", needs(step("rdma", ok), "w1-ready")),
			lane("solo", step("fetch", func(context.Context, engine.Reporter) error {
				time.Sleep(time.Hour)
				return nil
			})),
		}, engine.Options{Sink: rec.sink, Retry: func(host, step string) string { return "retry " + host }})

		want := `step.finished cp1/start failed "boom"
step.finished cp1/verify skipped by=cp1/start
gate.failed cp1/start gate=api by=cp1/start
step.finished w1/join blocked gate=api by=cp1/start "gate \"api\" stays shut: cp1 broke at step \"start\""
step.finished w1/label skipped by=cp1/start
gate.failed w1/join gate=w1-ready by=cp1/start
step.finished w2/rdma blocked gate=w1-ready by=cp1/start "gate \"w1-ready\" stays shut: cp1 broke at step \"start\""
gate.failed cp1/verify gate=proof by=cp1/start
step.finished solo/fetch done
`
		var got strings.Builder
		for _, e := range rec.all() {
			if e.Step == "fetch" && e.Host != "solo" || e.Kind == engine.KindStepStarted || e.Kind == engine.KindStepWaiting {
				continue
			}
			got.WriteString(brief(e) + "\n")
			if e.Status == engine.StatusFailed && e.Error.Retry != "retry cp1" {
				t.Errorf("retry is %q", e.Error.Retry)
			}
		}
		sameLines(t, got.String(), want)
		checkChainReport(t, rep)
	})
}

// sameLines compares without order: two lanes' events may interleave.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	missing := make(map[string]int)
	for l := range strings.SplitSeq(want, "\n") {
		missing[l]++
	}
	for l := range strings.SplitSeq(got, "\n") {
		missing[l]--
		if missing[l] < 0 {
			t.Errorf("not expected: %s", l)
		}
	}
	for l, n := range missing {
		if n > 0 {
			t.Errorf("missing: %s", l)
		}
	}
}

func checkChainReport(t *testing.T, rep engine.Report) {
	t.Helper()
	err := rep.Err()
	if !errors.Is(err, errBoom) || err.Error() != "cp1: start: boom" {
		t.Errorf("error %q, want only the step that broke", err)
	}
	w2, _ := rep.Lane("w2")
	var gate *engine.GateError
	if !errors.As(w2.Steps[0].Err, &gate) || gate.Host != "cp1" || gate.Step != "start" || gate.Gate != "w1-ready" {
		t.Errorf("w2 is blocked by %v", w2.Steps[0].Err)
	}
	if !errors.Is(w2.Steps[0].Err, errBoom) {
		t.Error("the cause is lost on the way")
	}
	if solo, _ := rep.Lane("solo"); solo.Status != engine.StatusDone {
		t.Errorf("solo is %s", solo.Status)
	}
	if rep.Status() != engine.StatusFailed || rep.Stopped != nil || rep.Elapsed != time.Hour {
		t.Errorf("status %s, stopped %v, elapsed %s", rep.Status(), rep.Stopped, rep.Elapsed)
	}
}

func TestVitalLaneStopsTheRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := func(context.Context, engine.Reporter) error {
			time.Sleep(time.Minute)
			return errBoom
		}
		rep := engine.Run(t.Context(), []engine.Lane{
			lane("w1", step("fetch", untilCancelled), step("join", ok)),
			lane("w2", needs(step("join", ok), "api")),
			lane("w3", needs(step("wait", ok), "slow")),
			vital(lane("cp1", opens(step("start", broken), "api")), ""),
			lane("cp2", opens(step("start", untilCancelled), "slow")),
		}, engine.Options{})
		statuses := ""
		for _, l := range rep.Lanes {
			statuses += l.Name + "=" + string(l.Status) + " "
		}
		if want := "w1=cancelled w2=blocked w3=cancelled cp1=failed cp2=cancelled "; statuses != want {
			t.Errorf("got %s, want %s", statuses, want)
		}
		var step *engine.StepError
		if !errors.As(rep.Stopped, &step) || step.Host != "cp1" {
			t.Errorf("stopped by %v", rep.Stopped)
		}
		if got := rep.Err().Error(); got != "cp1: start: boom" {
			t.Errorf("error %q", got)
		}
	})
}

func TestBlockedVitalLaneStopsTheRun(t *testing.T) {
	t.Parallel()
	rep := engine.Run(t.Context(), []engine.Lane{
		lane("w1", opens(step("probe", fails(errBoom)), "probed")),
		lane("w2", step("idle", untilCancelled)),
		vital(lane("cp1", needs(step("start", ok), "probed")), ""),
	}, engine.Options{})
	if w2, _ := rep.Lane("w2"); w2.Status != engine.StatusCancelled {
		t.Errorf("w2 is %s", w2.Status)
	}
}

func TestVitalLaneMattersOnlyUntilItsGate(t *testing.T) {
	t.Parallel()
	rep := engine.Run(t.Context(), []engine.Lane{
		vital(lane("cp1", opens(step("start", ok), "quorum"), step("label", fails(errBoom))), "quorum"),
		lane("w1", needs(step("join", ok), "quorum"), step("verify", ok)),
	}, engine.Options{})
	if rep.Stopped != nil || rep.Lanes[0].Status != engine.StatusFailed || rep.Lanes[1].Status != engine.StatusDone {
		t.Errorf("report %+v", rep)
	}
}

func TestCancelAwaitsRunningStepsAndBeginsNoMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("interrupted")
		var cleaned atomic.Bool
		rec := &tape{t: t}
		time.AfterFunc(time.Second, func() { cancel(why) })
		rep := engine.Run(ctx, []engine.Lane{
			lane("a", step("one", func(ctx context.Context, _ engine.Reporter) error {
				<-ctx.Done()
				time.Sleep(time.Minute) // cleaning up takes its time
				cleaned.Store(true)
				return fmt.Errorf("copying: %w", ctx.Err())
			}), step("two", ok)),
			lane("b", opens(step("one", func(ctx context.Context, _ engine.Reporter) error {
				<-ctx.Done()
				return nil // was through just in time
			}), "b-one"), step("two", ok)),
			lane("c", needs(step("one", ok), "b-one"), step("two", ok)),
			lane("d", step("one", ok)),
		}, engine.Options{Sink: rec.sink, Parallel: 2})
		if !cleaned.Load() {
			t.Error("Run came back before the running step")
		}
		want := `step.finished c/one cancelled
step.finished c/two cancelled
step.finished d/one cancelled
step.finished b/one done
step.finished b/two cancelled
step.finished a/one cancelled "copying: context canceled"
step.finished a/two cancelled
`
		if got := rec.lines(engine.KindStepFinished); got != want {
			t.Errorf("got:\n%swant:\n%s", got, want)
		}
		if err := rep.Err(); !errors.Is(err, why) || rep.Status() != engine.StatusCancelled {
			t.Errorf("error %v, status %s", err, rep.Status())
		}
	})
}

func TestCancelledBeforeTheStartRunsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rec := &tape{t: t}
	rep := engine.Run(ctx, []engine.Lane{lane("a", step("one", ok))}, engine.Options{Sink: rec.sink})
	if got := rec.lines(); got != "step.finished a/one cancelled\n" {
		t.Errorf("events:\n%s", got)
	}
	if !errors.Is(rep.Err(), context.Canceled) {
		t.Errorf("error %v", rep.Err())
	}
}

func TestFinishedRunIsNotStoppedByALaterCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	rep := engine.Run(ctx, []engine.Lane{lane("a", step("last", func(context.Context, engine.Reporter) error {
		cancel()
		return nil
	}))}, engine.Options{})
	if rep.Err() != nil || rep.Lanes[0].Status != engine.StatusDone {
		t.Errorf("a run with nothing left to cancel: %v", rep.Err())
	}
}

func TestInvalidLanesRunNothing(t *testing.T) {
	t.Parallel()
	rec := &tape{t: t}
	rep := engine.Run(t.Context(), []engine.Lane{lane("a", needs(step("one", ok), "nobody"))}, engine.Options{Sink: rec.sink, Phase: "x"})
	var invalid *engine.InvalidError
	if !errors.As(rep.Err(), &invalid) || rep.Status() != engine.StatusFailed || len(rec.all()) != 0 {
		t.Errorf("error %v, events:\n%s", rep.Err(), rec.lines())
	}
}

func TestPhaseFramesTheRun(t *testing.T) {
	t.Parallel()
	rec := &tape{t: t}
	engine.Run(t.Context(), []engine.Lane{lane("b", step("s", ok)), lane("a")}, engine.Options{Sink: rec.sink, Phase: "facts"})
	events := rec.all()
	first, last := events[0], events[len(events)-1]
	if first.Kind != engine.KindPhaseStarted || first.Message != "facts" || strings.Join(first.Lanes, " ") != "b a" {
		t.Errorf("first event %+v", first)
	}
	if last.Kind != engine.KindPhaseFinished || last.Status != engine.StatusDone {
		t.Errorf("last event %+v", last)
	}
}
