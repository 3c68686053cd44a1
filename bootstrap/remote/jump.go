package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
)

// Defaults of a Dialer.
const (
	defaultPerJump    = 64
	defaultHandshakes = 16
)

// passage is the way to a target; the zero value is the direct one.
type passage struct {
	pool *hopPool
	hop  *hopConn
	once *sync.Once // gives the handshake token back
}

// settled says that the target is logged in to.
func (p passage) settled() {
	if p.pool != nil {
		p.once.Do(func() { <-p.pool.gate })
	}
}

// release says that the target is gone.
func (p passage) release() {
	p.settled()
	if p.pool != nil {
		p.pool.give(p.hop)
	}
}

// reach makes a byte stream to a target, directly or through its hops.
func (d *Dialer) reach(ctx context.Context, t Target) (net.Conn, passage, error) {
	if len(t.JumpHosts) == 0 {
		conn, err := dialTCP(ctx, t)
		return conn, passage{}, err
	}
	p, err := d.passage(ctx, t)
	if err != nil {
		return nil, passage{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.dialTimeout(), ErrTimeout)
	defer cancel()
	conn, err := p.hop.conn.DialContext(ctx, "tcp", t.addr())
	if err == nil {
		return conn, p, nil
	}
	p.release()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, ErrTimeout) {
		return nil, passage{}, interrupted(t, cause)
	}
	return nil, passage{}, behind(t, err)
}

// passage gets a connection to the last hop and the right to log in to one
// target behind it.
func (d *Dialer) passage(ctx context.Context, t Target) (passage, error) {
	last := len(t.JumpHosts) - 1
	hop := t.JumpHosts[last]
	hop.JumpHosts = t.JumpHosts[:last]
	pool, err := d.pool(t.JumpHosts)
	if err != nil {
		return passage{}, interrupted(t, err)
	}
	conn, err := pool.take(ctx, orDefault(d.PerJump, defaultPerJump), func() (*Conn, error) { return d.Dial(ctx, hop) })
	if err != nil {
		return passage{}, err
	}
	select {
	case pool.gate <- struct{}{}:
		return passage{pool, conn, new(sync.Once)}, nil
	case <-ctx.Done():
		pool.give(conn)
		return passage{}, interrupted(t, context.Cause(ctx))
	}
}

// pool finds the connections to the last of some hops. Two targets share
// them when they reach the hop and trust it in the same way.
func (d *Dialer) pool(hops []Target) (*hopPool, error) {
	var key strings.Builder
	for _, h := range hops {
		fmt.Fprintf(&key, "%q", []string{h.user(), h.addr(), h.HostKey, h.HostKeyAlias, h.TrustFile, fmt.Sprint(h.TrustOnly)})
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return nil, errors.New("the dialer is closed")
	}
	p := d.hops[key.String()]
	if p == nil {
		p = &hopPool{gate: make(chan struct{}, orDefault(d.Handshakes, defaultHandshakes))}
		if d.hops == nil {
			d.hops = map[string]*hopPool{}
		}
		d.hops[key.String()] = p
	}
	return p, nil
}

func orDefault(n, def int) int {
	if n > 0 {
		return n
	}
	return def
}

// behind makes the error of a target that its hop could not reach.
func behind(t Target, err error) error {
	hop := t.JumpHosts[len(t.JumpHosts)-1]
	e := &ConnectError{Host: t.name(), Addr: t.addr(), User: t.user(), Class: ErrNoRoute}
	for _, class := range []error{ErrForwarding, ErrRefused, ErrTimeout, ErrClosed} {
		if errors.Is(err, class) {
			e.Class = class
			break
		}
	}
	e.Err = fmt.Errorf("through %s: %w", hop.name(), err)
	e.dropped = errors.Is(e.Class, ErrClosed) // the next try goes over another connection
	if errors.Is(e.Class, ErrForwarding) {
		e.hint = fmt.Sprintf("allow forwarding on %s (AllowTcpForwarding in its sshd_config) or use another jump host", hop.name())
	}
	return e
}
