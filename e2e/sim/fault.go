package sim

import (
	"math/rand/v2"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/machine"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/sshd"
	"github.com/gpuboot/gpuboot/inventory"
)

// FaultKind is a way in which a host is broken.
type FaultKind string

// The kinds of faults.
const (
	Down            FaultKind = "down"              // nothing listens for SSH
	RefuseKey       FaultKind = "refuse-key"        // the login is refused
	HangAfterBanner FaultKind = "hang-after-banner" // sshd says its version and nothing more
	NoForwarding    FaultKind = "no-forwarding"     // sshd allows no direct-tcpip
	DiskFull        FaultKind = "disk-full"         // files may have Bytes together
	Slow            FaultKind = "slow"              // line and k3s take Factor times as long
	CrashLoop       FaultKind = "crash-loop"        // k3s prints Text and exits, again and again
	NeverReady      FaultKind = "never-ready"       // the node stays NotReady, with Text
	FirstStartDies  FaultKind = "first-start-dies"  // k3s's first start on a founder dies half-way
	Isolated        FaultKind = "isolated"          // the host reaches no other host
	CutLink         FaultKind = "cut-link"          // links are cut when an operation matches Text, Times times
	PodsNotReady    FaultKind = "pods-not-ready"    // the pods of Workload stay as they are, with Text; of no host
)

// Fault is what is wrong with a host.
type Fault struct {
	Host   string
	Kind   FaultKind
	Text   string
	Bytes  int64
	Factor float64
	Times  int // 0 means once
	// Workload is "namespace/name" of a Deployment, DaemonSet, StatefulSet or Job.
	Workload string
}

// Inject breaks a host. Several faults of different kinds add up.
func (f *Fleet) Inject(fault Fault) {
	if fault.Kind == PodsNotReady {
		f.world.Break(fault.Workload, fault.Text)
		return
	}
	h := f.byName[fault.Host]
	if h == nil {
		f.world.Problem("fault %s: there is no host %q", fault.Kind, fault.Host)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.machine.Trouble()
	switch fault.Kind {
	case Down:
		h.server.Stop()
		h.server.Cut()
	case RefuseKey:
		h.ssh.RefuseKey = true
	case HangAfterBanner:
		h.ssh.Hang = true
	case NoForwarding:
		h.ssh.NoForwarding = true
	case DiskFull:
		h.machine.Files().Limit(max(1, fault.Bytes))
	case Slow:
		h.slow, t.Slow = fault.Factor, fault.Factor
	case CrashLoop:
		t.CrashLoop = []string{fault.Text}
	case NeverReady:
		t.NeverReady = fault.Text
	case FirstStartDies:
		t.DieOnce = true
	case Isolated:
		t.Isolated = true
	case CutLink:
		h.cutAt, h.cuts = fault.Text, max(1, fault.Times)
	default:
		f.world.Problem("host %s: there is no fault %q", fault.Host, fault.Kind)
	}
	h.machine.SetTrouble(t)
}

// Heal takes all faults of a host away.
func (f *Fleet) Heal(host string) error {
	h := f.byName[host]
	h.mu.Lock()
	h.ssh, h.slow, h.cuts = sshd.Trouble{}, 0, 0
	h.machine.SetTrouble(machine.Trouble{})
	h.machine.Files().Limit(0)
	h.mu.Unlock()
	if h.server.Listening() {
		return nil
	}
	return h.server.Listen(h.ip)
}

// RandomFaults breaks about one worker in eight, each in its own way, the same
// way for the same seed. All of them end a run's wait by themselves.
func RandomFaults(hosts []Host, seed uint64) []Fault {
	dice := rand.New(rand.NewPCG(seed, 7))
	kinds := []Fault{
		{Kind: RefuseKey}, {Kind: CrashLoop, Text: `level=fatal msg="failed to find memory cgroup (v2)"`},
		{Kind: Down}, {Kind: DiskFull, Bytes: 256 << 10}, {Kind: Slow, Factor: 3}, {Kind: CutLink, Text: "write /usr/local/bin/k3s"},
	}
	var out []Fault
	for _, i := range dice.Perm(len(hosts)) {
		if hosts[i].Role != inventory.RoleWorker || len(out) >= max(1, len(hosts)/8) {
			continue
		}
		fault := kinds[len(out)%len(kinds)]
		fault.Host = hosts[i].Name
		out = append(out, fault)
	}
	return out
}
