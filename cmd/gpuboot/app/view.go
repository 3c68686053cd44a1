package app

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/inventory"
)

// view is where a run's events go, and how the run says its last word.
type view struct {
	sink engine.Sink
}

func (g *global) newView(command string, inv *inventory.Inventory, r *engine.Redactor, writes bool) (*view, error) {
	enc := json.NewEncoder(g.env.Out)
	s := engine.Serial(r.Wrap(func(e engine.Event) { _ = enc.Encode(e) }))
	return &view{sink: s}, nil
}

func (v *view) finish(ctx context.Context, out *bootstrap.Outcome, err error) error {
	return errors.Join(err)
}
