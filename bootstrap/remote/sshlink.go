package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// sshLink is the transport over SSH.
type sshLink struct {
	client *ssh.Client
	wire   *meteredConn
	stats  *stats
	stop   chan struct{} // closed by close, ends the keep-alive
	once   sync.Once
	work   sync.WaitGroup // the goroutines of the link

	mu   sync.Mutex
	dead error // why the link is gone
}

// start runs line in a session of its own. The library cannot be
// interrupted while it waits for an answer of the server. When ctx ends
// meanwhile, the command may have begun: it is returned like any other if
// it comes soon, so that the caller can end it.
func (l *sshLink) start(ctx context.Context, line string, stdout, stderr io.Writer) (process, error) {
	type started struct {
		p   *sshProcess
		err error
	}
	done := make(chan started, 1)
	go func() {
		p, err := l.exec(line, stdout, stderr)
		done <- started{p, err}
	}()
	var s started
	select {
	case s = <-done:
	case <-ctx.Done():
		late := time.NewTimer(dropWait)
		defer late.Stop()
		select {
		case s = <-done:
		case <-late.C:
			go func() {
				if s := <-done; s.err == nil {
					s.p.signal()
					s.p.close()
				}
			}()
			return nil, context.Cause(ctx)
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.p, nil
}

// exec opens a session and starts line in it.
func (l *sshLink) exec(line string, stdout, stderr io.Writer) (*sshProcess, error) {
	s, err := l.client.NewSession()
	if err != nil {
		return nil, l.openError(err)
	}
	l.stats.channels.Add(1)
	s.Stdout, s.Stderr = stdout, stderr
	in, err := s.StdinPipe()
	if err == nil {
		err = s.Start(line)
	}
	if err != nil {
		_ = s.Close()
		if l.cause() == nil && !errors.Is(err, io.EOF) {
			// The server said no to the request itself.
			return nil, fmt.Errorf("%w: %w", ErrShell, err)
		}
		return nil, l.lost(err)
	}
	return &sshProcess{s: s, in: in}, nil
}

// openError keeps the refusal of a channel apart from a lost link.
func (l *sshLink) openError(err error) error {
	if refused, ok := errors.AsType[*ssh.OpenChannelError](err); ok {
		return fmt.Errorf("%w: %w", errNoSession, refused)
	}
	return l.broken(err)
}

// broken records that the link is gone, which the library may tell a little
// later through watch.
func (l *sshLink) broken(err error) error {
	l.fail(fmt.Errorf("%w: %w", ErrClosed, err))
	return l.cause()
}

func (l *sshLink) lost(err error) error {
	if cause := l.cause(); cause != nil {
		return cause
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}

func (l *sshLink) cause() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// fail records why the link is gone; the first reason stays.
func (l *sshLink) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead == nil {
		l.dead = err
	}
}

func (l *sshLink) close() error {
	var err error
	l.once.Do(func() {
		l.fail(fmt.Errorf("%w: closed here", ErrClosed))
		close(l.stop)
		err = l.client.Close()
		l.work.Wait()
	})
	if errors.Is(err, net.ErrClosed) || errors.Is(err, io.EOF) {
		return nil // the other side was first
	}
	return err
}

// sshProcess is a command in an SSH session.
type sshProcess struct {
	s  *ssh.Session
	in io.WriteCloser
}

func (p *sshProcess) stdin() io.WriteCloser { return p.in }

func (p *sshProcess) wait() (exit, error) {
	err := p.s.Wait()
	var status *ssh.ExitError
	switch {
	case err == nil:
		return exit{}, nil
	case errors.As(err, &status) && status.Signal() != "":
		return exit{code: -1, sig: status.Signal()}, nil
	case errors.As(err, &status):
		return exit{code: status.ExitStatus()}, nil
	}
	if _, ok := errors.AsType[*ssh.ExitMissingError](err); ok {
		err = errNoStatus
	}
	return exit{}, err
}

func (p *sshProcess) signal() { _ = p.s.Signal(ssh.SIGTERM) } // sshd may not know the request

func (p *sshProcess) close() { _ = p.s.Close() } // it may be gone already
