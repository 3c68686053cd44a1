package machine

import (
	"bytes"
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/sshd"
)

// world is three hosts, laid out by hand as gpuboot would, where k3s lives a
// thousand times faster.
type world struct {
	*World
	t     *testing.T
	hosts []*Machine
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: NewWorld(1000, time.Now), t: t}
	t.Cleanup(w.Close)
	for i, name := range []string{"s1", "s2", "w1"} {
		m, err := w.Add(Spec{Name: name, Address: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 77, 0, byte(i + 1)}), 16),
			Loopback: "127.0.0.1", CPUs: 4, MemoryKB: 8 << 20, DiskKB: 100 << 20})
		if err != nil {
			t.Fatal(err)
		}
		w.hosts = append(w.hosts, m)
		w.put(m, binaryPath, "\x7fELF"+Magic+"v1.36.2+k3s1\n", 0o755)
	}
	return w
}

func (w *world) put(m *Machine, path, text string, mode uint32) {
	w.t.Helper()
	if err := m.files.Put(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	if mode == 0o755 {
		_ = m.files.Chmod(path, 0o755) // it was just made
	}
}

// run runs a command that has to succeed.
func (w *world) run(m *Machine, args ...string) string {
	w.t.Helper()
	var out bytes.Buffer
	code := m.Run(w.t.Context(), &sshd.Command{Args: args, Root: true, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	if code != 0 {
		w.t.Fatalf("%s: %q: exit %d: %s", m.Name, args, code, &out)
	}
	return out.String()
}

// start lays out a role and starts it.
func (w *world) start(m *Machine, role, config string, tokens ...string) string {
	w.t.Helper()
	unit := "k3s.service"
	if role == "agent" {
		unit = "k3s-agent.service"
	}
	w.put(m, unitPath(unit), "[Service]\n", 0)
	w.put(m, configPath, "node-ip: "+m.Address.Addr().String()+"\ntoken-file: /etc/rancher/k3s/token\n"+config, 0)
	for i, t := range tokens {
		w.put(m, []string{"/etc/rancher/k3s/token", "/etc/rancher/k3s/agent-token"}[i], t, 0)
	}
	w.run(m, "systemctl", "restart", "--no-block", unit)
	return unit
}

// says waits until a unit's log has a text.
func (w *world) says(m *Machine, unit, text string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	defer cancel()
	seen := &searcher{want: text, found: cancel}
	m.Run(ctx, &sshd.Command{Args: []string{"journalctl", "--follow", "--no-tail", "--unit=" + unit}, Stdin: strings.NewReader(""), Stdout: seen, Stderr: seen})
	if !strings.Contains(seen.String(), text) {
		w.t.Errorf("%s never said %q: %s", m.Name, text, seen.String())
	}
}

type searcher struct {
	bytes.Buffer
	want  string
	found func()
}

func (s *searcher) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if strings.Contains(s.String(), s.want) {
		s.found()
	}
	return n, err
}

const servers = "agent-token-file: /etc/rancher/k3s/agent-token\ncluster-cidr: 10.42.0.0/16\n"

// found begins a cluster on s1 and gives its tokens.
func (w *world) found() (server, agent string) {
	w.t.Helper()
	unit := w.start(w.hosts[0], "server", servers+"cluster-init: true\n", "sss", "aaa")
	w.says(w.hosts[0], unit, "Started k3s.service")
	return w.hosts[0].secretFile("/var/lib/rancher/k3s/server/token"), w.hosts[0].secretFile("/var/lib/rancher/k3s/server/agent-token")
}

// The words are those that real k3s prints, which gpuboot's diagnosis reads.
func TestJoiningGoneWrongSaysWhatK3sSays(t *testing.T) {
	t.Parallel()
	const url = "server: https://10.77.0.1:6443\n"
	for name, c := range map[string]struct {
		host         int
		role, config string
		token        func(server, agent string) string
		want         string
	}{
		"agent, wrong password":  {2, "agent", url, func(s, _ string) string { return s + "x" }, "failed to retrieve configuration from server: not authorized"},
		"agent, another CA":      {2, "agent", url, func(string, string) string { return "K10" + strings.Repeat("ab", 32) + "::server:sss" }, "token CA hash does not match the Cluster CA certificate hash"},
		"agent, nobody there":    {2, "agent", "server: https://10.77.0.9:6443\n", func(s, _ string) string { return s }, "failed to get CA certs"},
		"agent, a server's key":  {2, "agent", url + "disable: [traefik]\n", func(s, _ string) string { return s }, "flag provided but not defined: -disable"},
		"agent, no server":       {2, "agent", "", func(s, _ string) string { return s }, "--server is required"},
		"agent, no token":        {2, "agent", url, func(string, string) string { return "" }, "--token is required"},
		"server, agent's token":  {1, "server", url + servers, func(_, a string) string { return a }, "failed to bootstrap cluster data: not authorized"},
		"server, other settings": {1, "server", url + strings.Replace(servers, "10.42", "10.99", 1), func(s, _ string) string { return s }, "critical configuration value mismatch between servers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			server, agent := w.found()
			m := w.hosts[c.host]
			unit := w.start(m, c.role, c.config, c.token(server, agent), "aaa")
			w.says(m, unit, c.want)
		})
	}
}

func TestAServerKeepsItsDatastoreAndItsToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.found()
	s1 := w.hosts[0]
	w.run(s1, "systemctl", "restart", "k3s.service")
	if n := len(w.Clusters()); n != 1 {
		t.Errorf("%d clusters after a restart", n)
	}
	w.put(s1, "/etc/rancher/k3s/token", "another", 0)
	w.run(s1, "systemctl", "restart", "--no-block", "k3s.service")
	w.says(s1, "k3s.service", "bootstrap data already found and encrypted with different token")
}

func TestAReimagedHostIsRejectedUnderItsOldName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server, _ := w.found()
	w1 := w.hosts[2]
	unit := w.start(w1, "agent", "server: https://10.77.0.1:6443\n", server)
	w.says(w1, unit, "Started k3s-agent.service")
	w.put(w1, passwordPath, "of another life", 0)
	w.run(w1, "systemctl", "restart", "--no-block", unit)
	w.says(w1, unit, "Node password rejected, duplicate hostname")
}

func TestWhatGpubootMustNotDoIsAProblem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.found()
	s1 := w.hosts[0]
	w.put(s1, unitPath("k3s.service"), "[Service]\nNice=1\n", 0)
	w.run(s1, "systemctl", "restart", "--no-block", "k3s.service")
	var out bytes.Buffer
	s1.Run(t.Context(), &sshd.Command{Args: []string{"apt-get", "install", "x"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	got := strings.Join(w.Problems(), "\n")
	for _, want := range []string{"no daemon-reload", "apt-get install x"} {
		if !strings.Contains(got, want) {
			t.Errorf("problems %q, want %q among them", got, want)
		}
	}
}
