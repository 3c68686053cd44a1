package remote

import (
	"net"
	"sync"
	"sync/atomic"
)

// meteredConn counts the bytes of a link and keeps the first ones that the
// other side sent, which tell what answered when it is no SSH server.
type meteredConn struct {
	net.Conn
	up, down *atomic.Int64
	seen     atomic.Int64 // bytes read, for the keep-alive

	mu    sync.Mutex
	first []byte
}

const maxFirst = 256

func (c *meteredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.seen.Add(int64(n)) <= maxFirst {
		c.mu.Lock()
		c.first = append(c.first, p[:n]...)
		c.mu.Unlock()
	}
	c.down.Add(int64(n))
	return n, err
}

func (c *meteredConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.up.Add(int64(n))
	return n, err
}

// greeting is what the other side sent first.
func (c *meteredConn) greeting() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.first)
}
