package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestRunOpensGatesAndReportsInLaneOrder(t *testing.T) {
	t.Parallel()
	ok := func(context.Context, engine.Reporter) error { return nil }
	rep := engine.Run(t.Context(), []engine.Lane{
		{Name: "w1", Steps: []engine.Step{{Name: "join", Needs: []string{"api"}, Run: ok}}},
		{Name: "cp1", Steps: []engine.Step{{Name: "start", Opens: []string{"api"}, Run: func(context.Context, engine.Reporter) error {
			return engine.Unchanged("runs already")
		}}}},
	}, engine.Options{})
	if err := rep.Err(); err != nil {
		t.Fatal(err)
	}
	if rep.Lanes[0].Status != engine.StatusDone || rep.Lanes[1].Status != engine.StatusUnchanged {
		t.Errorf("lanes: %+v", rep.Lanes)
	}
}

func TestRunNamesTheStepThatBroke(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	rep := engine.Run(t.Context(), []engine.Lane{
		{Name: "w1", Steps: []engine.Step{{Name: "join", Needs: []string{"api"}, Run: func(context.Context, engine.Reporter) error { return nil }}}},
		{Name: "cp1", Steps: []engine.Step{{Name: "start", Opens: []string{"api"}, Run: func(context.Context, engine.Reporter) error { return boom }}}},
	}, engine.Options{})
	var gate *engine.GateError
	if !errors.As(rep.Lanes[0].Steps[0].Err, &gate) || gate.Host != "cp1" || gate.Step != "start" {
		t.Errorf("blocked by %v", rep.Lanes[0].Steps[0].Err)
	}
	if err := rep.Err(); !errors.Is(err, boom) || err.Error() != "cp1: start: boom" {
		t.Errorf("error %v", err)
	}
}
