//go:build unix

package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Local is the machine that this process runs on, with the same methods
// as any host. Commands that need root go through sudo unless the process
// is root; sudoPassword may be nil. There is no connection that could
// break, and no login shell whose noise had to be cut off.
//
// Commands inherit the environment of this process. Close ends the
// commands that still run.
func Local(name string, sudoPassword func(context.Context) (string, error)) *Conn {
	link := &localLink{running: map[*localProcess]struct{}{}}
	c := newConn(name, os.Geteuid() == 0, sudoPassword)
	c.link, c.close = link, link.close
	return c
}

// localLink is the transport to this machine.
type localLink struct {
	mu      sync.Mutex
	closed  bool
	running map[*localProcess]struct{}
}

var errLocalClosed = fmt.Errorf("%w: closed here", ErrClosed)

func (l *localLink) start(ctx context.Context, line string, stdout, stderr io.Writer) (process, error) {
	// Run ends the process itself when ctx does, politely first.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &localProcess{link: l, cmd: exec.CommandContext(ctx, "/bin/sh", "-c", line), cancel: cancel}
	// A group of its own, so that it can be ended with its children and
	// does not hear the interrupt key, which is for us to handle.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return p.kill(syscall.SIGKILL) }
	p.cmd.WaitDelay = dropWait
	p.cmd.Stdout, p.cmd.Stderr = stdout, stderr
	in, err := p.cmd.StdinPipe()
	if err == nil {
		err = l.begin(p)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	p.in = in
	return p, nil
}

// begin starts p unless the link is closed.
func (l *localLink) begin(p *localProcess) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errLocalClosed
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	l.running[p] = struct{}{}
	return nil
}

func (l *localLink) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second}
	conn, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", tcpClass(err), err)
	}
	return conn, nil
}

func (l *localLink) cause() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errLocalClosed
	}
	return nil
}

func (l *localLink) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for p := range l.running {
		p.close()
	}
	return nil
}

// localProcess is a command on this machine.
type localProcess struct {
	link   *localLink
	cmd    *exec.Cmd
	in     io.WriteCloser
	cancel context.CancelFunc
}

func (p *localProcess) stdin() io.WriteCloser { return p.in }

func (p *localProcess) wait() (exit, error) {
	err := p.cmd.Wait()
	p.link.mu.Lock()
	delete(p.link.running, p)
	p.link.mu.Unlock()
	p.cancel()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) && !errors.Is(err, exec.ErrWaitDelay) {
		return exit{}, err
	}
	if ws, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return exit{code: -1, sig: strings.TrimPrefix(unix.SignalName(ws.Signal()), "SIG")}, nil
	}
	return exit{code: p.cmd.ProcessState.ExitCode()}, nil
}

func (p *localProcess) signal() { _ = p.kill(syscall.SIGTERM) } // it may have ended

func (p *localProcess) close() { p.cancel() }

func (p *localProcess) kill(sig syscall.Signal) error { return syscall.Kill(-p.cmd.Process.Pid, sig) }
