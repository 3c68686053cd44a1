package shell

import (
	"io"
	"io/fs"
	"path"
	"syscall"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// null is /dev/null.
type null struct{}

func (null) Read([]byte) (int, error)    { return 0, io.EOF }
func (null) Write(p []byte) (int, error) { return len(p), nil }
func (null) Close() error                { return nil }

// readable is a file opened for reading.
type readable struct{ io.Reader }

func (readable) Write([]byte) (int, error) { return 0, syscall.EBADF }
func (readable) Close() error              { return nil }

// writable is a file opened for writing.
type writable struct{ io.WriteCloser }

func (writable) Read([]byte) (int, error) { return 0, syscall.EBADF }

// fileInfo shows an Info the way the standard library wants it.
type fileInfo struct{ vfs.Info }

func (i fileInfo) Name() string       { return path.Base(i.Path) }
func (i fileInfo) Size() int64        { return i.Info.Size }
func (i fileInfo) ModTime() time.Time { return i.MTime }
func (i fileInfo) IsDir() bool        { return i.Dir }
func (i fileInfo) Sys() any           { return nil }

func (i fileInfo) Mode() fs.FileMode {
	if i.Dir {
		return i.Info.Mode | fs.ModeDir
	}
	return i.Info.Mode
}
