// Package link makes a loopback connection behave like a line to a machine far
// away: bytes take time to arrive, and only so many pass in a second. It
// changes nothing else: order and content stay.
package link

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"
)

// Shape is what a line is like. The zero value is no different from loopback.
type Shape struct {
	// Latency is the time of a round trip, as ping shows it; each direction
	// takes half.
	Latency time.Duration
	// Jitter is how much later than that a piece may come at most, each way.
	Jitter time.Duration
	// Bandwidth is in bytes per second for each direction; 0 is no limit.
	Bandwidth int64
}

// Meter counts the bytes of a line as they pass.
type Meter interface {
	Up(n int)   // towards the host
	Down(n int) // from the host
}

// window is how many bytes may be on the way in one direction.
const window = 1 << 20

// Conn is the host's end of a line.
type Conn struct {
	net.Conn
	up, down *queue
	once     sync.Once
	work     sync.WaitGroup
}

// New puts a line before the host's end of a connection. Seed makes its jitter
// repeatable. The connection itself takes one round trip to stand.
func New(c net.Conn, s Shape, seed uint64, m Meter) *Conn {
	l := &Conn{Conn: c, up: newQueue(s, rand.New(rand.NewPCG(seed, 1))), down: newQueue(s, rand.New(rand.NewPCG(seed, 2)))}
	l.down.free = time.Now().Add(s.Latency) // the handshake of TCP
	l.work.Go(func() { l.pull(m) })
	l.work.Go(func() { l.push(m) })
	return l
}

// pull takes in what the other side sends.
func (l *Conn) pull(m Meter) {
	buf := make([]byte, 32<<10)
	for {
		n, err := l.Conn.Read(buf)
		m.Up(n)
		if !l.up.put(slices.Clone(buf[:n])) {
			return
		}
		if err != nil {
			l.up.end(err)
			return
		}
	}
}

// push sends out what the host wrote, when its time has come.
func (l *Conn) push(m Meter) {
	for {
		data, err := l.down.take()
		if err == nil {
			m.Down(len(data))
			_, err = l.Conn.Write(data)
		}
		if err != nil {
			l.down.end(err)
			l.up.end(err)
			_ = l.Conn.Close() // it failed or was closed here
			return
		}
	}
}

// Read gives what has arrived.
func (l *Conn) Read(p []byte) (int, error) { return l.up.read(p) }

// Write puts bytes on the way.
func (l *Conn) Write(p []byte) (int, error) {
	for sent := 0; sent < len(p); {
		piece := slices.Clone(p[sent:min(sent+32<<10, len(p))])
		if !l.down.put(piece) {
			return sent, net.ErrClosed
		}
		sent += len(piece)
	}
	return len(p), nil
}

// Close ends the line once what was written has arrived.
func (l *Conn) Close() error {
	l.once.Do(func() {
		l.down.end(io.EOF)
		l.up.end(net.ErrClosed)
	})
	return nil
}

// Cut ends the line at once; what was on the way is lost.
func (l *Conn) Cut() {
	l.up.end(net.ErrClosed)
	l.down.cut()
	_ = l.Conn.Close() // the other side may have been first
}

// Wait returns when nothing moves any more.
func (l *Conn) Wait() { l.work.Wait() }

var errCut = errors.New("the line was cut")
