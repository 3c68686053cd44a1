package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const (
	// maxList is far above the size of a list of checksums (about a kilobyte).
	maxList = 1 << 20
	// maxArtefact keeps an endless body from filling the disk; a k3s executable has about 75 MB.
	maxArtefact = 1 << 30
)

// errDowngrade: a redirect leads away from https. Permanent: on an open line the list of checksums proves nothing.
var errDowngrade = errors.New("redirect from https to an unprotected address")

// client is the caller's client with one more rule for redirects.
func (s *Store) client() *http.Client {
	base := s.Client
	if base == nil {
		base = http.DefaultClient
	}
	c := *base
	c.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
			return errDowngrade
		}
		if base.CheckRedirect != nil {
			return base.CheckRedirect(req, via)
		}
		if len(via) >= 10 {
			return errors.New("more than 10 redirects")
		}
		return nil
	}
	return &c
}

// ask sends one request. The body of the answer is the caller's to close.
func (s *Store) ask(ctx context.Context, method, address string, from int64) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "gpuboot")
	// The transport would otherwise ask for gzip and then not know how long the file is.
	req.Header.Set("Accept-Encoding", "identity")
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	return s.client().Do(req)
}

// published reads the digest of the wanted file from the release's own list of checksums.
func (s *Store) published(ctx context.Context, want request) (string, error) {
	address := want.src.url(want.version, want.list)
	var data []byte
	err := s.retry(ctx, func(ctx context.Context, alive func()) error {
		resp, err := s.ask(ctx, http.MethodGet, address, 0)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		alive()
		if resp.StatusCode != http.StatusOK {
			return newStatusError(resp, address)
		}
		data, err = io.ReadAll(io.LimitReader(resp.Body, maxList+1))
		if err != nil {
			return &cutError{err}
		}
		return nil
	})
	if err != nil {
		return "", classify(ctx, address, want.src, err)
	}
	sum, err := pick(data, want.name)
	if err != nil {
		return "", &Error{Doing: "reading " + address, Class: ErrChecksum, Err: err,
			Advice: "open that address in a browser: it should show lines of \"<sha256>  <file>\""}
	}
	return sum, nil
}

// pick reads a list of checksums and gives the digest of the first of the names that it holds.
func pick(data []byte, names ...string) (string, error) {
	if len(data) > maxList {
		return "", fmt.Errorf("longer than %d bytes, so no list of checksums", maxList)
	}
	list, err := parseChecksums(data)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if sum, ok := list[name]; ok {
			return sum, nil
		}
	}
	return "", fmt.Errorf("the list does not name %q", names[0])
}

// size asks how long a file is. It is only for show, so one try must do and no answer is -1.
func (s *Store) size(ctx context.Context, address string) int64 {
	size := int64(-1)
	_ = s.watched(ctx, func(ctx context.Context, _ func()) error {
		resp, err := s.ask(ctx, http.MethodHead, address, 0)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			size = resp.ContentLength
		}
		return nil
	})
	return size
}
