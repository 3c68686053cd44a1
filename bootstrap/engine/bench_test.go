package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// fleet is 1,000 lanes of 20 steps. The first lane opens gates that all others
// wait for, and each lane waits twice for its left neighbour.
func fleet() []engine.Lane {
	lanes := make([]engine.Lane, 1000)
	for i := range lanes {
		lanes[i].Name = fmt.Sprintf("host-%04d", i)
		for j := range 20 {
			s := engine.Step{Name: fmt.Sprintf("step-%02d", j), Run: ok, Opens: []string{fmt.Sprintf("g-%d-%d", i, j)}}
			switch {
			case i > 0 && j == 5:
				s.Needs = []string{"g-0-5"}
			case i > 0 && (j == 10 || j == 15):
				s.Needs = []string{fmt.Sprintf("g-%d-%d", i-1, j-1)}
			}
			lanes[i].Steps = append(lanes[i].Steps, s)
		}
	}
	return lanes
}

func BenchmarkRun1000LanesOf20Steps(b *testing.B) {
	lanes := fleet()
	for _, c := range []struct {
		name string
		sink engine.Sink
	}{
		{"no sink", nil},
		{"counting sink", func(engine.Event) {}},
		{"redacted fold", engine.NewRedactor("hunter2", strings.Repeat("line of a key\n", 40)).Wrap(new(engine.State).Apply)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := engine.Run(context.Background(), lanes, engine.Options{Sink: c.sink}).Err(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRedactor(b *testing.B) {
	r := engine.NewRedactor("hunter2", "a sudo password", strings.Repeat("line of a key\n", 40))
	line := strings.Repeat("an ordinary line of output, without secrets ", 3)
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		r.String(line)
	}
}
