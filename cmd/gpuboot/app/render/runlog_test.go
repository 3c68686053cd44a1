package render_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func TestLogIsPrivateAndCompleteAtEveryMoment(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	l, err := render.CreateLog(path, "gpuboot up x.yaml", noon)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || l.Path() != path {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for i := range 3 {
		l.Sink(engine.Event{Time: noon, Kind: engine.KindNote, Message: fmt.Sprint("note ", i)})
		data, err := os.ReadFile(path) // what a crash now would leave
		if err != nil || bytes.Count(data, []byte("\n")) != i+2 || !bytes.HasSuffix(data, []byte("}\n")) {
			t.Errorf("after event %d: %v\n%s", i, err, data)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	l.Sink(engine.Event{Kind: engine.KindNote})
	if l.Err() == nil {
		t.Error("an event after Close is lost in silence")
	}
	if _, err := render.CreateLog(path, "again", noon); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a log was overwritten: %v", err)
	}
	var s engine.State
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := render.Replay(f, s.Apply); err != nil || s.Version != engine.StreamVersion || s.Command != "gpuboot up x.yaml" {
		t.Errorf("%v, %+v", err, s)
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	const head, a, b = `{"kind":"log.header","version":1}` + "\n", `{"kind":"note","message":"a"}` + "\n", `{"kind":"song","verses":[1]}` + "\n"
	for _, c := range []struct {
		name, in string
		events   int
		err      string
	}{
		{"empty", "", 0, ""},
		{"whole", head + a + b, 3, ""},
		{"no header", a, 1, ""},
		{"no last line end", head + a + strings.TrimSuffix(b, "\n"), 3, ""},
		{"cut last line", head + a + b[:9], 2, ""},
		{"zeros at the end, as a power cut leaves them", head + a + "\x00\x00\x00", 2, ""},
		{"empty lines", head + "\n\r\n" + a + "\n", 2, ""},
		{"broken in the middle", head + b[:9] + "\n" + a, 1, "reading the run log: line 2: unexpected end of JSON input"},
		{"no event", head + "{}\n" + a, 1, "reading the run log: line 2: an event without a kind"},
		{"newer", `{"kind":"log.header","version":2}` + "\n" + a, 0, "reading the run log: line 1: the run log has version 2, this gpuboot reads up to 1"},
		{"newer and nothing more", `{"kind":"log.header","version":2}`, 0, "reading the run log: line 1: the run log has version 2, this gpuboot reads up to 1"},
		{"endless line", head + strings.Repeat("x", 17<<20), 1, "reading the run log: line 2: the line is too long for a run log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := 0
			err := render.Replay(iotest.OneByteReader(strings.NewReader(c.in[:min(len(c.in), 1000)])), func(engine.Event) { n++ })
			if len(c.in) > 1000 {
				n = 0
				err = render.Replay(strings.NewReader(c.in), func(engine.Event) { n++ })
			}
			got := ""
			if err != nil {
				got = err.Error()
			}
			if n != c.events || got != c.err {
				t.Errorf("%d events, error %q", n, got)
			}
		})
	}
}

func TestReplayPassesOnReadErrors(t *testing.T) {
	t.Parallel()
	if err := render.Replay(iotest.ErrReader(errNoRoute), nil); !errors.Is(err, errNoRoute) {
		t.Error(err)
	}
	if err := render.Replay(strings.NewReader(`{"kind":"note"}`), nil); err != nil {
		t.Errorf("a nil sink: %v", err)
	}
}

// FuzzReplay holds that reading never panics and that what was read can be
// shown, whatever the file is.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(`{"kind":"step.finished","host":"a","step":"b","status":"failed","error":{"cause":"x"}}` + "\n"))
	f.Add([]byte(`{"kind":"plan.change","host":"a"}` + "\n" + `{"kind":"step.progress","done":-5,"total":9223372036854775807,"unit":"B"}` + "\n"))
	f.Add([]byte(`{"kind":"run.finished","elapsed_ms":-1}`))
	for name := range scenes() {
		if data, err := os.ReadFile(filepath.Join("testdata", name+".jsonl")); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		p := render.NewPlain(render.Options{Out: &out, Err: &out, Verbose: true})
		_ = render.Replay(bytes.NewReader(data), p.Sink)
		p.Tick(noon)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if bytes.ContainsAny(out.Bytes(), "\x1b\x00\r") {
			t.Errorf("control characters: %q", out.Bytes())
		}
	})
}

// brokenPipe fails after a number of writes.
type brokenPipe struct{ left int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, fs.ErrClosed
	}
	return len(p), nil
}

func TestWriteErrorsAreKept(t *testing.T) {
	t.Parallel()
	pipe := &brokenPipe{left: 1}
	j := render.NewJSON(pipe)
	for range 5 {
		j.Sink(engine.Event{Kind: engine.KindNote})
	}
	if !errors.Is(j.Err(), fs.ErrClosed) || pipe.left != -1 {
		t.Errorf("%v, %d", j.Err(), pipe.left)
	}
	p := render.NewPlain(render.Options{Out: &brokenPipe{}, Err: &brokenPipe{}})
	replay(t, record(t, scenes()["failed"]), p.Sink)
	if err := p.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}
