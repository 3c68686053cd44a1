package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"
)

// interrupted is the error of a dial whose context ended.
func interrupted(t Target, cause error) error {
	return fmt.Errorf("connecting to %s: %w", t.addr(), cause)
}

// unreachable makes the error of a TCP connection that was not to be had.
func unreachable(t Target, err error) error {
	e := &ConnectError{Host: t.name(), Addr: t.addr(), User: t.user(), Err: err, Class: tcpClass(err)}
	probe := Quote("ssh", "-v", "-p", fmt.Sprint(t.port()), t.user()+"@"+t.Address)
	switch {
	case errors.Is(e.Class, ErrNoAddress):
		e.hint = "check the address; look it up with: " + Quote("getent", "hosts", t.Address)
	case errors.Is(e.Class, ErrRefused):
		e.hint = "check the port and that sshd runs; compare with: " + probe
	case errors.Is(e.Class, ErrTimeout), errors.Is(e.Class, ErrNoRoute):
		e.hint = "check the address, the provider's firewall and whether a VPN or a jump host is needed; compare with: " + probe
	}
	return e
}

func tcpClass(err error) error {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return ErrNoAddress
	case errors.Is(err, syscall.ECONNREFUSED):
		return ErrRefused
	case errors.As(err, &timeout) && timeout.Timeout():
		return ErrTimeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF):
		return ErrClosed
	}
	return ErrNoRoute
}

// explain makes the error of a handshake that failed. The library's errors
// are mostly plain text, so the class comes from how far it got.
func (a *attempt) explain(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause != nil && !errors.Is(cause, ErrTimeout) {
		return interrupted(a.t, cause)
	}
	e := &ConnectError{Host: a.t.name(), Addr: a.t.addr(), User: a.t.user(), Err: err, Tried: a.login.tried, Banner: a.said}
	var algo *ssh.AlgorithmNegotiationError
	switch {
	case a.check.err != nil:
		e.Err, e.hint, e.final = a.check.err, a.check.hint, true
		e.Class = hostKeyClass(a.check.err)
	case cause != nil:
		e.Class, e.Err = ErrTimeout, fmt.Errorf("no login within %v", a.t.dialTimeout())
		e.hint = "the port answers and sshd does not: the host may hang or be overloaded; look at its console, or reboot it"
	case errors.As(err, &algo):
		e.Class = ErrNegotiation
		e.hint = "the server is too old or too strict; list what it offers with: " +
			Quote("ssh", "-vv", "-p", fmt.Sprint(a.t.port()), a.t.user()+"@"+a.t.Address)
	case !a.check.seen:
		a.explainEarly(e)
	default:
		a.explainLogin(e)
	}
	return e
}

func hostKeyClass(err error) error {
	for _, class := range []error{ErrHostKeyChanged, ErrHostKeyUnknown} {
		if errors.Is(err, class) {
			return class
		}
	}
	return ErrHostKeyUnknown // the trust file could not be written
}

// explainEarly is about a server that went before it showed a host key.
func (a *attempt) explainEarly(e *ConnectError) {
	greeting := strings.TrimSpace(a.conn.greeting())
	e.dropped = true
	switch {
	case greeting == "":
		e.Class = ErrClosed
		e.hint = "sshd may be starting or have too many logins at once (MaxStartups); see its log on the host"
	case !strings.Contains("\n"+greeting, "\nSSH-"):
		e.Class, e.Err = ErrNotSSH, fmt.Errorf("it says %q", firstLine(greeting))
		e.hint = "check the port"
	default:
		e.Class = ErrClosed
	}
}

// explainLogin is about a server that showed a good key and let nobody in.
func (a *attempt) explainLogin(e *ConnectError) {
	var network net.Error
	if errors.Is(e.Err, io.EOF) || errors.As(e.Err, &network) {
		e.Class = ErrClosed
		return
	}
	e.Class = ErrAuth
	e.final = a.login.usedPass // a wrong password repeated may lock the account
	if a.login.failed != nil { // what is missing is on our side: ssh -v would not tell
		e.Err, e.final = a.login.failed, true
		var own interface{ Hint() string }
		if errors.As(e.Err, &own) {
			e.hint = own.Hint()
		}
		return
	}
	try := []string{"ssh", "-v", "-p", fmt.Sprint(a.t.port())}
	for _, f := range a.t.IdentityFiles {
		try = append(try, "-i", f)
	}
	e.hint = "compare with: " + Quote(append(try, a.t.user()+"@"+a.t.Address)...)
	switch {
	case len(e.Tried) == 0:
		e.hint = "name a key (identityFile) or load one into the agent; " + e.hint
	case len(e.Tried) > 5:
		e.hint = "sshd takes only some tries (MaxAuthTries, 6); name the right key (identityFile); " + e.hint
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}
