package machine

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/cluster"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/probe"
)

// errEnded says that a unit was stopped while it did something.
var errEnded = errors.New("stopped")

// k3s is one life of k3s on a host, from a start of its unit to its end.
type k3s struct {
	*Machine
	u       *unit
	role    string
	version string
	config  config
	begun   time.Time
}

// live is one life of a unit. It returns when ctx ends, or with the last words
// of a k3s that gave up.
func (m *Machine) live(ctx context.Context, u *unit) error {
	k := &k3s{Machine: m, u: u, role: roleOf(u.name), begun: time.Now()}
	var err error
	if k.version, err = m.version(); err != nil {
		return err
	}
	if lines := m.Trouble().CrashLoop; len(lines) > 0 {
		if !m.wait(ctx, time.Second) {
			return errEnded
		}
		for _, l := range lines {
			k.say("%s", l)
		}
		return errors.New(fatal(m, "simulated fault: k3s gives up"))
	}
	if k.config, err = m.config(k.role); err != nil {
		return err
	}
	k.info("Starting k3s %s (simulated)", k.version)
	if k.role == "server" {
		return k.server(ctx)
	}
	return k.agent(ctx)
}

func stamp(m *Machine) string { return m.world.Now().UTC().Format(time.RFC3339) }

func fatal(m *Machine, text string) string {
	return fmt.Sprintf("time=%q level=fatal msg=%q", stamp(m), text)
}

func (k *k3s) say(format string, args ...any) { k.u.print(format, args...) }

func (k *k3s) info(format string, args ...any) {
	k.u.print("time=%q level=info msg=%q", stamp(k.Machine), fmt.Sprintf(format, args...))
}

func (k *k3s) failed(format string, args ...any) {
	k.u.print("time=%q level=error msg=%q", stamp(k.Machine), fmt.Sprintf(format, args...))
}

func (k *k3s) dies(format string, args ...any) error {
	return errors.New(fatal(k.Machine, fmt.Sprintf(format, args...)))
}

// wait lets the host's time pass.
func (m *Machine) wait(ctx context.Context, d time.Duration) bool {
	return m.world.wait(ctx, time.Duration(float64(d)*m.world.Speed/m.rate()))
}

// rate is how much of this host's time passes in a second of ours.
func (m *Machine) rate() float64 {
	if slow := m.Trouble().Slow; slow > 0 {
		return m.world.Speed / slow
	}
	return m.world.Speed
}

// until waits for a moment of this life, counted from its beginning.
func (k *k3s) until(ctx context.Context, at time.Duration) bool {
	passed := time.Duration(float64(time.Since(k.begun)) * k.rate())
	return k.wait(ctx, max(0, at-passed))
}

// reached sets the clock of this life to a moment that came later than it
// should.
func (k *k3s) reached(at time.Duration) {
	k.begun = time.Now().Add(-time.Duration(float64(at) / k.rate()))
}

// unpack is what k3s writes before anything else.
func (k *k3s) unpack(dirs ...string) error {
	dirs = append(dirs, k.config.dataDir()+"/data/simulated", k.config.dataDir()+"/agent/etc/containerd", "/run/k3s/containerd", "/run/flannel",
		"/var/lib/kubelet/pods", "/var/lib/cni/networks", "/etc/rancher/node")
	for _, d := range dirs {
		if err := k.files.MkdirAll(d, 0o700); err != nil {
			return k.dies("failed to prepare data dir: %v", err)
		}
	}
	k.mu.Lock()
	k.traces = true
	k.mu.Unlock()
	if !k.files.Exists(passwordPath) {
		if err := k.files.Write(passwordPath, []byte(k.hash("password " + stamp(k.Machine))[:32]+"\n"), 0o600); err != nil {
			return k.dies("failed to write the node password: %v", err)
		}
	}
	return nil
}

const passwordPath = "/etc/rancher/node/password"

// nodeName is the name the host registers under.
func (k *k3s) nodeName() string {
	if n := k.config.text("node-name"); n != "" {
		return n
	}
	return k.Name
}

// register makes the node, once the cluster lets it, and tries again like k3s
// while it does not.
func (k *k3s) register(ctx context.Context, c *cluster.Cluster) error {
	password := k.secretFile(passwordPath)
	for !c.Quorum() || c.CheckPassword(k.nodeName(), password) != nil {
		if c.Quorum() {
			k.failed("%v", cluster.ErrPassword)
		}
		if !k.wait(ctx, 5*time.Second) {
			return errEnded
		}
	}
	return c.Register(cluster.NodeSpec{
		Name: k.nodeName(), IP: k.config.text("node-ip"), Version: k.version, Kernel: probe.Kernel, Server: k.role == "server",
		Labels: k.config.labels(), Taints: k.config.taints(), CPUs: k.CPUs, MemoryKB: k.MemoryKB,
	})
}

// ready makes the node Ready, or says why it never is.
func (k *k3s) ready(c *cluster.Cluster) error {
	if why := k.Trouble().NeverReady; why != "" {
		k.failed("%s", why)
		return c.Condition(k.nodeName(), corev1.NodeReady, corev1.ConditionFalse, "KubeletNotReady", why)
	}
	return c.Condition(k.nodeName(), corev1.NodeReady, corev1.ConditionTrue, "KubeletReady", "kubelet is posting ready status (simulated)")
}

// lastBeat is how long after its last heartbeat a node counts as lost.
const lastBeat = 40 * time.Second

// run is k3s's life once it is up, until it is stopped. Then the cluster misses
// the node after a while, unless it comes back.
func (k *k3s) run(ctx context.Context, c *cluster.Cluster) error {
	k.u.set("active", "running")
	k.u.print("Started %s - Lightweight Kubernetes (simulated).", k.u.name)
	<-ctx.Done()
	u, w := k.u, k.world
	w.work.Go(func() {
		if w.wait(w.ctx, lastBeat) && !u.running() {
			// A node that was deleted is none any more.
			_ = c.Condition(k.nodeName(), corev1.NodeReady, corev1.ConditionUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status.")
		}
	})
	return errEnded
}
