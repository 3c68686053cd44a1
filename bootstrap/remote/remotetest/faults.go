package remotetest

import (
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// faults is what is wrong with the host at the moment.
type faults struct {
	refuse     bool
	hang       bool
	noForward  bool
	noTools    bool
	greeting   string
	dropped    *atomic.Int64 // connections still to be dropped
	frozen     bool
	delay      time.Duration
	space      int64 // bytes that a file may still have; 0 is no limit
	nologin    string
	sessionMax int
}

func (h *Host) fault() faults {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.faults
}

func (h *Host) set(change func(*faults)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.faults)
}

// RefuseLogin refuses every key and password while on.
func (h *Host) RefuseLogin(on bool) { h.set(func(f *faults) { f.refuse = on }) }

// HangAfterBanner sends the version line of SSH and nothing more.
func (h *Host) HangAfterBanner(on bool) { h.set(func(f *faults) { f.hang = on }) }

// ProhibitForwarding refuses direct-tcpip like AllowTcpForwarding no.
func (h *Host) ProhibitForwarding(on bool) { h.set(func(f *faults) { f.noForward = on }) }

// NoForwardTools makes the host lack the tools for forwarding by command.
func (h *Host) NoForwardTools(on bool) { h.set(func(f *faults) { f.noTools = on }) }

// Greet answers connections with text instead of SSH; "" ends that.
func (h *Host) Greet(text string) { h.set(func(f *faults) { f.greeting = text }) }

// DropConnections closes the next n connections before the version line,
// like sshd above MaxStartups.
func (h *Host) DropConnections(n int) {
	left := new(atomic.Int64)
	left.Store(int64(n))
	h.set(func(f *faults) { f.dropped = left })
}

func (f faults) dropEarly(h *Host) bool { return f.dropped != nil && f.dropped.Add(-1) >= 0 }

// Freeze makes all links dead without closing them: nothing is read and
// nothing is sent.
func (h *Host) Freeze(on bool) { h.set(func(f *faults) { f.frozen = on }) }

// Delay makes every command begin later.
func (h *Host) Delay(d time.Duration) { h.set(func(f *faults) { f.delay = d }) }

// DiskSpace makes files above n bytes fail like a full disk; 0 ends that.
func (h *Host) DiskSpace(n int64) { h.set(func(f *faults) { f.space = n }) }

// NoLogin makes the login shell print text and exit with 1.
func (h *Host) NoLogin(text string) { h.set(func(f *faults) { f.nologin = text }) }

// MaxSessions refuses sessions above n on one connection; 0 is no limit.
func (h *Host) MaxSessions(n int) { h.set(func(f *faults) { f.sessionMax = n }) }

// ChangeHostKey gives the host another key, as after a new installation.
func (h *Host) ChangeHostKey() { h.SetHostKeys(h.newSigner()) }

// SetHostKeys gives the host several keys, one of each kind.
func (h *Host) SetHostKeys(keys ...ssh.Signer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hostKeys = keys
}

// CutLink closes all connections at once.
func (h *Host) CutLink() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		_ = c.Close()
	}
}
