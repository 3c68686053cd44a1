package render_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

// fleet is the stream of 1,000 hosts with 10 steps each.
func fleet() []engine.Event {
	var lanes []engine.Lane
	for i := range 1000 {
		l := engine.Lane{Name: fmt.Sprintf("host-%04d", i)}
		for j := range 10 {
			l.Steps = append(l.Steps, engine.Step{Name: fmt.Sprintf("step %d", j), Run: func(_ context.Context, r engine.Reporter) error {
				r.Progress(1, 2, "B")
				r.Note("a note")
				return nil
			}})
		}
		lanes = append(lanes, l)
	}
	var events []engine.Event
	engine.Run(context.Background(), lanes, engine.Options{Sink: func(e engine.Event) { events = append(events, e) }})
	return events
}

// BenchmarkRenderers shows what a renderer adds to a run of 10,000 steps.
func BenchmarkRenderers(b *testing.B) {
	events := fleet()
	for _, c := range []struct {
		name string
		sink func() engine.Sink
	}{
		{"plain", func() engine.Sink { return render.NewPlain(render.Options{Out: io.Discard, Err: io.Discard}).Sink }},
		{"json", func() engine.Sink { return render.NewJSON(io.Discard).Sink }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink := c.sink()
				for _, e := range events {
					sink(e)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}
