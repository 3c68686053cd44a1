package remote

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

func TestTransferCopiesWhatItReads(t *testing.T) {
	t.Parallel()
	want := bytes.Repeat([]byte("0123456789abcdef"), 20<<10)
	for name, src := range map[string]io.Reader{
		"whole": bytes.NewReader(want), "bytes": iotest.OneByteReader(bytes.NewReader(want)), "halves": iotest.HalfReader(bytes.NewReader(want)),
		"end with the last bytes": iotest.DataErrReader(bytes.NewReader(want)),
	} {
		var got bytes.Buffer
		if n, err := transfer(&got, src); err != nil || n != int64(len(want)) || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
}

// failing is a writer that takes some bytes and then no more.
type failing struct{ err error }

func (f failing) Write(p []byte) (int, error) { return len(p) / 2, f.err }

func TestTransferTellsWhichEndFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	if n, err := transfer(io.Discard, io.MultiReader(bytes.NewReader(make([]byte, 10)), iotest.ErrReader(broken))); n != 10 || !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %d, %v", n, err)
	}
	if n, err := transfer(failing{broken}, bytes.NewReader(make([]byte, 10))); n != 5 || !errors.Is(err, broken) {
		t.Errorf("a writer that fails: %d, %v", n, err)
	}
	if _, err := transfer(failing{}, bytes.NewReader(make([]byte, 10))); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a writer that takes half: %v", err)
	}
}

// A session copies its output with io.Copy, which must find the small buffer.
var _ io.ReaderFrom = (*frame)(nil)

func TestAFrameReadsAsItIsWrittenTo(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	f := &frame{begin: []byte("mark-1"), onBegin: func(string) {}, dst: &got}
	n, err := io.Copy(f, bytes.NewReader([]byte("noise\nmark-1 7 7\noutput")))
	if err != nil || n != 23 || got.String() != "output" {
		t.Errorf("%d, %v, %q", n, err, got.String())
	}
}
