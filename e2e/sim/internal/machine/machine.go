package machine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/cluster"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/probe"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/shell"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/sshd"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// Spec is what a host is made of.
type Spec struct {
	Name     string
	Address  netip.Prefix // on the simulated network
	Loopback string       // the address of its servers on the real machine
	GPU      string       // product word, as probe.Models knows it
	GPUs     int
	RDMA     int
	CPUs     int
	MemoryKB int64
	DiskKB   int64
	UsedKB   int64
	Seed     uint64
}

// Machine is one host.
type Machine struct {
	Spec
	world  *World
	files  *vfs.FS
	shell  *shell.Shell
	booted time.Time

	mu      sync.Mutex
	trouble Trouble
	units   map[string]*unit
	traces  bool // links and mounts that k3s made are there
	locks   map[string]bool
	served  *cluster.Server
	apiAddr string // where served listens on the real machine
	member  *cluster.Cluster
	// listener is the token with which the host greets while hosts try each other.
	listener string
}

var _ sshd.Machine = (*Machine)(nil)

// Add makes a host in a world.
func (w *World) Add(s Spec) (*Machine, error) {
	m := &Machine{Spec: s, world: w, files: vfs.New(w.Now), booted: w.Now(), units: map[string]*unit{}, locks: map[string]bool{}}
	m.shell = &shell.Shell{Files: m.files, Tool: m.tool, Unknown: func(what string) { w.Problem("%s: a command the simulated host does not know: %s", s.Name, what) }}
	for _, dir := range []string{"/etc/systemd/system/multi-user.target.wants", "/etc/default", "/usr/local/bin", "/var/lib", "/run/systemd", "/tmp", "/root", "/opt", "/home"} {
		if err := m.files.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("laying out simulated host %s: %w", s.Name, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.machines[s.Address.Addr()] = m
	return m, nil
}

// Files are the host's.
func (m *Machine) Files() *vfs.FS { return m.files }

// Cluster is the cluster whose server or agent runs here, nil without one.
func (m *Machine) Cluster() *cluster.Cluster {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.member
}

// hash makes a stable identifier of the host from its seed and name.
func (m *Machine) hash(what string) string {
	s := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", m.Seed, m.Name, what))
	return hex.EncodeToString(s[:])
}

// Dial connects to an address as the host sees it: the API of itself or of
// another server, or the SSH server of another host. There is nothing else in
// this world.
func (m *Machine) Dial(ctx context.Context, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	to := addr
	if !m.world.knowsSSH(addr) {
		peer := m.world.at(host)
		if host == "127.0.0.1" || host == "localhost" {
			peer = m
		}
		if peer == nil || port != "6443" || peer.api() == nil || peer != m && m.Trouble().Isolated {
			return nil, syscall.ECONNREFUSED
		}
		to = peer.apiAddress()
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", to)
}

func (m *Machine) api() *cluster.Server {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.served
}

func (m *Machine) apiAddress() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.apiAddr
}

// Run runs a caller's command.
func (m *Machine) Run(ctx context.Context, c *sshd.Command) int {
	call := &shell.Call{Args: c.Args, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr}
	if c.Args[len(c.Args)-1] == "motd" {
		fmt.Fprintf(c.Stdout, "This host (%s) is simulated: there is no shell to talk to.\n", m.Name)
		return 0
	}
	if len(c.Args) > 6 && c.Args[3] == reachName {
		return m.reach(ctx, call, c.Args[6:])
	}
	if c.Args[0] == "sh" && (len(c.Args) == 1 || c.Args[1] != "-c") {
		script, err := io.ReadAll(c.Stdin)
		if err != nil {
			return call.Complain("sh: %v", err)
		}
		switch text := string(script); {
		case strings.Contains(text, "@@gpuboot-probe"):
			_, _ = c.Stdout.Write(probe.Render(m.State(c.Root)))
			return 0
		case strings.Contains(text, "/run/k3s/containerd/containerd.sock"):
			return m.stopScript(call)
		default:
			call.Stdin = strings.NewReader(text)
		}
	}
	return m.shell.Run(ctx, call)
}

// tool is what the host adds to the shell's own tools.
func (m *Machine) tool(ctx context.Context, c *shell.Call) (int, bool) {
	switch c.Args[0] {
	case "systemctl":
		return m.systemctl(ctx, c), true
	case "journalctl":
		return m.journalctl(ctx, c), true
	case "flock":
		return m.flock(ctx, c), true
	case "uname":
		fmt.Fprintf(c.Stdout, "Linux %s %s #1 SMP simulated x86_64 GNU/Linux\n", m.Name, probe.Kernel)
	case "hostname":
		fmt.Fprintln(c.Stdout, m.Name)
	case "k3s", "/usr/local/bin/k3s":
		v, err := m.version()
		if err != nil {
			return c.Complain("%v", err), true
		}
		fmt.Fprintf(c.Stdout, "k3s version %s (simulated)\n", v)
	default:
		return 0, false
	}
	return 0, true
}

// flock -n -E CODE PATH COMMAND... holds a lock while the command runs.
func (m *Machine) flock(ctx context.Context, c *shell.Call) int {
	if len(c.Args) < 6 || c.Args[1] != "-n" || c.Args[2] != "-E" {
		m.world.Problem("%s: flock with options the simulated host does not know: %q", m.Name, c.Args)
		return 1
	}
	name := c.Args[4]
	m.mu.Lock()
	held := m.locks[name]
	m.locks[name] = true
	m.mu.Unlock()
	if held {
		var code int
		_, _ = fmt.Sscan(c.Args[3], &code) // stays 0 like an odd option's
		return code
	}
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.locks, name)
	}()
	inner := *c
	inner.Args = c.Args[5:]
	return m.shell.Run(ctx, &inner)
}
