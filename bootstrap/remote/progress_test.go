package remote

import (
	"errors"
	"io"
	"testing"
)

func TestProgressReaderIsNotUsedAfterDetach(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	var last int64
	p := newProgressReader(r, func(n int64) { last = n })
	got := make(chan int)
	go func() {
		n, _ := p.Read(make([]byte, 10))
		got <- n
	}()
	if _, err := w.Write([]byte("abc")); err != nil { // the read is under way
		t.Fatal(err)
	}
	p.detach()
	if n := <-got; n != 3 || last != 3 {
		t.Errorf("read %d bytes, reported %d", n, last)
	}
	if n, err := p.Read(make([]byte, 10)); n != 0 || !errors.Is(err, errDetached) {
		t.Errorf("a read after detach gives %d, %v", n, err)
	}
}
