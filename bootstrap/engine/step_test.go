package engine_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestPanicIsAFailedStepWithItsStack(t *testing.T) {
	t.Parallel()
	rec := &tape{t: t}
	rep := engine.Run(t.Context(), []engine.Lane{
		lane("a", step("one", func(context.Context, engine.Reporter) error { panic(errBoom) })),
		lane("b", step("one", ok)),
	}, engine.Options{Sink: rec.sink})
	if err := rep.Err(); !errors.Is(err, errBoom) || err.Error() != "a: one: panic: boom" {
		t.Errorf("error %v", err)
	}
	for _, e := range rec.all() {
		if e.Error == nil {
			continue
		}
		if first, _, _ := strings.Cut(e.Error.Output, "\n"); !strings.Contains(first, "TestPanicIsAFailedStepWithItsStack") {
			t.Errorf("the stack begins with %q", first)
		}
		if e.Error.Hint == "" {
			t.Error("no hint")
		}
	}
	if rep.Lanes[1].Status != engine.StatusDone {
		t.Error("the other lane did not go on")
	}
}

func TestStepThatEndsItsGoroutineFails(t *testing.T) {
	t.Parallel()
	rep := engine.Run(t.Context(), []engine.Lane{
		lane("a", step("one", func(context.Context, engine.Reporter) error { runtime.Goexit(); return nil })),
	}, engine.Options{})
	if rep.Lanes[0].Status != engine.StatusFailed {
		t.Errorf("lane is %s", rep.Lanes[0].Status)
	}
}

func TestTimeoutNamesWhatTheStepWaitedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		run        runFunc
	}{
		{"silent", "timed out after 5m0s", untilCancelled},
		{"with a note", "timed out after 5m0s, still waiting for node w1 to be Ready",
			func(ctx context.Context, r engine.Reporter) error {
				r.Note("the API to answer")
				r.Note("node %s to be Ready", "w1")
				return untilCancelled(ctx, r)
			}},
		{"with an error of its own", "timed out after 5m0s: listing nodes: context deadline exceeded",
			func(ctx context.Context, r engine.Reporter) error {
				return fmt.Errorf("listing nodes: %w", untilCancelled(ctx, r))
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := step("join", c.run)
				s.Timeout = 5 * time.Minute
				rep := engine.Run(t.Context(), []engine.Lane{lane("w1", s)}, engine.Options{})
				res := rep.Lanes[0].Steps[0]
				if !errors.Is(res.Err, context.DeadlineExceeded) || res.Err.Error() != "w1: join: "+c.want {
					t.Errorf("error %v", res.Err)
				}
				if res.Elapsed != 5*time.Minute || res.Status != engine.StatusFailed {
					t.Errorf("%s after %s", res.Status, res.Elapsed)
				}
			})
		})
	}
}

func TestErrorsWithinTheLimitAreLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := step("join", fails(errBoom))
		s.Timeout = time.Minute
		late := step("late", func(ctx context.Context, r engine.Reporter) error {
			<-ctx.Done()
			return engine.Unchanged("was there after all")
		})
		late.Timeout = time.Minute
		rep := engine.Run(t.Context(), []engine.Lane{lane("a", s), lane("b", late)}, engine.Options{})
		if got := rep.Err().Error(); got != "a: join: boom" {
			t.Errorf("error %q", got)
		}
		if rep.Lanes[1].Status != engine.StatusUnchanged {
			t.Errorf("b is %s", rep.Lanes[1].Status)
		}
	})
}

func TestDeadlineOfTheRunCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := step("join", untilCancelled)
		s.Timeout = time.Hour
		rep := engine.Run(ctx, []engine.Lane{lane("a", s)}, engine.Options{})
		if rep.Lanes[0].Status != engine.StatusCancelled || !errors.Is(rep.Err(), context.DeadlineExceeded) {
			t.Errorf("%s: %v", rep.Lanes[0].Status, rep.Err())
		}
	})
}

func TestWidthCountsOnlyRunningSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// Three steps wait for a gate behind a width of one; the opener comes last.
		rep := engine.Run(t.Context(), []engine.Lane{
			lane("a", needs(step("one", ok), "g")),
			lane("b", needs(step("one", ok), "g")),
			lane("c", needs(step("one", ok), "g")),
			lane("d", opens(step("one", ok), "g")),
		}, engine.Options{Parallel: 1})
		if err := rep.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSlotsAreGivenInTurn(t *testing.T) {
	t.Parallel()
	rec := &tape{t: t}
	var lanes []engine.Lane
	for _, name := range []string{"a", "b", "c"} {
		lanes = append(lanes, lane(name, step("one", ok), step("two", ok)))
	}
	engine.Run(t.Context(), lanes, engine.Options{Parallel: 1, Sink: rec.sink})
	order := ""
	for _, e := range rec.all() {
		if e.Kind == engine.KindStepStarted {
			order += e.Host + "/" + e.Step + " "
		}
	}
	if want := "a/one b/one c/one a/two b/two c/two "; order != want {
		t.Errorf("got %s, want %s", order, want)
	}
}

func TestDefaultWidth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		s := step("one", func(context.Context, engine.Reporter) error {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return nil
		})
		lanes := make([]engine.Lane, 3*engine.DefaultParallel)
		for i := range lanes {
			lanes[i] = lane(fmt.Sprint("h", i), s)
		}
		rep := engine.Run(t.Context(), lanes, engine.Options{})
		if rep.Elapsed != 3*time.Second || most.Load() > engine.DefaultParallel {
			t.Errorf("%s with up to %d at once", rep.Elapsed, most.Load())
		}
	})
}

func TestUnchangedJoinedWithAnErrorIsAFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want engine.Status
	}{
		{engine.ErrUnchanged, engine.StatusUnchanged},
		{fmt.Errorf("checking k3s: %w", engine.ErrUnchanged), engine.StatusUnchanged},
		{errors.Join(engine.ErrUnchanged, engine.Unchanged("so")), engine.StatusUnchanged},
		{errors.Join(engine.ErrUnchanged, errBoom), engine.StatusFailed},
		{fmt.Errorf("%w and %w", errBoom, engine.ErrUnchanged), engine.StatusFailed},
	} {
		rep := engine.Run(t.Context(), []engine.Lane{lane("a", step("s", fails(c.err)))}, engine.Options{})
		if got := rep.Lanes[0].Status; got != c.want {
			t.Errorf("%q is %s, want %s", c.err, got, c.want)
		}
	}
}

func TestLookingChangesNothing(t *testing.T) {
	t.Parallel()
	look := step("look", ok)
	look.ReadOnly = true
	opening := opens(look, "seen")
	rep := engine.Run(t.Context(), []engine.Lane{lane("a", opening), lane("b", needs(step("act", ok), "seen"))}, engine.Options{})
	if rep.Lanes[0].Status != engine.StatusUnchanged || rep.Lanes[1].Status != engine.StatusDone {
		t.Errorf("lanes are %s and %s", rep.Lanes[0].Status, rep.Lanes[1].Status)
	}
}
