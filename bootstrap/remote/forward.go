package remote

import (
	"context"
	"errors"
	"fmt"
	"net"

	"golang.org/x/crypto/ssh"
)

// DialContext connects to a TCP address as the host sees it, over this
// connection. Deadlines work. It fits http.Transport and rest.Config. ctx
// bounds the dialling only.
//
// Where sshd forbids forwarding, a command on the host carries the bytes
// over a session, if the host has python3 or bash.
//
// The error is ErrRefused when the host could not connect to addr,
// whatever the cause on its side, and ErrForwarding when there is no way.
func (c *Conn) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return nil, fmt.Errorf("dialling %s through %s: network %q is not tcp", addr, c.name, network)
	}
	conn, err := c.dial(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("dialling %s through %s: %w", addr, c.name, err)
	}
	return conn, nil
}

func (c *Conn) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if c.noForward.Load() {
		return c.dialByCommand(ctx, network, addr)
	}
	conn, err := c.link.dial(ctx, network, addr)
	if errors.Is(err, ErrForwarding) {
		c.noForward.Store(true)
		return c.dialByCommand(ctx, network, addr)
	}
	return conn, err
}

// ForwardingError is an ErrForwarding with its way out.
type ForwardingError struct{ Err error }

// Error has the cause.
func (e *ForwardingError) Error() string { return fmt.Sprintf("%v: %v", ErrForwarding, e.Err) }

// Hint says what to do next.
func (e *ForwardingError) Hint() string {
	return "set AllowTcpForwarding yes in /etc/ssh/sshd_config of the host and reload sshd, or install python3 there"
}

// Unwrap makes it an ErrForwarding.
func (e *ForwardingError) Unwrap() []error { return []error{ErrForwarding, e.Err} }

// dial opens a direct-tcpip channel.
func (l *sshLink) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := l.client.DialContext(ctx, network, addr)
	if err == nil {
		l.stats.channels.Add(1)
		return newPipeConn(conn, network, addr, l.client.RemoteAddr().String()), nil
	}
	var refused *ssh.OpenChannelError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !errors.As(err, &refused):
		return nil, l.broken(err)
	case refused.Reason == ssh.Prohibited:
		return nil, &ForwardingError{err}
	}
	return nil, fmt.Errorf("%w: %w", ErrRefused, err)
}
