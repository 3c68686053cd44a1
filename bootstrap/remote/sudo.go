package remote

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// sudoWait bounds how long sudo may take to ask, or to begin the command
// after the answer. Its own steps (PAM, a directory service) take seconds;
// beyond this it waits for something that we cannot give, such as a second
// factor.
const sudoWait = 60 * time.Second

// sudoState is what a connection learned about its sudo.
type sudoState struct {
	mu     sync.Mutex
	asked  bool // secret or failed is the answer
	secret string
	failed error // a password that cannot be had, or that was wrong

	way atomic.Int32 // what is known of its wish for a terminal
}

// answer is the sudo password, fetched at most once per connection.
func (c *Conn) answer(ctx context.Context) (string, error) {
	c.sudo.mu.Lock()
	defer c.sudo.mu.Unlock()
	if c.sudo.failed != nil || c.sudo.asked {
		return c.sudo.secret, c.sudo.failed
	}
	secret, err := c.password(ctx)
	if err != nil && ctx.Err() != nil {
		return "", err // it was given up; the next command may ask again
	}
	c.sudo.asked = true
	switch {
	case err != nil:
		c.sudo.failed = fmt.Errorf("%w: getting the sudo password: %w", ErrSudo, err)
	case strings.ContainsAny(secret, "\n\x00"):
		c.sudo.failed = fmt.Errorf("%w: the sudo password holds a line break or a NUL byte", ErrSudo)
	}
	c.sudo.secret = secret
	return c.sudo.secret, c.sudo.failed
}

// refusal is a remembered refusal: a wrong password is sent only once, as
// each try may count towards locking the account.
func (c *Conn) refusal() error {
	c.sudo.mu.Lock()
	defer c.sudo.mu.Unlock()
	return c.sudo.failed
}

func (c *Conn) refuse(err error) error {
	c.sudo.mu.Lock()
	defer c.sudo.mu.Unlock()
	c.sudo.failed = err
	return err
}

// mode is how a command becomes what it must run as.
func (c *Conn) mode(cmd Cmd) wire.Mode {
	switch {
	case !cmd.Root:
		return wire.Plain
	case c.root:
		return wire.Root
	case c.password == nil:
		return wire.SudoNo
	}
	return wire.SudoAsk
}

// denied makes the error of a command that sudo did not begin.
func (x *execution) denied(code int) error {
	e := &SudoError{Host: x.c.name, Asked: x.answered.Load(), Evidence: x.noise()}
	switch {
	case x.noSudo.Load():
		e.Reason = "the host has neither sudo nor doas"
		e.hint = "log in as root, or install sudo on the host"
	case x.wrongPassword.Load():
		e.Reason = "the sudo password is wrong"
		e.hint = "check sudoPassword; it is not tried again, so that the account is not locked"
		return x.c.refuse(e)
	case e.Asked:
		e.Reason = fmt.Sprintf("sudo took the password and refused with status %d", code)
		e.hint = "see on the host: sudo -l"
		return x.c.refuse(e)
	case x.mode == wire.SudoNo:
		e.Reason = fmt.Sprintf("sudo -n refused with status %d", code)
		e.hint = "set sudoPassword, or give the login NOPASSWD rights; see on the host: sudo -n -l"
	default:
		e.Reason = fmt.Sprintf("sudo refused with status %d before it asked for a password", code)
		e.hint = "see on the host: sudo -l; where sudoers has requiretty, script(1) must be installed"
	}
	return e
}
