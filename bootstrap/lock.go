package bootstrap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/inventory"
)

const (
	lockPath    = "/run/gpuboot.lock"
	lockTimeout = 20 * time.Second
	// lockHeld is flock's exit code when someone else holds the lock.
	lockHeld = 75
)

// lockScript takes the lock, says who holds it, and keeps it until its stdin
// ends: with the connection of its holder, however that ends. What it leaves is
// an empty file on a tmpfs.
const lockScript = `printf '%s\n' "$1" >` + lockPath + `; echo locked; cat >/dev/null; : >` + lockPath

// LockedError says that another gpuboot is at work on a host.
type LockedError struct{ Host, Holder string }

// Error says who, as far as it is known.
func (e *LockedError) Error() string {
	return fmt.Sprintf("another gpuboot is working on %s: %s", e.Host, orUnknown(e.Holder))
}

// Hint says what to do about it.
func (e *LockedError) Hint() string { return "wait until it has ended, then run again" }

// lock takes the lock of every host that will be changed, and returns what
// gives them back. It holds none if it cannot hold all.
func (g *Gpuboot) lock(ctx context.Context, inv *inventory.Inventory, s *Survey, p *Plan) (func(), error) {
	var names []string
	for _, h := range p.Hosts {
		if len(h.Changes) > 0 {
			names = append(names, h.Host.Name)
		}
	}
	return g.lockHosts(ctx, inv, s, names)
}

func (g *Gpuboot) lockHosts(ctx context.Context, inv *inventory.Inventory, s *Survey, names []string) (func(), error) {
	holder := fmt.Sprintf("%s since %s for cluster %q", g.Holder, g.Now().UTC().Format(time.RFC3339), inv.Name)
	held := make([]*hostLock, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { held[i], errs[i] = takeLock(ctx, s.Host(name).Conn, name, holder) })
	}
	wg.Wait()
	release := func() { releaseAll(held) }
	if err := errors.Join(errs...); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// hostLock is one held lock: a remote command that runs until its stdin ends.
type hostLock struct {
	stdin *pipeEnd
	done  chan struct{}
}

func (l *hostLock) release() {
	l.stdin.Close()
	<-l.done
}

// releaseAll gives locks back, all at the same time; nil ones are not held.
func releaseAll(locks []*hostLock) {
	for _, l := range locks {
		if l != nil {
			l.stdin.Close()
		}
	}
	for _, l := range locks {
		if l != nil {
			<-l.done
		}
	}
}

func takeLock(ctx context.Context, c Conn, host, holder string) (*hostLock, error) {
	l := &hostLock{stdin: newPipeEnd(), done: make(chan struct{})}
	locked := make(chan struct{})
	var failed error
	// The lock outlives ctx: a cancelled run still needs it to clean up, and
	// release ends it.
	held := context.WithoutCancel(ctx)
	go func() {
		defer close(l.done)
		defer l.stdin.Close()
		_, failed = c.Run(held, remote.Cmd{
			Args:  []string{"flock", "-n", "-E", fmt.Sprint(lockHeld), lockPath, "sh", "-c", lockScript, "lock", holder},
			Stdin: l.stdin, Stdout: &lineSignal{want: "locked", seen: locked}, Root: true})
	}()
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	select {
	case <-locked:
		return l, nil
	case <-l.done:
		return nil, lockError(ctx, c, host, failed)
	case <-ctx.Done():
		l.release()
		return nil, fmt.Errorf("%s: taking the lock %s: %w", host, lockPath, ctx.Err())
	}
}

func lockError(ctx context.Context, c Conn, host string, err error) error {
	var exit *remote.ExitError
	if !errors.As(err, &exit) || exit.Code != lockHeld {
		return fmt.Errorf("%s: taking the lock %s: %w", host, lockPath, err)
	}
	who, _ := c.ReadFile(ctx, lockPath) // a reader is a courtesy: without it the holder is unknown
	return &LockedError{Host: host, Holder: strings.TrimSpace(string(who))}
}

// lineSignal is a writer that closes seen once want stood in the output.
type lineSignal struct {
	want string
	seen chan struct{}
	got  bytes.Buffer
	once sync.Once
}

func (l *lineSignal) Write(p []byte) (int, error) {
	l.got.Write(p)
	if strings.Contains(l.got.String(), l.want) {
		l.once.Do(func() { close(l.seen) })
	}
	return len(p), nil
}

// pipeEnd is a reader that gives nothing until it is closed, then the end of
// the file.
type pipeEnd struct {
	closed chan struct{}
	once   sync.Once
}

func newPipeEnd() *pipeEnd { return &pipeEnd{closed: make(chan struct{})} }

// Read waits for Close.
func (p *pipeEnd) Read([]byte) (int, error) {
	<-p.closed
	return 0, io.EOF
}

// Close ends the reader; it may be called more than once.
func (p *pipeEnd) Close() { p.once.Do(func() { close(p.closed) }) }
