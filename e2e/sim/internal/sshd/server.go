// Package sshd is the SSH server of a simulated host. It understands the
// command lines and file operations of package remote, works on the files of a
// machine, and hands every other command to it. It runs nothing for real.
package sshd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/link"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// Machine is the host behind the server.
type Machine interface {
	Files() *vfs.FS
	// Run runs a command and gives its exit code. ctx ends when the command is
	// killed.
	Run(ctx context.Context, c *Command) int
	// Dial connects to an address as the host sees it.
	Dial(ctx context.Context, addr string) (net.Conn, error)
}

// Command is one command of a caller.
type Command struct {
	Args           []string
	Root           bool
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Trouble is what is wrong with the server at the moment.
type Trouble struct {
	RefuseKey bool
	// Hang sends the version line and nothing after it.
	Hang bool
	// NoForwarding refuses direct-tcpip, like AllowTcpForwarding no.
	NoForwarding bool
}

// Config is what a server is made of.
type Config struct {
	User    string        // whose login is accepted; not "root" means sudo without a password
	Key     ssh.PublicKey // that the login has to show
	HostKey ssh.Signer
	Machine Machine
	Line    func() link.Shape // of a new connection
	Seed    uint64
	Trouble func() Trouble
	// Watch hears of every operation twice, before and after its effect; it may
	// cut the server's links.
	Watch func(Op)
}

// Op is something that a caller does to the host.
type Op struct {
	Kind string // connect, command, read, write, forward
	What string // the path, the address, or the command's words without scripts
	Done bool   // the effect is there, the answer is not yet sent
}

// maxSessions is sshd's own limit for one connection (MaxSessions).
const maxSessions = 10

// Server is the SSH server of one host.
type Server struct {
	cfg   Config
	count Counters

	mu     sync.Mutex
	ln     net.Listener
	addr   string
	conns  map[*link.Conn]struct{}
	groups map[int]func()
	pid    int
	serial uint64
	work   sync.WaitGroup
}

// New makes a server that does not listen yet.
func New(cfg Config) *Server {
	return &Server{cfg: cfg, conns: map[*link.Conn]struct{}{}, groups: map[int]func(){}, pid: 1000}
}

// Listen begins to accept connections at ip, at the port it had before if there
// was one.
func (s *Server) Listen(ip string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	addr := s.addr
	if addr == "" {
		addr = net.JoinHostPort(ip, "0")
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listening for SSH: %w", err)
	}
	s.ln, s.addr = ln, ln.Addr().String()
	s.work.Go(func() { s.accept(ln) })
	return nil
}

// Addr is host:port of the server, also while it does not listen.
func (s *Server) Addr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addr
}

// Listening says whether connections are accepted.
func (s *Server) Listening() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ln != nil
}

// Count gives the counters.
func (s *Server) Count() *Counters { return &s.count }

// Stop refuses connections from now on.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ln != nil {
		_ = s.ln.Close() // nothing to lose in a listener
		s.ln = nil
	}
}

// Cut breaks all connections at once.
func (s *Server) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Cut()
	}
}

// Close ends the server and everything that runs on it.
func (s *Server) Close() {
	s.Stop()
	s.Cut()
	s.mu.Lock()
	for _, kill := range s.groups {
		kill()
	}
	s.mu.Unlock()
	s.work.Wait()
}

func (s *Server) accept(ln net.Listener) {
	for {
		raw, err := ln.Accept()
		if err != nil {
			return
		}
		s.count.Connections.Add(1)
		s.mu.Lock()
		s.serial++
		c := link.New(raw, s.cfg.Line(), s.cfg.Seed+s.serial, &s.count)
		s.conns[c] = struct{}{}
		closed := s.ln != ln
		s.mu.Unlock()
		if closed {
			c.Cut()
		}
		s.work.Go(func() { s.serve(c) })
	}
}

func (s *Server) serve(c *link.Conn) {
	s.cfg.Watch(Op{Kind: "connect"})
	s.speak(c)
	_ = c.Close()
	c.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// speak is SSH on one connection.
func (s *Server) speak(c *link.Conn) {
	if s.cfg.Trouble().Hang {
		_, _ = io.WriteString(c, "SSH-2.0-simulated\r\n")
		_, _ = io.Copy(io.Discard, c) // until the other side gives up
		return
	}
	cfg := &ssh.ServerConfig{PublicKeyCallback: s.login, MaxAuthTries: 6, ServerVersion: "SSH-2.0-OpenSSH_9.6_simulated"}
	// As OpenSSH 9.6 of Ubuntu 24.04, which has no ML-KEM yet.
	cfg.KeyExchanges = []string{ssh.KeyExchangeCurve25519, ssh.KeyExchangeECDHP256, ssh.KeyExchangeDH14SHA256}
	cfg.AddHostKey(s.cfg.HostKey)
	conn, channels, requests, err := ssh.NewServerConn(c, cfg)
	if err != nil {
		return
	}
	s.count.Logins.Add(1)
	s.work.Go(func() { ssh.DiscardRequests(requests) })
	slots := make(chan struct{}, maxSessions)
	for ch := range channels {
		switch ch.ChannelType() {
		case "session":
			s.work.Go(func() { s.session(ch, slots) })
		case "direct-tcpip":
			s.work.Go(func() { s.forward(ch) })
		default:
			_ = ch.Reject(ssh.UnknownChannelType, "the simulated host has no such channel")
		}
	}
	_ = conn.Close()
}

func (s *Server) login(c ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	if s.cfg.Trouble().RefuseKey || c.User() != s.cfg.User || !bytes.Equal(key.Marshal(), s.cfg.Key.Marshal()) {
		return nil, errors.New("refused")
	}
	return nil, nil
}
