package remote_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

func TestDialClasses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		set   func(*remotetest.Host)
		to    func(*remote.Target)
		class error
		conns int64 // connections that it cost, -1 for any
		text  string
	}{
		{"refused", nil, func(t *remote.Target) { t.Port = 1 }, remote.ErrRefused, 0, ""},
		{"no such name", nil, func(t *remote.Target) { t.Address = "no-such-host.invalid" }, remote.ErrNoAddress, 0, ""},
		{"hangs", func(h *remotetest.Host) { h.HangAfterBanner(true) }, func(t *remote.Target) { t.DialTimeout = 50 * time.Millisecond }, remote.ErrTimeout, 1, "no login within 50ms"},
		{"no keys taken", func(h *remotetest.Host) { h.RefuseLogin(true) }, nil, remote.ErrAuth, 1, "id_ed25519 ssh-ed25519 SHA256:"},
		{"other user", nil, func(t *remote.Target) { t.User = "nobody" }, remote.ErrAuth, 1, "connecting to nobody@127.0.0.1:"},
		{"not ssh", func(h *remotetest.Host) { h.Greet("HTTP/1.1 400 Bad Request\r\n\r\n") }, nil, remote.ErrNotSSH, 4, `it says "HTTP/1.1 400 Bad Request"`},
		{"penalty", func(h *remotetest.Host) { h.Greet("Not allowed at this time\r\n") }, nil, remote.ErrNotSSH, 4, `it says "Not allowed at this time"`},
		{"dropped", func(h *remotetest.Host) { h.DropConnections(100) }, nil, remote.ErrClosed, 4, ""},
		{"key changed", func(h *remotetest.Host) { h.ChangeHostKey() }, nil, remote.ErrHostKeyChanged, 1, "pinned is ssh-ed25519 SHA256:"},
		{"key unknown", nil, func(t *remote.Target) { t.HostKey = "" }, remote.ErrHostKeyUnknown, 1, "shows ssh-ed25519 SHA256:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := remotetest.New(t)
			target := h.Target()
			if tt.to != nil {
				tt.to(&target)
			}
			if tt.set != nil {
				tt.set(h)
			}
			e := refused(t, target, tt.class)
			if !strings.Contains(e.Error(), tt.text) {
				t.Errorf("the error reads %q, want %q", e, tt.text)
			}
			if e.Hint() == "" && !errors.Is(tt.class, remote.ErrTimeout) {
				t.Errorf("no hint for %v", e)
			}
			if n := h.Counters().Connections; n != tt.conns {
				t.Errorf("cost %d connections, want %d", n, tt.conns)
			}
		})
	}
}

func TestDialDroppedConnectionsAreTriedAgain(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.DropConnections(2)
	dial(t, h.Target())
	if n := h.Counters(); n.Connections != 3 {
		t.Errorf("cost %+v", n)
	}
	h.Await(func(n remotetest.Counters) bool { return n.Logins == 1 }) // the server notes it a little later
}

func TestDialRetriesAYoungHost(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.RefuseLogin(true)
	target := h.Target()
	target.RetryFor = time.Minute
	go func() { // it was refused once and comes again
		h.Await(func(n remotetest.Counters) bool { return n.Connections == 2 })
		h.RefuseLogin(false)
	}()
	dial(t, target)
}

func TestDialPermanentErrorsAreNotRetried(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.Password("right"))
	target := h.Target()
	target.RetryFor = time.Hour

	changed := target
	changed.HostKey = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	_ = refused(t, changed, remote.ErrHostKeyChanged)

	var asked atomic.Int64
	wrong := target
	wrong.User, wrong.Password = "root", func(context.Context) (string, error) {
		asked.Add(1)
		return "wrong", nil
	}
	h.RefuseLogin(true) // a wrong password repeated may lock the account
	_ = refused(t, wrong, remote.ErrAuth)
	if n := h.Counters(); asked.Load() != 1 || n.Passwords != 1 {
		t.Errorf("asked %d times, sent %d times", asked.Load(), n.Passwords)
	}
}

func TestDialContext(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.HangAfterBanner(true)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("interrupted by the user")
	go func() {
		h.Await(func(n remotetest.Counters) bool { return n.Connections == 1 })
		cancel(cause)
	}()
	if _, err := remote.Dial(ctx, h.Target()); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

func TestDialBanner(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.Banner("Authorized use only.\n"))
	h.RefuseLogin(true)
	if e := refused(t, h.Target(), remote.ErrAuth); e.Output() != "Authorized use only.\n" {
		t.Errorf("the banner is %q", e.Output())
	}
}

func TestKeepAliveNoticesADeadLink(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	begun := make(chan struct{}, 1)
	h.On("sleep", "1000").Do(blockUntilKilled(begun))
	target := h.Target()
	target.KeepAlive = 10 * time.Millisecond
	c := dial(t, target)
	go func() {
		<-begun
		h.Freeze(true)
	}()
	_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"sleep", "1000"}})
	if !errors.Is(err, remote.ErrClosed) || !strings.Contains(err.Error(), "silent for 30ms") {
		t.Errorf("got %v", err)
	}
}

func TestKeepAliveLetsAQuietLinkLive(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("quiet").Do(func(context.Context, *remotetest.Call) int {
		h.Await(func(n remotetest.Counters) bool { return n.KeepAlives >= 10 })
		return 0
	})
	target := h.Target()
	target.KeepAlive = 20 * time.Millisecond
	c := dial(t, target)
	output(t, c, remote.Cmd{Args: []string{"quiet"}})
}
