package image

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// archive is a tar file as a tree of files. Opening it reads the headers only and skips over what is between them, so a
// layer's bytes are never read.
type archive struct {
	file    *os.File
	entries map[string]entry
}

type entry struct {
	offset, size int64
	link         string // what a link points to, "" for a file
}

// openArchive reads where the files of an archive begin.
func openArchive(ctx context.Context, name string) (*archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &archive{f, map[string]entry{}}
	if err := a.scan(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return a, nil
}

func (a *archive) scan(ctx context.Context) error {
	var magic [4]byte
	if _, err := a.file.ReadAt(magic[:], 0); err == nil {
		for _, packed := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zX"} { // gzip, zstd, bzip2, xz
			if strings.HasPrefix(string(magic[:]), packed) {
				return ErrPacked
			}
		}
	}
	r := tar.NewReader(a.file)
	for {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("no tar archive (%w): %w", err, ErrNotImage)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		at, err := a.file.Seek(0, io.SeekCurrent) // the reader keeps no buffer: this is where the file's content begins
		if err != nil {
			return err
		}
		name := path.Clean(h.Name)
		switch h.Typeflag {
		case tar.TypeReg:
			a.entries[name] = entry{offset: at, size: h.Size}
		case tar.TypeLink:
			a.entries[name] = entry{link: path.Clean(h.Linkname)}
		case tar.TypeSymlink:
			a.entries[name] = entry{link: path.Join(path.Dir(name), h.Linkname)}
		}
	}
}

// find follows a link of an old docker archive to the layer that it shares.
func (a *archive) find(name string) (entry, bool) {
	e, ok := a.entries[name]
	for range 8 {
		if !ok || e.link == "" {
			return e, ok
		}
		e, ok = a.entries[e.link]
	}
	return entry{}, false
}

// Open opens a file of the archive.
func (a *archive) Open(name string) (fs.File, error) {
	e, ok := a.find(name)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &archived{io.NewSectionReader(a.file, e.offset, e.size), path.Base(name)}, nil
}

// Close closes the archive's file.
func (a *archive) Close() error { return a.file.Close() }

// archived is one file of an archive.
type archived struct {
	*io.SectionReader
	name string
}

func (f *archived) Stat() (fs.FileInfo, error) { return f, nil }
func (f *archived) Close() error               { return nil }
func (f *archived) Name() string               { return f.name }
func (f *archived) Mode() fs.FileMode          { return 0o444 }
func (f *archived) ModTime() time.Time         { return time.Time{} }
func (f *archived) IsDir() bool                { return false }
func (f *archived) Sys() any                   { return nil }
