package hosts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Local boots hosts on this machine, which must be Linux with root rights. The zero value works.
//
// Everything lies below one folder, State:
//
//	image/KEY   the root file system that all hosts share, read-only; KEY is a hash of the recipe
//	debs        the packages it was made of
//	run/ID      a fleet: its record, its SSH key, and a folder for each host with what that host changed
type Local struct {
	// State defaults to gpuboot-e2e in the user's cache folder. It must not lie on an overlay (as the root of a container
	// often does): an overlay cannot be the writable layer of another.
	State string
	// Mirror is the Debian archive to build the image from. "" takes the one from this machine's apt configuration.
	Mirror string
}

func (l Local) state() (string, error) {
	if l.State != "" {
		return filepath.Abs(l.State)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a folder for test hosts: %w", err)
	}
	return filepath.Join(cache, "gpuboot-e2e"), nil
}

// tools are the programs Local runs, with the Debian package of each.
func tools() [][2]string {
	return [][2]string{
		{"debootstrap", "debootstrap"}, {"systemd-nspawn", "systemd-container"}, {"ip", "iproute2"}, {"nft", "nftables"},
		{"tc", "iproute2"}, {"nsenter", "util-linux"}, {"unshare", "util-linux"}, {"chroot", "coreutils"}, {"cp", "coreutils"},
	}
}

// MissingPackages lists the Debian packages of the programs that Local runs and that this machine lacks.
func MissingPackages() []string {
	var missing []string
	for _, t := range tools() {
		if _, err := exec.LookPath(t[0]); err != nil && !slices.Contains(missing, t[1]) {
			missing = append(missing, t[1])
		}
	}
	return missing
}

// Available says why hosts cannot be booted on this machine, or nil. Its error wraps ErrUnsupported, and tells what to install.
func (Local) Available() error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("%w: booting test hosts needs root", ErrUnsupported)
	}
	if missing := MissingPackages(); len(missing) > 0 {
		return fmt.Errorf("%w: missing programs, run: apt-get install -y %s", ErrUnsupported, strings.Join(missing, " "))
	}
	if _, err := findHierarchies(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return nil
}

// lock takes the lock file at path for this process alone and returns how to give it back. The kernel gives it back when
// the process dies.
func lock(ctx context.Context, path string, limit time.Duration) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = poll(ctx, limit, "the lock "+path, func() (bool, error) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}
