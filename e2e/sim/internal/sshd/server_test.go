package sshd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/link"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// machine echoes what it is told, and waits where it is told to.
type machine struct{ files *vfs.FS }

func (m machine) Files() *vfs.FS { return m.files }

func (m machine) Run(ctx context.Context, c *Command) int {
	fmt.Fprintf(c.Stdout, "%q root=%v", c.Args, c.Root)
	if c.Args[len(c.Args)-1] == "wait" {
		<-ctx.Done()
	}
	return 3
}

func (m machine) Dial(context.Context, string) (net.Conn, error) { return nil, errors.New("nobody") }

// serve starts a server and logs in to it.
func serve(t *testing.T, user string, watch func(Op)) (*Server, *ssh.Client) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{User: user, Key: signer.PublicKey(), HostKey: signer, Machine: machine{vfs.New(time.Now)},
		Line: func() link.Shape { return link.Shape{} }, Trouble: func() Trouble { return Trouble{} }, Watch: watch})
	if err := s.Listen("127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := ssh.Dial("tcp", s.Addr(), &ssh.ClientConfig{User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.FixedHostKey(signer.PublicKey())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return s, c
}

func session(t *testing.T, c *ssh.Client) *ssh.Session {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func nobody(Op) {}

func TestSomebodysOwnSSHWorksToo(t *testing.T) {
	t.Parallel()
	_, c := serve(t, "ubuntu", nobody)
	out, err := session(t, c).Output("uname -a | cat")
	var exit *ssh.ExitError
	if !errors.As(err, &exit) || exit.ExitStatus() != 3 || string(out) != `["sh" "-c" "uname -a | cat"] root=false` {
		t.Errorf("%s, %v", out, err)
	}
}

func TestAConnectionHasTenSessions(t *testing.T) {
	t.Parallel()
	_, c := serve(t, "root", nobody)
	var open []*ssh.Session
	for range maxSessions {
		s := session(t, c)
		if err := s.Start("wait"); err != nil {
			t.Fatal(err)
		}
		open = append(open, s)
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("an eleventh session was opened")
	}
	if err := open[0].Signal(ssh.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *ssh.ExitError
	if err := open[0].Wait(); !errors.As(err, &exit) || exit.Signal() != "TERM" {
		t.Errorf("a command that was signalled: %v", err)
	}
}

func TestOperationsAreToldBeforeAndAfter(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	s, c := serve(t, "root", func(o Op) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, fmt.Sprintf("%s %s %v", o.Kind, o.What, o.Done))
	})
	_, _ = session(t, c).Output("true")
	mu.Lock()
	defer mu.Unlock()
	if want := "connect  false,command sh -c true false,command sh -c true true"; strings.Join(got, ",") != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if n := s.Count(); n.Connections.Load() != 1 || n.Logins.Load() != 1 || n.Execs.Load() != 1 || n.BytesUp.Load() == 0 || n.BytesDown.Load() == 0 {
		t.Errorf("counted %d connections, %d logins, %d commands", n.Connections.Load(), n.Logins.Load(), n.Execs.Load())
	}
}

func TestAStoppedServerListensAgainAtItsAddress(t *testing.T) {
	t.Parallel()
	s, _ := serve(t, "root", nobody)
	addr := s.Addr()
	s.Stop()
	if _, err := net.Dial("tcp", addr); err == nil || s.Listening() {
		t.Error("a stopped server took a connection")
	}
	host, _, _ := net.SplitHostPort(addr)
	if err := s.Listen(host); err != nil || s.Addr() != addr {
		t.Errorf("listening again at %s instead of %s: %v", s.Addr(), addr, err)
	}
}
