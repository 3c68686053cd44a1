package sshd

import (
	"context"
	"io"
	"net"
	"strconv"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// forward serves one direct-tcpip channel.
func (s *Server) forward(nc ssh.NewChannel) {
	var msg struct {
		Addr     string
		Port     uint32
		FromAddr string
		FromPort uint32
	}
	if err := ssh.Unmarshal(nc.ExtraData(), &msg); err != nil || s.cfg.Trouble().NoForwarding {
		_ = nc.Reject(ssh.Prohibited, "open failed")
		return
	}
	addr := net.JoinHostPort(msg.Addr, strconv.Itoa(int(msg.Port)))
	op := Op{Kind: "forward", What: addr}
	s.cfg.Watch(op)
	peer, err := s.cfg.Machine.Dial(context.Background(), addr)
	if err != nil {
		_ = nc.Reject(ssh.ConnectionFailed, "Connection refused")
		return
	}
	ch, requests, err := nc.Accept()
	if err != nil {
		_ = peer.Close()
		return
	}
	s.count.Forwards.Add(1)
	s.work.Go(func() { ssh.DiscardRequests(requests) })
	s.work.Go(func() {
		_, _ = io.Copy(peer, ch)
		if half, ok := peer.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
	})
	_, _ = io.Copy(ch, peer)
	_ = ch.Close()
	_ = peer.Close()
	op.Done = true
	s.cfg.Watch(op)
}

// carry is a connection over a command's stdin and stdout, for servers that
// allow no channels for it.
func (p *process) carry(ctx context.Context, addr string) int {
	peer, err := p.s.cfg.Machine.Dial(ctx, addr)
	if err != nil {
		return remotetest.ExitNoPeer
	}
	stop := context.AfterFunc(ctx, func() { _ = peer.Close() })
	defer stop()
	_, _ = p.ch.Write([]byte{remotetest.Connected})
	p.s.work.Go(func() {
		_, _ = io.Copy(peer, p.ch)
		_ = peer.Close()
	})
	_, _ = io.Copy(p.ch, peer)
	_ = peer.Close()
	return 0
}
