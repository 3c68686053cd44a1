package remote

import (
	"context"
	"sync"
	"sync/atomic"
)

// Conn is one connection to one host. Its methods may be called at the
// same time; sessions above the limit of sshd wait for each other.
type Conn struct {
	name      string
	root      bool // the login is root
	link      transport
	stats     stats
	password  func(context.Context) (string, error) // for sudo; nil is none
	sudo      sudoState
	slots     *slots // sessions
	carried   *slots // connections that a command carries
	noForward atomic.Bool

	close  func() error // closes link and what it stands on
	once   sync.Once
	closed error
}

func newConn(name string, root bool, sudoPassword func(context.Context) (string, error)) *Conn {
	return &Conn{
		name: name, root: root, password: sudoPassword,
		slots: newSlots(maxSessions), carried: newSlots(maxCommandForwards),
	}
}

// Stats counts what went over a connection.
type Stats struct {
	Commands  int64 // commands that were started, those of file operations among them
	Channels  int64 // SSH channels that were opened
	BytesUp   int64 // bytes to the host, with the cost of SSH; 0 for Local
	BytesDown int64 // bytes from the host
}

type stats struct{ commands, channels, up, down atomic.Int64 }

// Stats is the count up to now.
func (c *Conn) Stats() Stats {
	return Stats{c.stats.commands.Load(), c.stats.channels.Load(), c.stats.up.Load(), c.stats.down.Load()}
}

// Name is the name of the target.
func (c *Conn) Name() string { return c.name }

// IsRoot says that the login itself is root, so that no sudo is used.
func (c *Conn) IsRoot() bool { return c.root }

// Close ends the connection and all that runs over it. Commands that run
// on the host are not ended by it: end them through their contexts first.
func (c *Conn) Close() error {
	c.once.Do(func() { c.closed = c.close() })
	return c.closed
}

// Err is nil while the connection lives, and else an ErrClosed that says
// why it ended.
func (c *Conn) Err() error { return c.link.cause() }
