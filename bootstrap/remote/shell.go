package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// Size is that of a terminal, in characters.
type Size struct{ Width, Height int }

// Shell is a terminal session for a person. Unlike a Cmd nothing is cut off
// its output, and no environment is set for it.
type Shell struct {
	// Args is the argv to run instead of the login shell.
	Args []string
	// Term is the kind of terminal, as in $TERM.
	Term string
	// Size is what the terminal has at the beginning, Resized tells of
	// changes; a nil channel means none.
	Size    Size
	Resized <-chan Size
	// In is what is typed; the terminal of the host makes signals of it.
	// Out gets what the host's terminal shows.
	In  io.Reader
	Out io.Writer
}

// Shell runs a login shell, or a command, on a terminal of the host and
// waits for its end. The error is an ExitError when it ended with a code
// other than zero, an ErrShell when the host gives no terminal, an
// ErrClosed when the link broke, or that of ctx: then the session is
// closed, which the host tells its programs by SIGHUP.
//
// Shell may return while a Read of In is still blocked. Only connections
// over SSH have it; others give errors.ErrUnsupported.
func (c *Conn) Shell(ctx context.Context, s Shell) error {
	link, ok := c.link.(*sshLink)
	if !ok {
		return fmt.Errorf("opening a shell on %s: %w", c.name, errors.ErrUnsupported)
	}
	if err := c.slots.take(ctx); err != nil {
		return err
	}
	defer c.slots.give()
	c.stats.commands.Add(1)
	session, err := link.client.NewSession()
	if err != nil {
		return link.openError(err)
	}
	defer session.Close()
	c.stats.channels.Add(1)
	stop := context.AfterFunc(ctx, func() { _ = session.Close() })
	defer stop()
	err = s.run(session)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.shellEnd(s, err)
}

// run opens the terminal and sees the session to its end.
func (s Shell) run(session *ssh.Session) error {
	// A pipe and not session.Stdin: Wait would wait for the next key.
	in, err := session.StdinPipe()
	if err != nil {
		return err
	}
	session.Stdout = s.Out // a terminal has no stderr of its own
	if err := session.RequestPty(s.Term, s.Size.Height, s.Size.Width, ssh.TerminalModes{}); err != nil {
		return fmt.Errorf("%w: the host gives no terminal: %w", ErrShell, err)
	}
	if len(s.Args) == 0 {
		err = session.Shell()
	} else {
		err = session.Start(s.line())
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrShell, err)
	}
	ended := make(chan struct{})
	defer close(ended)
	go s.follow(session, ended)
	go func() {
		_, _ = io.Copy(in, s.In) // ends with the input or the session
		_ = in.Close()
	}()
	return session.Wait()
}

// follow tells the host of each new size until the session ends.
func (s Shell) follow(session *ssh.Session, ended <-chan struct{}) {
	for {
		select {
		case size, ok := <-s.Resized:
			if !ok {
				return
			}
			_ = session.WindowChange(size.Height, size.Width) // a shell in the old size is still one
		case <-ended:
			return
		}
	}
}

func (s Shell) line() string {
	words := make([]string, len(s.Args))
	for i, a := range s.Args {
		words[i] = wire.QuoteAny(a)
	}
	return strings.Join(words, " ")
}

// shellEnd makes the error of Shell of what the library says.
func (c *Conn) shellEnd(s Shell, err error) error {
	var status *ssh.ExitError
	switch {
	case err == nil, errors.Is(err, ErrShell):
		return err
	case errors.As(err, &status) && status.Signal() != "":
		return &ExitError{Host: c.name, Args: s.Args, Code: -1, Signal: status.Signal()}
	case errors.As(err, &status):
		return &ExitError{Host: c.name, Args: s.Args, Code: status.ExitStatus()}
	}
	return c.lost(err)
}
