package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app"
	"github.com/gpuboot/gpuboot/inventory"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gpuboot": func() { os.Exit(app.Run(context.Background(), app.System(), os.Args[1:])) },
	})
}

// TestScripts runs shell sessions of a user.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	unreachable := &bootstrap.MissingError{Host: "w1", Err: &remote.ConnectError{Class: remote.ErrTimeout}}
	step := &engine.StepError{Host: "w2", Step: "join cluster", Err: errors.New("no")}
	for name, c := range map[string]struct {
		err  error
		want int
	}{
		"done":                     {nil, 0},
		"a failed step":            {step, 1},
		"something unforeseen":     {errors.New("x"), 1},
		"bad inventory":            {inventory.Problems{{Message: "x"}}, 2},
		"unreachable":              {fmt.Errorf("up: %w", unreachable), 3},
		"a step and a silent host": {errors.Join(step, unreachable), 1},
		"a finding":                {bootstrap.Blocked{{ID: "no-systemd"}}, 6},
		"a refusal beside silence": {errors.Join(bootstrap.Refusals{{Reason: "x"}}, unreachable), 6},
	} {
		if got := app.ExitCode(c.err); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
