package remotetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// operation does what one of the fixed scripts of package wire does.
type operation func(ctx context.Context, p *process, args []string) int

var operations = map[string]operation{
	wire.OpRead:  read,
	wire.OpWrite: write,
	wire.OpKill:  kill,
}

func read(_ context.Context, p *process, args []string) int {
	p.h.count.reads.Add(1)
	data, err := os.ReadFile(p.h.Path(args[0]))
	if code := p.fileCode(args[0], err); code != 0 {
		return code
	}
	_, _ = p.ch.Write(data) // a broken link ends the command anyway
	return 0
}

// fileCode maps a file error to the exit code of the scripts.
func (p *process) fileCode(name string, err error) int {
	if info, serr := os.Stat(p.h.Path(name)); serr == nil && info.IsDir() {
		return wire.ExitIsDir
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, fs.ErrNotExist):
		return wire.ExitMissing
	}
	fmt.Fprintf(p.ch.Stderr(), "%s: %v\n", name, errors.Unwrap(err))
	return 1
}

// write: PATH TEMP SIZE OWNER MODE, content on stdin.
func write(ctx context.Context, p *process, args []string) int {
	p.h.count.writes.Add(1)
	path, temp, owner := args[0], args[1], args[3]
	size, _ := strconv.ParseInt(args[2], 10, 64)
	mode, _ := strconv.ParseUint(args[4], 8, 32)
	if info, err := os.Stat(p.h.Path(path)); err == nil && info.IsDir() {
		return wire.ExitIsDir
	}
	tmp := p.h.Path(temp)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return p.fileCode(filepath.Dir(path), err)
	}
	defer func() { _ = os.Remove(tmp) }() // it is gone when all went well
	n, err := io.Copy(&limited{w: f, left: p.h.fault().space}, p.ch)
	if err := errors.Join(err, f.Close()); err != nil {
		fmt.Fprintf(p.ch.Stderr(), "dd: error writing '%s': %v\n", temp, err)
		return 1
	}
	if n != size || ctx.Err() != nil {
		return wire.ExitShort
	}
	if err := errors.Join(os.Chmod(tmp, fs.FileMode(mode)), os.Rename(tmp, p.h.Path(path))); err != nil {
		fmt.Fprintf(p.ch.Stderr(), "mv: %v\n", err)
		return 1
	}
	p.h.setOwner(path, owner)
	return 0
}

// errNoSpace has the text of a full disk.
var errNoSpace = errors.New("No space left on device")

// limited is a disk with room for left bytes, without limit when it is 0.
type limited struct {
	w    io.Writer
	left int64
	n    int64
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left > 0 && l.n+int64(len(b)) > l.left {
		return 0, errNoSpace
	}
	n, err := l.w.Write(b)
	l.n += int64(n)
	return n, err
}

func kill(_ context.Context, p *process, args []string) int {
	p.h.count.kills.Add(1)
	group, _ := strconv.Atoi(args[0])
	p.h.killGroup(group)
	return 0
}
