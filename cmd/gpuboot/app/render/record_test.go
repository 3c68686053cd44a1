package render_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

var update = flag.Bool("update", false, "write the recordings and golden files anew")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		g, w := firstDifference(got, want)
		t.Errorf("%s differs (run with -update and read the difference)\ngot  %q\nwant %q", path, g, w)
	}
}

func firstDifference(a, b []byte) (string, string) {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	i := 0
	for i < len(as)-1 && i < len(bs)-1 && bytes.Equal(as[i], bs[i]) {
		i++
	}
	return string(as[i]), string(bs[i])
}

const (
	inventory = "cluster.yaml"
	secret    = "K10c0ffee::server:hunter2" // of a join token, to be redacted
)

// play is one run under a clock that only moves when everybody waits.
type play struct {
	sink engine.Sink
	now  func() time.Time
}

// record plays a run on the real engine and gives its stream.
func record(t *testing.T, script scene) []byte {
	var stream bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		noon := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
		p := &play{now: func() time.Time { return noon.Add(time.Since(begun)) }}
		p.sink = engine.NewRedactor(secret).Wrap(render.NewJSON(&stream).Sink)
		command, file := "gpuboot up "+inventory, "/home/ann/.local/state/gpuboot/20261201-120000.jsonl"
		p.sink(render.Header(command, p.now()))
		p.emit(engine.Event{Kind: engine.KindRunStarted, Message: command, File: file})
		rep := script(t.Context(), p)
		p.emit(engine.Event{Kind: engine.KindRunFinished, Message: command, File: file, Status: rep.Status(), Elapsed: time.Since(begun)})
	})
	return stream.Bytes()
}

func (p *play) emit(e engine.Event) {
	e.Time = p.now()
	p.sink(e)
}

func (p *play) run(ctx context.Context, phase string, lanes []engine.Lane) engine.Report {
	for i := range lanes {
		for j := range lanes[i].Steps {
			s := &lanes[i].Steps[j]
			do := s.Run
			s.Run = func(ctx context.Context, r engine.Reporter) error {
				// No two steps act in the same instant: their order would be luck.
				time.Sleep(time.Duration(i+1) * time.Millisecond)
				return do(ctx, r)
			}
		}
	}
	return engine.Run(ctx, lanes, engine.Options{Sink: p.sink, Now: p.now, Phase: phase, Retry: func(host, _ string) string {
		return "gpuboot up " + inventory + " --limit " + host
	}})
}

type work = func(context.Context, engine.Reporter) error

// takes passes time and gives err.
func takes(d time.Duration, err error) work {
	return func(ctx context.Context, _ engine.Reporter) error {
		select {
		case <-time.After(d):
			return err
		case <-ctx.Done():
			time.Sleep(50 * time.Millisecond) // tidying up; the other steps are cancelled first
			return ctx.Err()
		}
	}
}

// uploads sends 66.1 MB in the given time.
func uploads(d time.Duration) work {
	return func(ctx context.Context, r engine.Reporter) error {
		const size, parts = 66_100_000, 40
		r.Note("uploading k3s v1.36.1+k3s1")
		for i := range int64(parts) {
			r.Progress(size*i/parts, size, "B")
			if err := takes(d/parts, nil)(ctx, r); err != nil {
				return err
			}
		}
		r.Progress(size, size, "B")
		return nil
	}
}

// says makes a note and some output before the rest.
func says(note string, then work, output ...string) work {
	return func(ctx context.Context, r engine.Reporter) error {
		r.Note("%s", note)
		for _, line := range output {
			r.Output(line)
		}
		return then(ctx, r)
	}
}

// unitError stands for an error with output and a hint.
type unitError struct{}

func (unitError) Error() string { return "k3s.service stopped with status 1" }
func (unitError) Hint() string  { return "gpuboot ssh cp1 -- journalctl -u k3s" }
func (unitError) Output() string {
	return "level=info msg=\"Starting k3s v1.36.1+k3s1\"\n\x1b[31mlevel=fatal\x1b[0m msg=\"token is " + secret + "\"\n"
}

var errNoRoute = errors.New("dialling 10.0.0.12:22: no route to host")
