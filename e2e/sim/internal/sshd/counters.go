package sshd

import "sync/atomic"

// Counters is what happened on a host since it began.
type Counters struct {
	Connections atomic.Int64 // TCP connections
	Logins      atomic.Int64 // that were let in
	Execs       atomic.Int64 // exec requests of every sort
	Commands    atomic.Int64 // those that were callers' own commands
	Reads       atomic.Int64 // files read
	Writes      atomic.Int64 // files written
	Forwards    atomic.Int64 // direct-tcpip channels
	BytesUp     atomic.Int64 // towards the host
	BytesDown   atomic.Int64 // from the host
}

// Up counts bytes towards the host.
func (c *Counters) Up(n int) { c.BytesUp.Add(int64(n)) }

// Down counts bytes from the host.
func (c *Counters) Down(n int) { c.BytesDown.Add(int64(n)) }
