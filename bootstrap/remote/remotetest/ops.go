package remotetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// operate does what one of the fixed scripts of package wire does, on the
// files of the host. It is false when args are none of them.
func (p *process) operate(ctx context.Context, root bool) (code int, ours bool) {
	args := p.line.Args
	if len(args) < 4 || args[1] != "-c" {
		return 0, false
	}
	ops := map[string]func(context.Context, *process, []string) int{
		wire.OpRead: read, wire.OpWrite: write, wire.OpWrites: writes, wire.OpKill: kill, wire.OpForward: carry,
	}
	op, ours := ops[args[3]]
	if !ours {
		return 0, false
	}
	if !root && args[3] != wire.OpKill && args[3] != wire.OpForward {
		_, _ = io.WriteString(p.ch.Stderr(), "Permission denied\n")
		return 1, true
	}
	return op(ctx, p, args[4:]), true
}

func read(_ context.Context, p *process, args []string) int {
	p.h.count.add(func(c *Counters) { c.Reads++ })
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
	tmp, code := p.stage(ctx, p.ch, args[0], args[1], args[2], args[4])
	defer func() { _ = os.Remove(tmp) }() // it is gone when all went well
	if code != 0 || ctx.Err() != nil {
		return code
	}
	return p.commit(tmp, args[0], args[3])
}

// stage makes the temporary file.
func (p *process) stage(ctx context.Context, in io.Reader, path, temp, size, mode string) (tmp string, code int) {
	p.h.count.add(func(c *Counters) { c.Writes++ })
	want, _ := strconv.ParseInt(size, 10, 64)
	perm, _ := strconv.ParseUint(mode, 8, 32)
	if info, err := os.Stat(p.h.Path(path)); err == nil && info.IsDir() {
		return "", wire.ExitIsDir
	}
	tmp = p.h.Path(temp)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", max(1, p.fileCode(path, err))
	}
	n, err := copyUntil(ctx, &limited{w: f, left: p.h.fault().space}, in)
	if err := errors.Join(err, f.Close()); err != nil {
		fmt.Fprintf(p.ch.Stderr(), "dd: error writing '%s': %v\n", temp, err)
		return tmp, 1
	}
	if n != want {
		return tmp, wire.ExitShort
	}
	if err := os.Chmod(tmp, fs.FileMode(perm)); err != nil {
		fmt.Fprintf(p.ch.Stderr(), "chmod: %v\n", err)
		return tmp, 1
	}
	return tmp, 0
}

// commit puts the temporary file in its place.
func (p *process) commit(tmp, path, owner string) int {
	if err := os.Rename(tmp, p.h.Path(path)); err != nil {
		fmt.Fprintf(p.ch.Stderr(), "mv: %v\n", err)
		return 1
	}
	p.h.setOwner(path, owner)
	return 0
}

// writes: NONCE, lines of files on stdin.
func writes(ctx context.Context, p *process, args []string) int {
	type staged struct{ tmp, path, owner string }
	var all []staged
	defer func() {
		for _, s := range all {
			_ = os.Remove(s.tmp) // it is gone when all went well
		}
	}()
	for lines := bufio.NewReader(p.ch); ; {
		line, err := lines.ReadString('\n')
		if line == ".\n" {
			break
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if err != nil || len(f) != 5 {
			return wire.ExitShort
		}
		data, _ := base64.StdEncoding.DecodeString(f[4])
		tmp, code := p.stage(ctx, bytes.NewReader(data), f[0], f[0]+wire.TempSuffix+args[0], f[1], f[3])
		all = append(all, staged{tmp, f[0], f[2]})
		if code != 0 || ctx.Err() != nil {
			return code
		}
	}
	for _, s := range all {
		if code := p.commit(s.tmp, s.path, s.owner); code != 0 {
			return code
		}
	}
	return 0
}

// copyUntil copies until ctx ends, like dd that is killed.
func copyUntil(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	type copied struct {
		n   int64
		err error
	}
	done := make(chan copied, 1)
	go func() { // ends with the session at the latest
		n, err := io.Copy(w, r)
		done <- copied{n, err}
	}()
	select {
	case c := <-done:
		return c.n, c.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
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

// kill: GROUP. It waits for the end of the group.
func kill(ctx context.Context, p *process, args []string) int {
	p.h.count.add(func(c *Counters) { c.Kills++ })
	group, _ := strconv.Atoi(args[0])
	select {
	case <-p.h.killGroup(group):
	case <-ctx.Done():
	}
	return 0
}

// carry: HOST PORT, a connection on stdin and stdout.
func carry(ctx context.Context, p *process, args []string) int {
	if p.h.fault().noTools {
		return wire.ExitNoTool
	}
	peer, err := net.Dial("tcp", net.JoinHostPort(args[0], args[1]))
	if err != nil {
		return wire.ExitNoPeer
	}
	p.h.count.add(func(c *Counters) { c.Carried++ })
	stop := context.AfterFunc(ctx, func() { _ = peer.Close() })
	defer stop()
	_, _ = p.ch.Write([]byte{wire.Connected})
	p.h.work.Go(func() {
		_, _ = io.Copy(peer, p.ch)
		_ = peer.Close()
	})
	_, _ = io.Copy(p.ch, peer)
	_ = peer.Close()
	return 0
}
