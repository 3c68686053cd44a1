package remote_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// echoServer sends back what it reads, until the other side closes.
func echoServer(t testing.TB) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return ln.Addr().String()
}

// checkForward is what a forwarded connection does, however it is made.
func checkForward(t *testing.T, c *remote.Conn) {
	t.Helper()
	conn, err := c.DialContext(t.Context(), "tcp", echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte(binary), 50_000)
	go func() { _, _ = conn.Write(data) }()
	got := make([]byte, len(data))
	if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the echo differs, %v", err)
	}
	must(t, conn.SetReadDeadline(time.Now().Add(10*time.Millisecond)))
	_, err = conn.Read(got)
	var timeout net.Error
	if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("a read with deadline gives %v", err)
	}
	must(t, conn.SetReadDeadline(time.Time{}))
	if _, err := conn.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(conn, got[:1]); err != nil {
		t.Errorf("after a deadline was lifted: %v", err)
	}
	if conn.RemoteAddr().Network() != "tcp" || conn.LocalAddr().String() == "" {
		t.Errorf("addresses are %v and %v", conn.RemoteAddr(), conn.LocalAddr())
	}
	must(t, conn.Close())
	if _, err := conn.Read(got); err == nil {
		t.Error("a read after Close succeeds")
	}

	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "hello "+r.URL.Path) }))
	defer web.Close()
	client := &http.Client{Transport: &http.Transport{DialContext: c.DialContext}}
	defer client.CloseIdleConnections()
	res, err := client.Get(web.URL + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || string(body) != "hello /livez" {
		t.Errorf("got %q, %v", body, err)
	}
	if _, err := c.DialContext(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", "1")); !errors.Is(err, remote.ErrRefused) {
		t.Errorf("a closed port: %v", err)
	}
	if _, err := c.DialContext(t.Context(), "udp", "127.0.0.1:1"); err == nil {
		t.Error("udp was dialled")
	}
}

func TestForward(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	c := dial(t, h.Target())
	checkForward(t, c)
	if n := h.Counters(); n.Forwards != 2 || n.Carried != 0 || n.Sessions != 0 {
		t.Errorf("cost %+v", n)
	}
}

func TestForwardByCommandWhereItIsProhibited(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"))
	h.ProhibitForwarding(true)
	c := dial(t, h.Target())
	checkForward(t, c)
	if n := h.Counters(); n.Forwards != 0 || n.Carried != 2 {
		t.Errorf("cost %+v", n)
	}
}

func TestForwardNoWay(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.ProhibitForwarding(true)
	h.NoForwardTools(true)
	c := dial(t, h.Target())
	_, err := c.DialContext(t.Context(), "tcp", echoServer(t))
	var e *remote.ForwardingError
	if !errors.Is(err, remote.ErrForwarding) || !errors.As(err, &e) || !strings.Contains(e.Hint(), "AllowTcpForwarding") {
		t.Errorf("got %v", err)
	}
}

func TestForwardEndsWithTheLink(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	c := dial(t, h.Target())
	conn, err := c.DialContext(t.Context(), "tcp", echoServer(t))
	must(t, err)
	h.CutLink()
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a read over a lost link succeeds")
	}
	if _, err := c.DialContext(t.Context(), "tcp", echoServer(t)); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestForwardContext(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	c := dial(t, h.Target())
	h.Freeze(true)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.DialContext(ctx, "tcp", "127.0.0.1:1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestRealForward: direct-tcpip, and the helpers that stand in for it.
func TestRealForward(t *testing.T) {
	t.Parallel()
	t.Run("allowed", func(t *testing.T) {
		t.Parallel()
		checkForward(t, dial(t, newRealHost(t, "").target("free")))
	})
	t.Run("prohibited", func(t *testing.T) {
		t.Parallel()
		h := newRealHost(t, "AllowTcpForwarding no")
		for _, user := range []string{"free", "cshell"} {
			checkForward(t, dial(t, h.target(user)))
		}
	})
}
