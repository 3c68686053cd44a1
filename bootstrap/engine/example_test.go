package engine_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// A worker waits for the API of a server that does not come up.
func ExampleRun() {
	lanes := []engine.Lane{
		{Name: "cp1", Steps: []engine.Step{{
			Name: "start k3s", Opens: []string{"api-ready"},
			Run: func(context.Context, engine.Reporter) error { return errors.New("the unit died") },
		}}},
		{Name: "gpu1", Steps: []engine.Step{{
			Name: "join", Needs: []string{"api-ready"},
			Run: func(context.Context, engine.Reporter) error { return nil },
		}}},
	}
	report := engine.Run(context.Background(), lanes, engine.Options{})
	fmt.Println(report.Err())
	for _, l := range report.Lanes {
		fmt.Println(l.Name, l.Status)
	}
	fmt.Println(report.Lanes[1].Steps[0].Err)
	// Output:
	// cp1: start k3s: the unit died
	// cp1 failed
	// gpu1 blocked
	// gpu1: join: gate "api-ready" stays shut: cp1 broke at step "start k3s"
}
