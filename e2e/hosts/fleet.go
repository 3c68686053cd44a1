package hosts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Fleet is a set of hosts that were made together and see each other on one network.
type Fleet struct {
	ID    string  // "" for machines that were not made here
	Hosts []*Host // in the order of the specs

	rec      *record // nil for machines that were not made here
	groups   hierarchies
	log      Logf
	features map[Feature]bool
}

func newFleet(r *record, groups hierarchies, log Logf) *Fleet {
	f := &Fleet{ID: r.ID, rec: r, groups: groups, log: log, features: map[Feature]bool{
		FeatureFresh: true, FeatureExec: true, FeaturePower: true, FeatureTraffic: true,
		FeatureProcesses: true, FeatureFiles: true, FeatureSpec: true, FeatureDelay: r.Netem,
	}}
	for i := range r.Hosts {
		h := &r.Hosts[i]
		f.Hosts = append(f.Hosts, &Host{
			Name: h.Spec.Name, Address: h.NICs[0].Addr.Addr().String(), Port: 22, User: h.Spec.Login(),
			KeyFile: r.keyFile(), HostKey: h.HostKey, Password: h.Spec.Password, fleet: f, rec: h,
		})
	}
	return f
}

// Host returns the host with this name.
func (f *Fleet) Host(name string) (*Host, bool) {
	for _, h := range f.Hosts {
		if h.Name == name {
			return h, true
		}
	}
	return nil, false
}

// Supports reports whether the fleet's hosts offer a feature. A scenario that needs one asks first and skips with the
// feature's name when the answer is no.
func (f *Fleet) Supports(feature Feature) bool {
	return f.features[feature]
}

// Keep makes the fleet outlive this process: only a Close, perhaps in another process after Attach, ends it.
func (f *Fleet) Keep() error {
	if f.rec == nil {
		return nil
	}
	f.rec.Kept = true
	return f.rec.save()
}

// Kept reports whether Keep was called for the fleet.
func (f *Fleet) Kept() bool { return f.rec != nil && f.rec.Kept }

// Close ends the hosts and removes everything of them. It may be called again, and after any failure of Up. It runs to its
// end even when ctx was cancelled, as the context of a test is before its clean-up; it gives up after two minutes.
func (f *Fleet) Close(ctx context.Context) error {
	if f.rec == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Minute)
	defer cancel()
	if _, err := os.Stat(f.rec.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	// The keepers first: one that is between two boots would start another.
	for _, h := range f.rec.Hosts {
		f.rec.keeper(h.Spec.Name).kill()
	}
	if err := f.groups.end(ctx, f.rec.cgroup()); err != nil {
		return err
	}
	if err := f.rec.unwire(ctx); err != nil {
		return fmt.Errorf("removing the network of the test hosts: %w", err)
	}
	if err := f.groups.remove(ctx, f.rec.cgroup()); err != nil {
		return err
	}
	for _, h := range f.rec.Hosts {
		// systemd-nspawn makes it for each machine and leaves it when it was killed.
		_ = syscall.Rmdir(filepath.Join("/run/systemd/nspawn/propagate", f.rec.machine(h.Spec.Name)))
	}
	return os.RemoveAll(f.rec.dir)
}
