// Package controlplane runs the upstream kube-apiserver, kube-controller-manager and kube-scheduler inside this process. It
// builds them from their options instead of their commands, because each command wants to be the one that owns the signals.
package controlplane

import (
	"context"
	"fmt"

	"k8s.io/apiserver/pkg/util/compatibility"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/spf13/pflag"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// LocalPort is where the API server listens on 127.0.0.1; the supervisor's port passes requests on to it.
const LocalPort = 6444

// Settings is what the components need to know.
type Settings struct {
	Dir                  layout.Dir
	AdvertiseAddress     string
	HTTPSPort            int
	ServiceCIDR          string
	ClusterCIDR          string
	ClusterDomain        string
	ServiceNodePortRange string
	ExternalCloud        bool // nodes get their addresses from the stand-in's own cloud controller
	APIServerArgs        []string
	ControllerArgs       []string
	SchedulerArgs        []string
}

// Plane is the control plane with its arguments read.
type Plane struct {
	NewAPIServer  func(context.Context) (*APIServer, error) // etcd has to answer by then
	RunController func(context.Context) error
	RunScheduler  func(context.Context) error
}

// Read reads the arguments of all three. It comes before anything else of Kubernetes starts in this process: the controller
// manager panics when feature gates are in use already.
func (s Settings) Read() (Plane, error) {
	var p Plane
	var err error
	if p.RunController, err = s.newControllerManager(); err != nil {
		return p, err
	}
	if p.RunScheduler, err = s.newScheduler(); err != nil {
		return p, err
	}
	p.NewAPIServer, err = s.newAPIServer()
	return p, err
}

func parse(name string, sets cliflag.NamedFlagSets, args []string) error {
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	for _, f := range sets.FlagSets {
		fs.AddFlagSet(f)
	}
	if err := fs.Parse(args); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return compatibility.DefaultComponentGlobalsRegistry.Set()
}

// RunOn starts a component that goes on when ctx ends, until the process does: the controller manager and the scheduler exit
// the whole process when they lose their lease, and etcd has to be closed first.
func RunOn(ctx context.Context, name string, failed chan<- error, run func(context.Context) error) {
	Run(ctx, name, failed, func(ctx context.Context) error { return run(context.WithoutCancel(ctx)) })
}

// Run starts a component and sends its end, unless ctx ended first, to failed.
func Run(ctx context.Context, name string, failed chan<- error, run func(context.Context) error) {
	go func() {
		if err := run(ctx); ctx.Err() == nil {
			failed <- fmt.Errorf("%s ended: %w", name, err)
		}
	}()
}
