package sim_test

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/addons/kube"
	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/e2e/sim"
	"github.com/gpuboot/gpuboot/inventory"
)

// speed makes k3s start in tens of milliseconds.
const speed = 300

// rig is a fleet, and the real gpuboot that works on it.
type rig struct {
	t     testing.TB
	fleet *sim.Fleet
	dir   string
	files sim.Files
	boot  *bootstrap.Gpuboot

	mu     sync.Mutex
	events []engine.Event
	sink   engine.Sink // hears of events too
}

func newRig(t testing.TB, opt sim.Options) *rig {
	t.Helper()
	if opt.Speed == 0 {
		opt.Speed = speed
	}
	fleet, err := sim.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, fleet: fleet, dir: t.TempDir()}
	t.Cleanup(func() {
		fleet.Close()
		for _, p := range fleet.Problems() {
			t.Errorf("problem: %s", p)
		}
	})
	r.write(sim.Setup{})
	r.boot = newGpuboot(r.dir, r.hear)
	return r
}

// write writes the inventory anew.
func (r *rig) write(s sim.Setup) {
	r.t.Helper()
	s.Dir, s.Name, s.Size = r.dir, "lab", max(s.Size, 96<<10)
	files, err := r.fleet.WriteFiles(s)
	if err != nil {
		r.t.Fatal(err)
	}
	r.files = files
}

func (r *rig) hear(e engine.Event) {
	r.mu.Lock()
	r.events = append(r.events, e)
	sink := r.sink
	r.mu.Unlock()
	sink.Emit(e)
}

// listen makes a sink hear of events from now on.
func (r *rig) listen(s engine.Sink) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sink = s
}

// newGpuboot is gpuboot as its command line makes it, with a short patience for
// hosts that do not answer.
func newGpuboot(dir string, sink engine.Sink) *bootstrap.Gpuboot {
	dialer := &remote.Dialer{}
	return &bootstrap.Gpuboot{
		Dial: func(ctx context.Context, h inventory.Host) (bootstrap.Conn, error) {
			t := remote.Target{Name: h.Name, Address: h.Address, Port: h.Port, User: h.User, IdentityFiles: h.IdentityFiles,
				IdentitiesOnly: true, AgentSocket: "none", HostKey: h.HostKey, DialTimeout: 5 * time.Second}
			for _, hop := range h.JumpHosts {
				t.JumpHosts = append(t.JumpHosts, jumpTarget(hop, t, filepath.Join(dir, "known_hosts")))
			}
			c, err := dialer.Dial(ctx, t)
			if err != nil {
				return nil, err
			}
			return c, nil
		},
		Kube:     func(config []byte, dial bootstrap.DialFunc) (bootstrap.Kube, error) { return kube.New(config, dial) },
		Releases: &release.Store{CacheDir: filepath.Join(dir, "cache"), LockFile: filepath.Join(dir, "inventory.yaml.lock")},
		Sink:     sink, Redactor: engine.NewRedactor(), Now: time.Now, Rand: rand.Reader, Holder: "test",
	}
}

func (r *rig) request() bootstrap.Request {
	r.t.Helper()
	inv, err := inventory.Load(r.files.Inventory)
	if err != nil {
		r.t.Fatal(err)
	}
	return bootstrap.Request{Inventory: inv}
}

// context bounds a test's run, so that one that hangs ends.
func (r *rig) context() context.Context {
	ctx, cancel := context.WithTimeout(r.t.Context(), 5*time.Minute)
	r.t.Cleanup(cancel)
	return ctx
}

func (r *rig) up() (*bootstrap.Outcome, error) {
	r.t.Helper()
	return r.boot.Up(r.context(), r.request())
}

// mustUp converges, or fails the test with what gpuboot says.
func (r *rig) mustUp() *bootstrap.Outcome {
	r.t.Helper()
	out, err := r.up()
	if err != nil {
		r.t.Fatalf("up: %v", err)
	}
	return out
}

// unchanged checks that another run has nothing to do, on any host.
func (r *rig) unchanged() {
	r.t.Helper()
	out := r.mustUp()
	for _, h := range out.Plan.Hosts {
		for _, c := range h.Changes {
			r.t.Errorf("a further run would %s %s on %s: %s", c.Action, c.What, h.Host.Name, c.Reason)
		}
	}
}
