package remotetest

import (
	"bytes"
	"errors"
	"net"
	"slices"

	"golang.org/x/crypto/ssh"
)

// accept takes connections until the host ends.
func (h *Host) accept() {
	for {
		conn, err := h.ln.Accept()
		if err != nil {
			return
		}
		h.count.add(func(c *Counters) { c.Connections++ })
		h.mu.Lock()
		ended := h.closed
		h.conns[conn] = struct{}{}
		h.mu.Unlock()
		if ended {
			_ = conn.Close()
			return
		}
		h.work.Go(func() {
			h.serve(conn)
			_ = conn.Close()
			h.mu.Lock()
			delete(h.conns, conn)
			h.mu.Unlock()
		})
	}
}

// serve speaks SSH on one connection until it ends.
func (h *Host) serve(raw net.Conn) {
	f := h.fault()
	if f.dropEarly(h) {
		return
	}
	if f.greeting != "" {
		_, _ = raw.Write([]byte(f.greeting))
		return
	}
	conn := &faultyConn{Conn: raw, h: h}
	if f.hang {
		_, _ = raw.Write([]byte("SSH-2.0-remotetest\r\n"))
		conn.hang()
		return
	}
	sc, chans, reqs, err := ssh.NewServerConn(conn, h.sshConfig())
	if err != nil {
		return
	}
	h.count.add(func(c *Counters) { c.Logins++ })
	h.work.Go(func() {
		for req := range reqs {
			h.count.add(func(c *Counters) { c.KeepAlives++ })
			_ = req.Reply(false, nil)
		}
	})
	for ch := range chans {
		h.work.Go(func() { h.channel(sc, ch) })
	}
	_ = sc.Close()
}

func (h *Host) sshConfig() *ssh.ServerConfig {
	cfg := &ssh.ServerConfig{
		MaxAuthTries:      6,
		PublicKeyCallback: h.checkKey,
		BannerCallback:    func(ssh.ConnMetadata) string { return h.cfg.banner },
	}
	switch {
	case h.cfg.password != "" && h.cfg.questions != "":
		cfg.KeyboardInteractiveCallback = h.interact
	case h.cfg.password != "":
		cfg.PasswordCallback = func(c ssh.ConnMetadata, pw []byte) (*ssh.Permissions, error) {
			return nil, h.checkPassword(c, string(pw))
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.hostKeys {
		cfg.AddHostKey(k)
	}
	return cfg
}

func (h *Host) interact(c ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
	if _, err := ask("", "Welcome.", nil, nil); err != nil { // as PAM does with a message
		return nil, err
	}
	answers, err := ask("", "", []string{h.cfg.questions}, []bool{false})
	if err != nil || len(answers) != 1 {
		return nil, errors.New("no answer")
	}
	return nil, h.checkPassword(c, answers[0])
}

func (h *Host) checkPassword(c ssh.ConnMetadata, password string) error {
	h.count.add(func(c *Counters) { c.Passwords++ })
	if c.User() != h.cfg.user || password != h.cfg.password || h.fault().refuse {
		return errors.New("wrong password")
	}
	return nil
}

func (h *Host) checkKey(c ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	h.count.add(func(c *Counters) { c.KeysOffered++ })
	if cert, ok := key.(*ssh.Certificate); ok {
		return h.checkCert(c, cert)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.User() != h.cfg.user || h.faults.refuse {
		return nil, errors.New("refused")
	}
	for _, k := range h.clients {
		if bytes.Equal(k.Marshal(), key.Marshal()) {
			return nil, nil
		}
	}
	return nil, errors.New("unknown key")
}

// checkCert takes certificates that an authorized key signed.
func (h *Host) checkCert(c ssh.ConnMetadata, cert *ssh.Certificate) (*ssh.Permissions, error) {
	checker := ssh.CertChecker{IsUserAuthority: func(key ssh.PublicKey) bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return slices.ContainsFunc(h.clients, func(k ssh.PublicKey) bool { return bytes.Equal(k.Marshal(), key.Marshal()) })
	}}
	return checker.Authenticate(c, cert)
}

// Authorize lets a client key in, and certificates that it signed.
func (h *Host) Authorize(key ssh.PublicKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients = append(h.clients, key)
}

func (h *Host) channel(sc *ssh.ServerConn, ch ssh.NewChannel) {
	switch ch.ChannelType() {
	case "session":
		h.session(sc, ch)
	case "direct-tcpip":
		h.forward(ch)
	default:
		_ = ch.Reject(ssh.UnknownChannelType, "not here")
	}
}
