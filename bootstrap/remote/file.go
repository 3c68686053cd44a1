package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// File names a file on a host and what it shall be.
type File struct {
	// Path is absolute. A symlink at Path is replaced, not followed.
	Path string
	// Mode is the permission bits, 0 means 0600.
	Mode fs.FileMode
	// Owner is "user:group", by name or number. Empty means root:root.
	Owner string
	// Size is the number of bytes that the reader will give. It is checked
	// on the host before the file takes its place. -1 means unknown; a
	// content of unknown size is held in memory and may be 8 MiB.
	Size int64
}

// check finds what cannot be right.
func (f File) check() error {
	if !path.IsAbs(f.Path) || path.Clean(f.Path) != f.Path || f.Path == "/" || strings.ContainsAny(f.Path, "\n\t\x00") {
		return fmt.Errorf("writing %q: the path must be absolute, clean, and without tab or line break", f.Path)
	}
	if f.Mode&^fs.ModePerm != 0 {
		return fmt.Errorf("writing %s: mode %v has more than permission bits", f.Path, f.Mode)
	}
	if strings.HasPrefix(f.Owner, "-") || strings.ContainsAny(f.Owner, " \n\t\x00") {
		return fmt.Errorf("writing %s: owner %q is not user:group", f.Path, f.Owner)
	}
	return nil
}

func (f File) owner() string {
	if f.Owner == "" {
		return "root:root"
	}
	return f.Owner
}

func (f File) mode() string {
	if f.Mode == 0 {
		return "0600"
	}
	return fmt.Sprintf("%04o", f.Mode)
}

// ReadFile reads a file as root. A file that does not exist is an
// fs.ErrNotExist. Files above 8 MiB are refused; stream them with Run.
func (c *Conn) ReadFile(ctx context.Context, name string) ([]byte, error) {
	res, err := c.Run(ctx, Cmd{Args: wire.ReadArgs(name), Root: true, internal: true})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, fileError(err))
	}
	if res.Dropped > 0 {
		return nil, fmt.Errorf("reading %s: the file is larger than %d bytes", name, maxCollect)
	}
	return res.Stdout, nil
}

// WriteFile makes or replaces a file as root, atomically: whoever opens it
// sees the old content or the new one, and every failure, a broken link or
// a full disk among them, leaves the old one. The content is on the disk
// before it takes its place. The parent folder must exist; fs.ErrNotExist
// says when it does not. progress, which may be nil, hears how many bytes
// were read; it is called from another goroutine, never at the same time
// twice and not after the return. r is not used after the return either.
//
// The bytes go to a temporary file in the same folder that only root can
// read, and get owner and mode before the rename.
func (c *Conn) WriteFile(ctx context.Context, f File, r io.Reader, progress func(written int64)) error {
	if err := f.check(); err != nil {
		return err
	}
	size := f.Size
	if size < 0 {
		data, err := io.ReadAll(io.LimitReader(r, maxCollect+1))
		if err != nil {
			return fmt.Errorf("writing %s: reading the content: %w", f.Path, err)
		}
		if len(data) > maxCollect {
			return fmt.Errorf("writing %s: a content above %d bytes needs its size in File.Size", f.Path, maxCollect)
		}
		r, size = bytes.NewReader(data), int64(len(data))
	}
	args := wire.WriteArgs(f.Path, newNonce(), size, f.owner(), f.mode())
	in := newProgressReader(r, progress)
	defer in.detach()
	_, err := c.Run(ctx, Cmd{Args: args, Stdin: in, Root: true, internal: true})
	if err != nil {
		return &WriteError{f.Path, fileError(err)}
	}
	return nil
}

// WriteError is a file that could not be written on the host. The old one is
// as it was.
type WriteError struct {
	Path string // or several, with commas
	Err  error
}

// Error names the file.
func (e *WriteError) Error() string { return "writing " + e.Path + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// Hint is where to look when a command of the host failed, whose own words
// are in the error.
func (e *WriteError) Hint() string {
	if _, ran := errors.AsType[*ExitError](e.Err); !ran {
		return ""
	}
	first, _, _ := strings.Cut(e.Path, ",")
	dir := path.Dir(first)
	return "see on the host: " + Quote("df", "-h", dir) + "; " + Quote("ls", "-ld", dir)
}

// fileError gives the exit codes of the scripts their meaning.
func fileError(err error) error {
	var e *ExitError
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case wire.ExitMissing:
		return fs.ErrNotExist
	case wire.ExitIsDir:
		return errors.New("it is a folder")
	case wire.ExitShort:
		return errors.New("the content had another size than announced; the file was left as it was")
	}
	return err
}
