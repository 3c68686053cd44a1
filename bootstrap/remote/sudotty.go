package remote

import (
	"context"
	"errors"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// What a connection knows of sudo's wish for a terminal (requiretty).
const (
	wayUnknown  = iota
	wayPlain    // it begins commands without one, or not at all
	wayTerminal // it begins them only with one
)

// wantsTerminal says whether a command that sudo would not begin is worth
// another try, on a terminal: requiretty refuses before it asks, and so do
// other reasons, which refuse the second try as well. Nothing of the
// command's stdin was used, as that waits for the begin.
func (x *execution) wantsTerminal(err error) bool {
	var e *SudoError
	return errors.As(err, &e) && !e.Asked && !x.noSudo.Load() && x.way == wayUnknown
}

// runOnTerminal is the second try. Where it is refused too, the first reason
// is the plainer one, and no further command is tried twice.
func (c *Conn) runOnTerminal(ctx context.Context, cmd Cmd, res Result, err error) (Result, error) {
	line := c.line(cmd)
	line.Terminal = true
	again, x, err2 := c.run(ctx, cmd, line)
	if x == nil || !x.hasBegun() {
		c.sudo.way.CompareAndSwap(wayUnknown, wayPlain)
		if x != nil && x.answered.Load() {
			return again, err2 // the first try did not come to a password
		}
		return res, err
	}
	return again, err2
}

// line is what goes to the host for a command.
func (c *Conn) line(cmd Cmd) wire.Line {
	return wire.Line{Mode: c.mode(cmd), Nonce: newNonce(), Args: cmd.Args, Terminal: c.sudo.way.Load() == wayTerminal}
}

func (x *execution) hasBegun() bool {
	select {
	case <-x.begun:
		return true
	default:
		return false
	}
}

// learn keeps how sudo began a command.
func (x *execution) learn() {
	switch {
	case x.mode != wire.SudoNo && x.mode != wire.SudoAsk:
	case x.terminal:
		x.c.sudo.way.Store(wayTerminal)
	default:
		x.c.sudo.way.Store(wayPlain)
	}
}

// mayFeed waits with the input of a command until it has begun, unless sudo
// has begun one before in the same way and will again: that spares a round trip.
func (x *execution) mayFeed(ctx context.Context) bool {
	if x.way != wayUnknown {
		return true
	}
	select {
	case <-x.begun:
		return true
	case <-ctx.Done():
		return false
	}
}
