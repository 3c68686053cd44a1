package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// reportEvery is how many bytes pass between two calls of progress.
const reportEvery = 1 << 20

// errRange: the server cannot continue where an earlier attempt stopped. Retried, from the start.
var errRange = errors.New("the server does not continue at that place")

// download brings the wanted file into the cache under the digest that art says, continuing an earlier attempt where
// the server can.
func (s *Store) download(ctx context.Context, want request, art Artefact, progress func(done, total int64)) (Artefact, error) {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	p, err := s.claimPart(art.SHA256)
	if err != nil {
		return Artefact{}, err
	}
	defer p.close()
	resumed := p.size > 0
	err = s.fill(ctx, p, want, progress)
	if resumed && errors.Is(err, ErrChecksum) {
		err = s.fill(ctx, p, want, progress) // what an earlier run left may be rotten: once more from the start
	}
	if err != nil {
		return Artefact{}, err
	}
	art.Size = p.size
	art.Path, err = p.commit()
	return art, err
}

// fill completes a partial file and checks it. A file with another digest is emptied.
func (s *Store) fill(ctx context.Context, p *part, want request, progress func(done, total int64)) error {
	if p.complete() {
		return nil
	}
	address := want.src.url(want.version, want.name)
	err := s.retry(ctx, func(ctx context.Context, alive func()) error {
		return s.transfer(ctx, p, address, alive, progress)
	})
	var disk *diskError
	switch {
	case errors.As(err, &disk):
		return disk
	case err != nil:
		return classify(ctx, address, want.src, err)
	case p.complete():
		return nil
	}
	got, size := p.sum(), p.size
	if err := p.reset(); err != nil {
		return err
	}
	return &Error{Doing: "checking " + address, Class: ErrChecksum,
		Err: fmt.Errorf("got %d bytes with sha256 %s, the release's list says %s", size, got, p.digest)}
}

// transfer makes one request for what is missing and appends the answer.
func (s *Store) transfer(ctx context.Context, p *part, address string, alive func(), progress func(done, total int64)) error {
	resp, err := s.ask(ctx, http.MethodGet, address, p.size)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	alive()
	switch {
	case resp.StatusCode == http.StatusPartialContent && rangeStart(resp) == p.size:
	case resp.StatusCode == http.StatusOK:
		if err := p.reset(); err != nil { // the server sends everything again
			return err
		}
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable, resp.StatusCode == http.StatusPartialContent:
		// The part is longer than the file, or the answer is for another place: start again with the next try.
		return errors.Join(&cutError{errRange}, p.reset())
	default:
		return newStatusError(resp, address)
	}
	total := int64(-1)
	if resp.ContentLength >= 0 {
		total = p.size + resp.ContentLength
	}
	return p.append(resp.Body, func() {
		alive()
		progress(p.size, total)
	})
}

// rangeStart reads the first byte's position from a partial answer, -1 if there is none.
func rangeStart(resp *http.Response) int64 {
	var start int64
	if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-", &start); err != nil {
		return -1
	}
	return start
}

// append writes what r gives to the end of the part. It calls step at the start, about once per reportEvery bytes and
// at the end.
func (p *part) append(r io.Reader, step func()) error {
	step()
	for {
		n, err := io.CopyN(p, r, reportEvery)
		if n > 0 {
			step()
		}
		var disk *diskError
		switch {
		case errors.As(err, &disk):
			return disk
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return &cutError{err}
		case p.size > maxArtefact:
			return &diskError{fmt.Errorf("more than %d bytes came, so this is no k3s executable", int64(maxArtefact))}
		}
	}
}
