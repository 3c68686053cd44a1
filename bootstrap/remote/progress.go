package remote

import (
	"errors"
	"io"
	"time"
)

// progressReader reports how much was read, and can be taken away from a
// goroutine that may still want to read.
type progressReader struct {
	r      io.Reader
	n      int64
	report func(int64)
	turn   chan struct{} // holds a token while a read is under way
	gone   chan struct{} // closed by detach
}

// errDetached ends whoever reads on after detach.
var errDetached = errors.New("the write has ended")

func newProgressReader(r io.Reader, report func(int64)) *progressReader {
	return &progressReader{r: r, report: report, turn: make(chan struct{}, 1), gone: make(chan struct{})}
}

func (p *progressReader) Read(b []byte) (int, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-p.gone:
		return 0, errDetached
	}
	select {
	case <-p.gone:
		return 0, errDetached
	default:
	}
	n, err := p.r.Read(b)
	p.n += int64(n)
	if n > 0 && p.report != nil {
		p.report(p.n)
	}
	return n, err
}

// detach waits for a read that is under way and allows no further one, so
// that the caller may use the reader again, to try once more for example.
// It does not wait long for a reader that blocks.
func (p *progressReader) detach() {
	wait := time.NewTimer(dropWait)
	defer wait.Stop()
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-wait.C:
	}
	close(p.gone)
}
