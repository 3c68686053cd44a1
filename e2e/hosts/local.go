package hosts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

var _ Provider = Local{}

// Up boots one host for each spec, all at once. It first removes what is left of fleets whose process died, and builds the
// image if that was never done. The process that calls Up owns the fleet: see Fleet.Keep for hosts that outlive it.
func (l Local) Up(ctx context.Context, log Logf, specs []Spec) (*Fleet, error) {
	if err := l.Available(); err != nil {
		return nil, err
	}
	if err := validate(specs); err != nil {
		return nil, err
	}
	image, err := l.Prepare(ctx, log)
	if err != nil {
		return nil, err
	}
	if err := l.Sweep(ctx, log); err != nil {
		return nil, err
	}
	groups, err := findHierarchies()
	if err != nil {
		return nil, err
	}
	r, err := l.reserve(ctx, image, specs)
	if err != nil {
		return nil, err
	}
	f := newFleet(r, groups, log)
	if err := f.raise(ctx); err != nil {
		return nil, errors.Join(err, f.Close(ctx))
	}
	return f, nil
}

// raise makes and boots what the record describes.
func (f *Fleet) raise(ctx context.Context) error {
	begun := time.Now()
	private, public, err := newKey()
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.rec.keyFile(), private, 0o600); err != nil {
		return err
	}
	if err := f.rec.wire(ctx); err != nil {
		return fmt.Errorf("making the network of the test hosts: %w", err)
	}
	f.rec.Netem = f.rec.hasNetem(ctx)
	f.features[FeatureDelay] = f.rec.Netem
	// One cgroup after the other: two writers of the same parent's files would get in each other's way.
	for _, h := range f.rec.Hosts {
		if _, err := f.groups.create(f.rec.hostGroup(h.Spec.Name)); err != nil {
			return err
		}
	}
	errs := make([]error, len(f.Hosts))
	var all sync.WaitGroup
	for i, h := range f.Hosts {
		all.Go(func() { errs[i] = h.raise(ctx, public) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	f.log.printf("%d test hosts answer in %s, after %s", len(f.Hosts), f.rec.Networks[0].Prefix,
		time.Since(begun).Round(10*time.Millisecond))
	return f.rec.save()
}

// raise makes one host and waits until it can be used.
func (h *Host) raise(ctx context.Context, publicKey string) error {
	r := h.fleet.rec
	l := layer{image: r.Image, dir: r.hostDir(h.Name)}
	if err := l.make(ctx); err != nil {
		return err
	}
	if err := r.seed(h.rec); err != nil {
		return err
	}
	h.HostKey = h.rec.HostKey
	if err := r.enrol(ctx, *h.rec, publicKey); err != nil {
		return fmt.Errorf("making the login of host %s: %w", h.Name, err)
	}
	if err := r.batches(*h.rec); err != nil {
		return err
	}
	return h.Start(ctx)
}

// Attach returns the running fleet with this ID, as Up did in another process, to look at it or to close it.
func (l Local) Attach(id string) (*Fleet, error) {
	state, err := l.state()
	if err != nil {
		return nil, err
	}
	groups, err := findHierarchies()
	if err != nil {
		return nil, err
	}
	r, err := loadRecord(filepath.Join(state, "run", filepath.Base(id)))
	if err != nil {
		return nil, err
	}
	return newFleet(r, groups, nil), nil
}

// Fleets lists the IDs of all fleets whose record exists, running or left over, in the order of their names.
func (l Local) Fleets() ([]string, error) {
	state, err := l.state()
	if err != nil {
		return nil, err
	}
	records, err := filepath.Glob(filepath.Join(state, "run", "*", "fleet.json"))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, path := range records {
		ids = append(ids, filepath.Base(filepath.Dir(path)))
	}
	return ids, nil
}

// Sweep takes down every fleet whose process is gone and that was not kept. Nothing is found by the name of a program: what
// a fleet owns stands in its record, with the start times of its processes.
func (l Local) Sweep(ctx context.Context, log Logf) error {
	ids, err := l.Fleets()
	if err != nil || len(ids) == 0 {
		return err
	}
	state, err := l.state()
	if err != nil {
		return err
	}
	unlock, err := lock(ctx, filepath.Join(state, "sweep.lock"), 5*time.Minute)
	if err != nil {
		return err
	}
	defer unlock()
	var errs []error
	for _, id := range ids {
		f, err := l.Attach(id)
		if errors.Is(err, os.ErrNotExist) {
			continue // closed by its owner, or swept by another process before us
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if f.rec.Kept || f.rec.Owner.alive() {
			continue
		}
		log.printf("removing test hosts %s, whose process %d is gone", id, f.rec.Owner.PID)
		errs = append(errs, f.Close(ctx))
	}
	return errors.Join(errs...)
}
