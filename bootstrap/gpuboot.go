// Package bootstrap turns reachable hosts into a k3s cluster and back.
//
// Read [Gpuboot.Up] first: it is the product in order. Facts are collected,
// findings and plan are pure functions of them, lanes apply the plan, and a
// second look proves it. The package knows how to talk to k3s on a host; it
// does not know SSH (package remote does), Kubernetes client libraries (it
// defines [Kube], addons/kube implements it) or how anything is shown (it emits
// engine events).
package bootstrap

import (
	"context"
	"io"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/release"
)

// Releases gives k3s executables. [release.Store] is one.
type Releases interface {
	// Peek tells which executable it would be, writing nothing.
	Peek(ctx context.Context, version, arch string, src release.Source) (release.Artefact, error)
	// K3s brings the verified executable to this machine.
	K3s(ctx context.Context, version, arch string, src release.Source, progress func(done, total int64)) (release.Artefact, error)
}

// Gpuboot is the tool with its outside world: connections, releases, the
// Kubernetes API, clock and randomness.
type Gpuboot struct {
	Dial     DialHostFunc
	Kube     KubeFunc
	Releases Releases
	Sink     engine.Sink
	// Redactor learns every secret before it is used.
	Redactor *engine.Redactor
	// Existing gives access to the cluster that an inventory with an `existing`
	// section joins; nil where gpuboot makes the cluster.
	Existing *ExistingCluster
	Now      func() time.Time
	Rand     io.Reader
	// Parallel is how many steps run at once; 0 takes the engine's default.
	Parallel int
	// Retry gives the command that tries one host again, for error messages.
	Retry func(host, step string) string
	// Holder says who runs this, for the lock on the hosts.
	Holder string
}

// The phases of a command, as events name them.
const (
	PhaseLook  = "look"
	PhaseApply = "apply"
)

func (g *Gpuboot) engineOptions(phase string) engine.Options {
	return engine.Options{Phase: phase, Parallel: g.Parallel, Sink: g.Sink, Now: g.Now, Retry: g.Retry}
}

// ExistingCluster is a cluster that gpuboot did not make.
type ExistingCluster struct {
	// Token joins agents; its content is never shown.
	Token []byte
	// Kubeconfig is an admin's. Its server is dialled from a host.
	Kubeconfig []byte
}

func (g *Gpuboot) emit(e engine.Event) {
	if g.Sink == nil {
		return
	}
	if e.Time.IsZero() {
		e.Time = g.Now()
	}
	g.Sink(e)
}
