package remote

import (
	"io"
	"net"
)

// pipeConn gives a stream that knows no deadlines, such as an SSH channel,
// the whole of net.Conn. Two goroutines carry the bytes; both end when
// either side closes.
type pipeConn struct {
	net.Conn // our end of a net.Pipe, which has deadlines
	local    net.Addr
	remote   net.Addr
}

// forwardAddr is one end of a forwarded connection.
type forwardAddr struct{ network, addr string }

func (a forwardAddr) Network() string { return a.network }
func (a forwardAddr) String() string  { return a.addr }

// newPipeConn takes over stream. via names the host that it goes through.
func newPipeConn(stream io.ReadWriteCloser, network, addr, via string) net.Conn {
	ours, theirs := net.Pipe()
	go func() {
		_, _ = io.Copy(stream, theirs) // ends when ours is closed, or stream
		_ = stream.Close()
		_ = theirs.Close()
	}()
	go func() {
		// The host ended the stream, or it was closed. What it sent before
		// was read by then, as a write to the pipe waits for the reader.
		_, _ = io.Copy(theirs, stream)
		_ = theirs.Close()
		_ = stream.Close()
	}()
	return &pipeConn{ours, forwardAddr{"ssh", via}, forwardAddr{network, addr}}
}

func (c *pipeConn) LocalAddr() net.Addr  { return c.local }
func (c *pipeConn) RemoteAddr() net.Addr { return c.remote }
