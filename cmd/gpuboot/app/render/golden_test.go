package render_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

// tagged writes lines of two streams into one text, each with its stream's name.
type tagged struct {
	all *bytes.Buffer
	tag string
}

func (w tagged) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		w.all.WriteString(w.tag + line)
	}
	return len(p), nil
}

func streams() (*bytes.Buffer, io.Writer, io.Writer) {
	var all bytes.Buffer
	return &all, tagged{&all, "out|"}, tagged{&all, "err|"}
}

func replay(t *testing.T, stream []byte, sink engine.Sink) {
	t.Helper()
	if err := render.Replay(bytes.NewReader(stream), sink); err != nil {
		t.Fatal(err)
	}
}

func TestRecordedRuns(t *testing.T) {
	t.Parallel()
	for name, script := range scenes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The recording is what the engine says today.
			stream := record(t, script)
			golden(t, name+".jsonl", stream)
			if bytes.Contains(stream, []byte("hunter2")) {
				t.Error("the stream has the secret")
			}

			var again bytes.Buffer
			replay(t, stream, render.NewJSON(&again).Sink)
			if !bytes.Equal(again.Bytes(), stream) {
				t.Error("what JSON writes of a replayed stream is not that stream")
			}

			all, out, errs := streams()
			p := render.NewPlain(render.Options{Out: out, Err: errs})
			replay(t, stream, p.Sink)
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			golden(t, name+".plain", all.Bytes())

			var state engine.State
			replay(t, stream, state.Apply)
			var summary bytes.Buffer
			if err := render.Summary(&summary, &state, false); err != nil {
				t.Error(err)
			}
			golden(t, name+".summary", summary.Bytes())
		})
	}
}

func TestColourAndVerbose(t *testing.T) {
	t.Parallel()
	all, out, errs := streams()
	p := render.NewPlain(render.Options{Out: out, Err: errs, OutColour: true, ErrColour: true, Verbose: true})
	replay(t, record(t, scenes()["failed"]), p.Sink)
	golden(t, "failed.colour", all.Bytes())
}

func TestPlainShowsASummaryOfACutStream(t *testing.T) {
	t.Parallel()
	stream := record(t, scenes()["fresh"])
	cut := stream[:len(stream)*2/3]
	all, out, errs := streams()
	p := render.NewPlain(render.Options{Out: out, Err: errs})
	replay(t, cut, p.Sink)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	golden(t, "cut.plain", all.Bytes())
}
