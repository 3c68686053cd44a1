package remote

import "errors"

// Error classes, for errors.Is. Each comment says whether trying again can
// help; only Target.RetryFor makes this package try again.
var (
	// ErrRefused: nothing listens on the port. A host that boots, or whose
	// sshd restarts, answers so for a while: worth retrying in a window.
	ErrRefused = errors.New("connection refused")
	// ErrTimeout: no answer in time, in TCP, in the handshake, or a host
	// that went quiet while logging in. May be a firewall or a host that
	// boots: worth retrying in a window.
	ErrTimeout = errors.New("no answer in time")
	// ErrNoRoute: the network has no way to the address. Routes come with
	// a booting network or a VPN: worth retrying in a window.
	ErrNoRoute = errors.New("no route to the host")
	// ErrNoAddress: the name does not resolve. Not retried: a name that is
	// mistyped stays so.
	ErrNoAddress = errors.New("the name does not resolve")
	// ErrNotSSH: the port answered, but not as an SSH server. An overloaded
	// sshd and one that penalises our address answer like that too, with a
	// line of text: worth retrying in a window.
	ErrNotSSH = errors.New("the port does not speak SSH")
	// ErrNegotiation: client and server have no algorithm in common. Not
	// retried: neither side changes by waiting.
	ErrNegotiation = errors.New("no common algorithm")
	// ErrAuth: every key and password was refused. A fresh host opens sshd
	// before its keys are written: retried inside Target.RetryFor, and
	// permanent without it.
	ErrAuth = errors.New("login refused")
	// ErrHostKeyUnknown: no file knows the key of the host and there is no
	// TrustFile to record it. Not retried: a person must decide.
	ErrHostKeyUnknown = errors.New("host key unknown")
	// ErrHostKeyChanged: the host shows another key than the one recorded
	// or pinned, or a revoked one. Never retried, never overridden.
	ErrHostKeyChanged = errors.New("host key changed")
	// ErrShell: the account ran no command (nologin, a forced command, a
	// proxy without exec). Not retried: the account is made like that.
	ErrShell = errors.New("the login runs no commands")
	// ErrSudo: root was denied, or the password is wrong or missing. Never
	// retried: a wrong password may lock the account.
	ErrSudo = errors.New("no root rights")
	// ErrForwarding: sshd forbids forwarding and no helper on the host can
	// stand in. Not retried: it is a setting.
	ErrForwarding = errors.New("forwarding not possible")
	// ErrClosed: the link was lost. What the host did, and does, is
	// unknown: neither success nor failure. Connecting again is safe, a
	// command only where it may run twice.
	ErrClosed = errors.New("connection lost")
)
