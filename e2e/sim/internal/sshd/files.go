package sshd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// operate does what one of remote's fixed scripts would do.
func (p *process) operate(ctx context.Context, op remotetest.Operation, root bool) int {
	switch op.Kind {
	case remotetest.Kill:
		p.s.kill(op.Group)
		return 0
	case remotetest.Forward:
		return p.carry(ctx, op.Addr)
	}
	if !root {
		return p.complain("Permission denied")
	}
	seen := Op{Kind: "write", What: op.Path}
	if op.Kind == remotetest.Read {
		seen.Kind = "read"
	}
	p.s.cfg.Watch(seen)
	code := 0
	switch op.Kind {
	case remotetest.Read:
		code = p.read(op.Path)
	case remotetest.Write:
		code = p.write(ctx, op)
	case remotetest.Writes:
		code = p.writes(ctx, op.Nonce)
	}
	seen.Done = true
	p.s.cfg.Watch(seen)
	return code
}

func (p *process) read(name string) int {
	p.s.count.Reads.Add(1)
	data, err := p.s.cfg.Machine.Files().Read(name)
	if err != nil {
		return p.fileCode(err)
	}
	_, _ = p.ch.Write(data) // a broken link ends the command anyway
	return 0
}

// fileCode maps an error to the exit code of the scripts.
func (p *process) fileCode(err error) int {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return remotetest.ExitMissing
	case errors.Is(err, syscall.EISDIR):
		return remotetest.ExitIsDir
	case errors.Is(err, syscall.ENOSPC): // in the words of dd
		return p.complain("dd: error writing '%s': No space left on device", pathOf(err))
	}
	return p.complain("%v", err)
}

func pathOf(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Path
	}
	return "?"
}

// staged is a file that waits to take its place.
type staged struct{ temp, path, owner string }

func (p *process) write(ctx context.Context, op remotetest.Operation) int {
	s := staged{op.Temp, op.Path, op.Owner}
	defer p.discard(s)
	if code := p.stage(s, p.ch, op.Size, op.Mode); code != 0 || ctx.Err() != nil {
		return max(code, 1)
	}
	return p.commit(s)
}

// discard takes a temporary file away that did not take its place.
func (p *process) discard(s staged) { _ = p.s.cfg.Machine.Files().Remove(s.temp) }

// stage makes the temporary file.
func (p *process) stage(s staged, in io.Reader, size int64, mode string) int {
	p.s.count.Writes.Add(1)
	files := p.s.cfg.Machine.Files()
	if info, err := files.Stat(s.path); err == nil && info.Dir {
		return remotetest.ExitIsDir
	}
	w, err := files.Create(s.temp, 0o600)
	if err != nil {
		return p.fileCode(err)
	}
	n, err := io.Copy(w, in)
	if err := errors.Join(err, w.Close()); err != nil {
		return p.fileCode(err)
	}
	if n != size {
		return remotetest.ExitShort
	}
	perm, err := strconv.ParseUint(mode, 8, 32)
	if err == nil {
		err = files.Chmod(s.temp, fs.FileMode(perm))
	}
	if err == nil {
		err = files.Chown(s.temp, s.owner)
	}
	if err != nil {
		return p.fileCode(err)
	}
	return 0
}

func (p *process) commit(s staged) int {
	if err := p.s.cfg.Machine.Files().Rename(s.temp, s.path); err != nil {
		return p.fileCode(err)
	}
	return 0
}

// writes reads lines of PATH SIZE OWNER MODE BASE64 up to a last ".".
func (p *process) writes(ctx context.Context, nonce string) int {
	var all []staged
	defer func() {
		for _, s := range all {
			p.discard(s)
		}
	}()
	for in := bufio.NewReader(p.ch); ; {
		line, err := in.ReadString('\n')
		if line == ".\n" {
			break
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if err != nil || len(f) != 5 {
			return remotetest.ExitShort
		}
		size, _ := strconv.ParseInt(f[1], 10, 64) // a bad one does not fit the content
		data, _ := base64.StdEncoding.DecodeString(f[4])
		s := staged{f[0] + remotetest.TempSuffix + nonce, f[0], f[2]}
		all = append(all, s)
		if code := p.stage(s, bytes.NewReader(data), size, f[3]); code != 0 || ctx.Err() != nil {
			return max(code, 1)
		}
	}
	for _, s := range all {
		if code := p.commit(s); code != 0 {
			return code
		}
	}
	return 0
}
