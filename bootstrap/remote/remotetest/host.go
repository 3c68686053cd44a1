package remotetest

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// Host is one host.
type Host struct {
	t     testing.TB
	root  string
	home  string // keys of the client
	ln    net.Listener
	addr  *net.TCPAddr
	cfg   config
	count counters

	mu       sync.Mutex
	hostKeys []ssh.Signer
	clients  []ssh.PublicKey
	handlers []*Handler
	calls    []Call
	owners   map[string]string
	faults   faults
	shell    func(context.Context, Terminal) int // nil: no terminals
	conns    map[net.Conn]struct{}
	groups   map[int]group
	sessions map[*ssh.ServerConn]int
	nextPID  int
	work     sync.WaitGroup
	closed   bool
}

// New starts a host; it ends with the test.
func New(t testing.TB, opts ...Option) *Host {
	t.Helper()
	h := &Host{
		t: t, root: t.TempDir(), home: t.TempDir(),
		cfg:    config{user: "root"},
		owners: map[string]string{}, conns: map[net.Conn]struct{}{}, groups: map[int]group{}, nextPID: 100,
		sessions: map[*ssh.ServerConn]int{},
	}
	for _, o := range opts {
		o(&h.cfg)
	}
	h.makeKeys()
	for _, dir := range []string{"etc", "tmp", "root", "usr/local/bin", "var/lib", "etc/systemd/system"} {
		h.must(os.MkdirAll(filepath.Join(h.root, dir), 0o755))
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	h.must(err)
	h.ln, h.addr = ln, ln.Addr().(*net.TCPAddr)
	h.work.Go(h.accept)
	t.Cleanup(h.close)
	return h
}

func (h *Host) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("remotetest: %v", err)
	}
}

// makeKeys makes the key of the host and one for the client.
func (h *Host) makeKeys() {
	h.hostKeys = []ssh.Signer{h.newSigner()}
	pub, priv, err := ed25519.GenerateKey(rand.Reader)
	h.must(err)
	block, err := ssh.MarshalPrivateKey(priv, "remotetest")
	h.must(err)
	h.must(os.WriteFile(filepath.Join(h.home, "id_ed25519"), pemBytes(block), 0o600))
	client, err := ssh.NewPublicKey(pub)
	h.must(err)
	h.clients = []ssh.PublicKey{client}
}

func (h *Host) newSigner() ssh.Signer {
	_, priv, err := ed25519.GenerateKey(rand.Reader)
	h.must(err)
	signer, err := ssh.NewSignerFromKey(priv)
	h.must(err)
	return signer
}

// Target is how to reach the host: its key pinned, the client key named,
// no agent, and the sudo password when sudo asks for one.
func (h *Host) Target() remote.Target {
	t := remote.Target{
		Name: h.cfg.name, Address: "127.0.0.1", Port: h.addr.Port, User: h.cfg.user,
		IdentityFiles: []string{filepath.Join(h.home, "id_ed25519")}, IdentitiesOnly: true, AgentSocket: "none",
		KnownHosts: []string{}, HostKey: h.HostKey(),
	}
	if h.cfg.sudo == sudoPassword {
		t.SudoPassword = secret(h.cfg.sudoSecret)
	}
	return t
}

// HostKey is the (first) key that the host shows, as in known_hosts.
func (h *Host) HostKey() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(ssh.MarshalAuthorizedKey(h.hostKeys[0].PublicKey()))
}

// Addr is host:port of the SSH server.
func (h *Host) Addr() string { return h.addr.String() }

// Root is the folder that is "/" of the host.
func (h *Host) Root() string { return h.root }

// Path is where a path of the host lies on this machine.
func (h *Host) Path(name string) string { return filepath.Join(h.root, filepath.Clean("/"+name)) }

// close ends the host and reports what was expected and did not come.
func (h *Host) close() {
	h.mu.Lock()
	h.closed = true
	conns := h.conns
	h.conns = map[net.Conn]struct{}{}
	h.mu.Unlock()
	_ = h.ln.Close()
	for c := range conns {
		_ = c.Close()
	}
	h.killAll()
	h.work.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.handlers {
		x.report(h.t)
	}
}
