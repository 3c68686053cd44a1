package remote

import (
	"context"
	"errors"
	"fmt"
	"net"

	"golang.org/x/crypto/ssh"
)

// DialContext connects to a TCP address as the host sees it, over this
// connection. Deadlines work. It fits http.Transport and rest.Config.
//
// The error is ErrRefused when the host could not connect to addr,
// whatever the cause on its side, and ErrForwarding when sshd forbids
// forwarding and the host has neither python3 nor bash, which then carry
// the bytes over a session.
func (c *Conn) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return nil, fmt.Errorf("dialling %s through %s: network %q is not tcp", addr, c.name, network)
	}
	conn, err := c.link.dial(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("dialling %s through %s: %w", addr, c.name, err)
	}
	return conn, nil
}

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
		return nil, l.lost(err)
	case refused.Reason == ssh.Prohibited:
		return nil, fmt.Errorf("%w: %w", ErrForwarding, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrRefused, err)
}
