package remote

import (
	"context"
	"errors"
	"net"
	"time"

	"golang.org/x/crypto/ssh"
)

// attempt is one try to connect.
type attempt struct {
	t     Target
	check *hostCheck
	login *login
	clock *clock
	conn  *meteredConn // nil until TCP stands
	said  string       // banner of the host
}

// try connects once.
func (d *Dialer) try(ctx context.Context, t Target) (*Conn, error) {
	check, err := newHostCheck(t)
	if err != nil {
		return nil, err
	}
	for {
		c, err := d.connect(ctx, t, check)
		if err == nil || !check.nextKind() {
			return c, check.mismatch(err)
		}
	}
}

// connect is one handshake.
func (d *Dialer) connect(ctx context.Context, t Target, check *hostCheck) (*Conn, error) {
	raw, via, err := d.reach(ctx, t)
	if err != nil {
		return nil, err
	}
	c := newConn(t.name(), t.user() == "root", t.SudoPassword)
	a := &attempt{t: t, check: check, conn: &meteredConn{Conn: raw, up: &c.stats.up, down: &c.stats.down}}
	client, err := a.handshake(ctx, &d.keys)
	if err != nil {
		via.release()
		return nil, err
	}
	via.settled()
	link := newSSHLink(client, a.conn, &c.stats, t.keepAlive())
	c.link = link
	c.close = func() error {
		err := link.close()
		via.release()
		return err
	}
	return c, nil
}

// handshake makes an SSH client of a byte stream, within DialTimeout.
func (a *attempt) handshake(ctx context.Context, keys *keyRing) (*ssh.Client, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a.clock = startClock(a.t.dialTimeout(), func() { cancel(ErrTimeout) })
	defer a.clock.stop()
	stop := context.AfterFunc(ctx, func() { _ = a.conn.Close() })
	defer stop()

	a.login = &login{t: a.t, aside: a.clock.aside}
	agent := openAgent(ctx, a.t.AgentSocket)
	defer agent.close()
	conn, chans, reqs, err := ssh.NewClientConn(a.conn, a.t.addr(), &ssh.ClientConfig{
		User:              a.t.user(),
		Auth:              a.login.methods(ctx, keys, agent),
		HostKeyCallback:   a.check.check,
		HostKeyAlgorithms: a.check.algorithms(),
		BannerCallback:    a.banner,
	})
	if err != nil {
		return nil, a.explain(ctx, err)
	}
	if !stop() { // the clock struck between the login and here
		_ = conn.Close()
		return nil, a.explain(ctx, context.Cause(ctx))
	}
	return ssh.NewClient(conn, chans, reqs), nil
}

// banner keeps what the host says before the login.
func (a *attempt) banner(text string) error {
	const maxBanner = 4 << 10
	a.said += text[:min(len(text), maxBanner-len(a.said))]
	return nil
}

// dialTCP connects without a jump host.
func dialTCP(ctx context.Context, t Target) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.dialTimeout(), ErrTimeout)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", t.addr())
	if err == nil {
		return conn, nil
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, ErrTimeout) {
		return nil, interrupted(t, cause)
	}
	return nil, unreachable(t, err)
}

// clock bounds a dial, and stands still while a person is asked.
type clock struct {
	limit time.Duration
	timer *time.Timer
}

func startClock(limit time.Duration, strike func()) *clock {
	return &clock{limit, time.AfterFunc(limit, strike)}
}

func (c *clock) stop() { c.timer.Stop() }

// aside runs a question to a person; the answer gives the dial its whole
// time again, as the host was not what took long.
func (c *clock) aside(question func() error) error {
	c.timer.Stop()
	defer c.timer.Reset(c.limit)
	return question()
}
