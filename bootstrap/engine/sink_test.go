package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestNilSinkWorks(t *testing.T) {
	t.Parallel()
	var s engine.Sink
	s.Emit(engine.Event{})
	engine.Tee(nil, s)(engine.Event{})
	engine.Serial(nil)(engine.Event{})
	rep := engine.Run(t.Context(), []engine.Lane{lane("a", step("s", speaks))}, engine.Options{})
	if rep.Err() != nil {
		t.Error(rep.Err())
	}
	if err := speaks(t.Context(), engine.Silent{}); err != nil {
		t.Error(err)
	}
}

func speaks(_ context.Context, r engine.Reporter) error {
	r.Progress(1, 2, "B")
	r.Note("n")
	r.Output("o")
	r.Emit(engine.Event{Kind: engine.KindFinding, ID: "x"})
	return nil
}

func TestReporterFillsInWhereEventsComeFrom(t *testing.T) {
	t.Parallel()
	rec := &tape{t: t}
	engine.Run(t.Context(), []engine.Lane{lane("a", step("s", speaks))}, engine.Options{Sink: rec.sink})
	want := `step.started a/s running
step.progress a/s
note a/s
step.output a/s
finding a/s
step.finished a/s done
`
	if got := rec.lines(); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestSlowSinkDelaysButLosesNothing(t *testing.T) {
	t.Parallel()
	n := 0
	slow := func(engine.Event) {
		n++
		for range 200 { // let everyone else queue up
			runtime.Gosched()
		}
	}
	lanes := make([]engine.Lane, 50)
	for i := range lanes {
		lanes[i] = lane(fmt.Sprint("h", i), step("s", speaks))
	}
	engine.Run(t.Context(), lanes, engine.Options{Sink: slow})
	if n != 50*6 {
		t.Errorf("%d events", n)
	}
}

func TestNothingReachesTheSinkAfterRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rec := &tape{t: t}
		engine.Run(t.Context(), []engine.Lane{lane("a", step("s", func(_ context.Context, r engine.Reporter) error {
			go func() { // a goroutine that the step forgot
				time.Sleep(time.Hour)
				_ = speaks(context.Background(), r)
			}()
			return nil
		}))}, engine.Options{Sink: rec.sink})
		before := len(rec.all())
		time.Sleep(2 * time.Hour)
		if after := len(rec.all()); after != before {
			t.Errorf("%d events came late", after-before)
		}
	})
}

func TestProgressIsThrottledByTheInjectedClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	var got []int64
	engine.Run(t.Context(), []engine.Lane{lane("a", step("s", func(_ context.Context, r engine.Reporter) error {
		for i := range int64(100) {
			r.Progress(i, 100, "B")
			now = now.Add(30 * time.Millisecond)
		}
		r.Note("a note does not flush") // and is not throttled
		return nil
	}))}, engine.Options{
		Now: func() time.Time { return now },
		Sink: func(e engine.Event) {
			if e.Kind == engine.KindStepProgress {
				got = append(got, e.Done)
			}
		},
	})
	if len(got) > 31 || got[0] != 0 || got[len(got)-1] != 99 || got[1] != 4 {
		t.Errorf("%d events: %v", len(got), got)
	}
}

func TestQueueLetsCallersGoOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		paused := make(chan struct{})
		rec := &tape{t: t}
		sink, flush := engine.Queue(func(e engine.Event) {
			<-paused
			rec.sink(e)
		})
		rep := engine.Run(t.Context(), []engine.Lane{lane("a", step("s", speaks))}, engine.Options{Sink: sink})
		if rep.Elapsed != 0 || len(rec.all()) != 0 {
			t.Errorf("the run waited for the terminal: %s, %d events", rep.Elapsed, len(rec.all()))
		}
		close(paused)
		flush()
		flush() // a second call is harmless
		sink(engine.Event{Kind: "late"})
		if got := rec.all(); len(got) != 6 || got[5].Kind != engine.KindStepFinished {
			t.Errorf("got:\n%s", rec.lines())
		}
	})
}
