package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// diskError is trouble with this machine's disk while a download runs. Never retried: the disk stays full.
type diskError struct{ err error }

func (e *diskError) Error() string { return "writing the cache: " + e.err.Error() }
func (e *diskError) Unwrap() error { return e.err }

// dir is where verified files lie, each named by its SHA-256.
func (s *Store) dir() string { return filepath.Join(s.CacheDir, "sha256") }

// cached looks for the artefact's digest in the cache and reads the file to be sure, once in this process's life. A file
// that is no longer what its name says is removed.
func (s *Store) cached(ctx context.Context, art Artefact) (Artefact, bool) {
	path := filepath.Join(s.dir(), art.SHA256)
	sum, size, err := s.digestOf(ctx, path, nil)
	if err != nil {
		return Artefact{}, false
	}
	if sum != art.SHA256 {
		os.Remove(path)
		return Artefact{}, false
	}
	art.Path, art.Size, art.Cached = path, size, true
	return art, true
}

// part is a file that is still being fetched, with the running digest of what it holds.
type part struct {
	f      *os.File
	h      hash.Hash
	size   int64
	digest string // the digest it shall have
	rest   string // where it waits for the next attempt if this one fails
	done   bool
}

// claimPart opens the partial file for a digest. An earlier one is renamed to a name of our own first, so two programs
// never write to one file; whoever comes second starts anew.
func (s *Store) claimPart(digest string) (*part, error) {
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		return nil, &diskError{err}
	}
	s.sweep()
	f, err := os.CreateTemp(s.dir(), digest+".*.tmp")
	if err != nil {
		return nil, &diskError{err}
	}
	p := &part{f: f, h: sha256.New(), digest: digest, rest: filepath.Join(s.dir(), digest+".part")}
	if waiting := os.Rename(p.rest, f.Name()) == nil; !waiting {
		return p, nil // the empty file it is
	}
	f.Close() // it is open on the file that the rename replaced
	if p.f, err = os.OpenFile(f.Name(), os.O_RDWR, 0o600); err != nil {
		return nil, &diskError{err}
	}
	if p.size, err = io.Copy(p.h, p.f); err != nil {
		p.close()
		return nil, &diskError{err}
	}
	return p, nil
}

// sweep removes what killed programs left more than a day ago.
func (s *Store) sweep() {
	names, _ := filepath.Glob(filepath.Join(s.dir(), "*.tmp"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && s.now().Sub(info.ModTime()) > 24*time.Hour {
			os.Remove(name)
		}
	}
}

// Write appends to the file and to the digest.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.f.Write(b)
	p.h.Write(b[:n])
	p.size += int64(n)
	if err != nil {
		return n, &diskError{err}
	}
	return n, nil
}

// sum is the digest of what is there now.
func (p *part) sum() string { return hex.EncodeToString(p.h.Sum(nil)) }

// complete says whether the content is the wanted one.
func (p *part) complete() bool { return p.sum() == p.digest }

// reset empties the file.
func (p *part) reset() error {
	p.h.Reset()
	p.size = 0
	_, err := p.f.Seek(0, io.SeekStart)
	if err := errors.Join(err, p.f.Truncate(0)); err != nil {
		return &diskError{err}
	}
	return nil
}

// commit gives the verified file its final name, durably.
func (p *part) commit() (string, error) {
	path := filepath.Join(filepath.Dir(p.rest), p.digest)
	if err := p.f.Sync(); err != nil {
		return "", &diskError{err}
	}
	if err := os.Rename(p.f.Name(), path); err != nil {
		return "", &diskError{err}
	}
	p.done = true
	return path, nil
}

// close ends the work: what was fetched so far waits under its resting name, nothing else stays.
func (p *part) close() {
	p.f.Close()
	switch {
	case p.done:
	case p.size == 0 || os.Rename(p.f.Name(), p.rest) != nil:
		os.Remove(p.f.Name())
	}
}

// Open reads the artefact and checks it on the way: the read that would end the file fails with ErrChecksum when the
// content is no longer what was verified. A writer that replaces its target only after the whole copy is thus safe
// even when somebody changes a local k3s file meanwhile.
func (a Artefact) Open() (io.ReadCloser, error) {
	f, err := os.Open(a.Path)
	if err != nil {
		return nil, fmt.Errorf("opening the k3s executable: %w", err)
	}
	return &checkedReader{f: f, h: sha256.New(), want: a}, nil
}

type checkedReader struct {
	f    fs.File
	h    hash.Hash
	want Artefact
}

func (r *checkedReader) Close() error { return r.f.Close() }

func (r *checkedReader) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	r.h.Write(b[:n])
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if got := hex.EncodeToString(r.h.Sum(nil)); got != r.want.SHA256 {
		return n, &Error{Doing: "reading " + r.want.Path, Class: ErrChecksum,
			Err: fmt.Errorf("sha256 is now %s, was %s", got, r.want.SHA256)}
	}
	return n, io.EOF
}
