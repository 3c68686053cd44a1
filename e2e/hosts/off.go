package hosts

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"time"
)

// Kill ends the host as a power cut does: nothing on it gets a signal or writes anything any more. Its files stay.
func (h *Host) Kill(ctx context.Context) error {
	if !h.fleet.Supports(FeaturePower) {
		return unsupported(FeaturePower)
	}
	r := h.fleet.rec
	r.keeper(h.Name).kill()
	if err := h.fleet.groups.end(ctx, r.hostGroup(h.Name)); err != nil {
		return err
	}
	// The address must fall silent too: without this the namespace would go on answering pings and refusing connections.
	return r.unplug(ctx, *h.rec)
}

// PowerOff shuts the host down in order, and ends it as Kill does when that takes longer than a minute (pods that do not
// end can hold it up).
func (h *Host) PowerOff(ctx context.Context) error {
	if _, err := h.Exec(ctx, "systemctl poweroff"); err != nil {
		return err
	}
	down := func() (bool, error) { return !h.fleet.rec.keeper(h.Name).alive(), nil }
	if err := poll(ctx, time.Minute, "host "+h.Name+" to shut down", down); err != nil {
		h.fleet.log.printf("%v; ending it", err)
	}
	return h.Kill(ctx)
}

// Reboot restarts the host in order and waits until it answers again.
func (h *Host) Reboot(ctx context.Context) error {
	if !h.fleet.Supports(FeaturePower) {
		return unsupported(FeaturePower)
	}
	before := h.init()
	if before == 0 {
		return fmt.Errorf("host %s: %w", h.Name, ErrDown)
	}
	if _, err := h.Exec(ctx, "systemctl reboot"); err != nil {
		return err
	}
	return h.booted(ctx, before)
}

// Freeze stops every process of the host, as a machine that hangs: its connections stay open and silent, the kernel still
// acknowledges what arrives. Thaw resumes it.
func (h *Host) Freeze() error { return h.freeze(true) }

// Thaw resumes a frozen host.
func (h *Host) Thaw() error { return h.freeze(false) }

func (h *Host) freeze(frozen bool) error {
	if !h.fleet.Supports(FeaturePower) {
		return unsupported(FeaturePower)
	}
	return h.fleet.groups.freeze(h.fleet.rec.hostGroup(h.Name), frozen)
}

// Up reports whether the host has an init.
func (h *Host) Up() bool { return h.rec != nil && h.init() != 0 }

// Signal sends a signal to one process of the host, numbered as on this machine (see Process.PID).
func (h *Host) Signal(pid int, signal syscall.Signal) error {
	if !h.fleet.Supports(FeatureProcesses) {
		return unsupported(FeatureProcesses)
	}
	if slices.Contains(h.fleet.groups.pids(h.fleet.rec.hostGroup(h.Name)), pid) {
		return syscall.Kill(pid, signal)
	}
	return fmt.Errorf("host %s has no process %d", h.Name, pid)
}
