package remotetest

import (
	"io"
	"net"
	"strconv"

	"golang.org/x/crypto/ssh"
)

// faultyConn is a link that can go dead without closing.
type faultyConn struct {
	net.Conn
	h *Host
}

func (c *faultyConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || !c.h.fault().frozen {
			return n, err
		}
	}
}

func (c *faultyConn) Write(p []byte) (int, error) {
	if c.h.fault().frozen {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// hang reads until the other side gives up.
func (c *faultyConn) hang() { _, _ = io.Copy(io.Discard, c.Conn) }

// forward serves one direct-tcpip channel.
func (h *Host) forward(nc ssh.NewChannel) {
	var msg struct {
		Addr     string
		Port     uint32
		FromAddr string
		FromPort uint32
	}
	if err := ssh.Unmarshal(nc.ExtraData(), &msg); err != nil || h.fault().noForward {
		_ = nc.Reject(ssh.Prohibited, "open failed")
		return
	}
	peer, err := net.Dial("tcp", net.JoinHostPort(msg.Addr, strconv.Itoa(int(msg.Port))))
	if err != nil {
		_ = nc.Reject(ssh.ConnectionFailed, "Connection refused")
		return
	}
	ch, reqs, err := nc.Accept()
	if err != nil {
		_ = peer.Close()
		return
	}
	h.count.add(func(c *Counters) { c.Forwards++ })
	h.work.Go(func() { ssh.DiscardRequests(reqs) })
	h.join(ch, peer)
}

// join carries bytes both ways until both directions have ended.
func (h *Host) join(ch io.ReadWriteCloser, peer net.Conn) {
	h.work.Go(func() {
		_, _ = io.Copy(peer, ch)
		_ = peer.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(ch, peer)
	_ = ch.Close()
	_ = peer.Close()
}
