package remote

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// hopPool is the connections to one jump host, reached in one way.
type hopPool struct {
	gate chan struct{} // one token for each handshake behind the hop

	mu     sync.Mutex
	conns  []*hopConn
	closed bool
}

// hopConn is one connection to a jump host, or the attempt to have one.
type hopConn struct {
	used  int           // targets that go through it; guarded by the pool
	ready chan struct{} // closed when conn or err is set
	conn  *Conn
	err   error
}

// errPoolClosed: the Dialer was closed while it connected.
var errPoolClosed = errors.New("the dialer is closed")

// take finds a connection with room for another target, or dials one.
// Targets that come while it is being dialled wait for it and share its
// fate, so that a dead jump host is tried once and not once for each.
func (p *hopPool) take(ctx context.Context, most int, dial func() (*Conn, error)) (*hopConn, error) {
	for {
		h, fresh := p.pick(most)
		if fresh {
			conn, err := dial()
			p.set(h, conn, err)
		}
		select {
		case <-h.ready:
		case <-ctx.Done():
			p.give(h)
			return nil, context.Cause(ctx)
		}
		if h.err == nil {
			return h, nil
		}
		p.give(h)
		if fresh || !isContext(h.err) {
			return nil, h.err
		}
		// Whoever dialled was interrupted; that says nothing for us.
	}
}

// isContext says that a dial was given up and did not fail.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// pick reserves a place; fresh means that the caller must dial.
func (p *hopPool) pick(most int) (h *hopConn, fresh bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.conns {
		if h.used < most && !h.broken() {
			h.used++
			return h, false
		}
	}
	h = &hopConn{used: 1, ready: make(chan struct{})}
	p.conns = append(p.conns, h)
	return h, true
}

// broken says that the connection is known not to work.
func (h *hopConn) broken() bool {
	select {
	case <-h.ready:
		return h.err != nil || h.conn.Err() != nil
	default:
		return false
	}
}

// set ends the dialling of h.
func (p *hopPool) set(h *hopConn, conn *Conn, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed && err == nil {
		err = errors.Join(errPoolClosed, conn.Close())
	}
	h.conn, h.err = conn, err
	close(h.ready)
}

// give returns a place; a broken connection goes with its last user.
func (p *hopPool) give(h *hopConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.used--
	if h.used > 0 || !h.broken() {
		return
	}
	if h.err == nil {
		_ = h.conn.Close() // it is dead already
	}
	p.conns = slices.DeleteFunc(p.conns, func(o *hopConn) bool { return o == h })
}

func (p *hopPool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var errs []error
	for _, h := range p.conns {
		select {
		case <-h.ready:
			if h.err == nil {
				errs = append(errs, h.conn.Close())
			}
		default: // set closes it
		}
	}
	return errors.Join(errs...)
}
