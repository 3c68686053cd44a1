package remote

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Dialer connects to many hosts and shares what they have in common: the
// keys that were read and opened, and the connections to jump hosts. The
// zero value is ready; its methods may be called at the same time.
type Dialer struct {
	// PerJump is how many targets one connection to a jump host carries
	// before another one is opened. 0 means 64.
	PerJump int
	// Handshakes is how many targets behind one jump host are logged in to
	// at the same time. 0 means 16.
	Handshakes int

	keys keyRing
	mu   sync.Mutex
	hops map[string]*hopPool
	done bool
}

// Dial connects to one host. See Dialer for many.
func Dial(ctx context.Context, t Target) (*Conn, error) {
	d := &Dialer{}
	c, err := d.Dial(ctx, t)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	closeConn := c.close
	c.close = func() error { return errors.Join(closeConn(), d.Close()) }
	return c, nil
}

// Dial connects and logs in. The error is a ConnectError, that of ctx, or
// says what is wrong with t.
//
// Tries that may succeed later are repeated within t.RetryFor, each
// bounded by t.DialTimeout. Regardless of it, a server that drops the
// connection before it says who it is (sshd does so when too many log in
// at once) is tried up to three more times.
func (d *Dialer) Dial(ctx context.Context, t Target) (*Conn, error) {
	t.Password = onceSecret(t.Password)
	start := time.Now()
	for n := 0; ; n++ {
		c, err := d.try(ctx, t)
		if err == nil || !again(err, t, n, time.Since(start)) {
			return c, err
		}
		if err := pause(ctx, n); err != nil {
			return nil, fmt.Errorf("connecting to %s: %w", t.addr(), err)
		}
	}
}

// Close closes the connections to jump hosts, and with them what goes
// through them.
func (d *Dialer) Close() error {
	d.mu.Lock()
	pools := d.hops
	d.hops, d.done = nil, true
	d.mu.Unlock()
	var errs []error
	for _, p := range pools {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// dropTries is how often a connection that was dropped early is repeated.
const dropTries = 3

// again says whether try number n is worth another one.
func again(err error, t Target, n int, passed time.Duration) bool {
	var e *ConnectError
	if !errors.As(err, &e) || e.final {
		return false
	}
	if e.dropped && n < dropTries {
		return true
	}
	if passed >= t.RetryFor {
		return false
	}
	for _, class := range []error{ErrRefused, ErrTimeout, ErrNoRoute, ErrNotSSH, ErrAuth, ErrClosed} {
		if errors.Is(e.Class, class) {
			return true
		}
	}
	return false
}

// pause waits between two tries: longer each time up to 5 s, and never
// quite the same, so that hosts behind one jump host do not come together.
func pause(ctx context.Context, n int) error {
	d := min(250*time.Millisecond<<min(n, 5), 5*time.Second)
	return wait(ctx, d/2+rand.N(d))
}

// wait lets time pass, unless ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// onceSecret asks once and remembers, so that no retry asks again.
func onceSecret(ask func(context.Context) (string, error)) func(context.Context) (string, error) {
	if ask == nil {
		return nil
	}
	var once sync.Once
	var secret string
	var err error
	return func(ctx context.Context) (string, error) {
		once.Do(func() { secret, err = ask(ctx) })
		return secret, err
	}
}
