package hosts

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Snapshot is all that a host has on its disks besides the image it began with: path to state. File systems that exist only
// while the host runs (/run, /tmp when it is one, /proc, /sys) are not in it.
type Snapshot map[string]string

// Change is one difference between two snapshots of a host.
type Change struct {
	Path          string
	Before, After string // "" when it is not there
}

func (c Change) String() string {
	switch {
	case c.Before == "":
		return "+ " + c.Path + " (" + c.After + ")"
	case c.After == "":
		return "- " + c.Path + " (" + c.Before + ")"
	}
	return "~ " + c.Path + " (" + c.Before + " -> " + c.After + ")"
}

// Snapshot reads the host's own layer: what kind each file is, its mode, owner and content, but no times, so that a file
// which was replaced by the same counts as unchanged.
func (h *Host) Snapshot() (Snapshot, error) {
	if !h.fleet.Supports(FeatureFiles) {
		return nil, unsupported(FeatureFiles)
	}
	r := h.fleet.rec
	l := layer{image: r.Image, dir: r.hostDir(h.Name)}
	snap := Snapshot{}
	if err := snap.add(l.upper(), "/"); err != nil {
		return nil, fmt.Errorf("listing what host %s has written: %w", h.Name, err)
	}
	if err := snap.add(l.vars(), "/var"); err != nil {
		return nil, fmt.Errorf("listing /var of host %s: %w", h.Name, err)
	}
	return snap, nil
}

// add walks dir, which the host sees at the path at. The host may run: what vanishes meanwhile is not there.
func (s Snapshot) add(dir, at string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		state, err := describe(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		s[filepath.Join(at, strings.TrimPrefix(path, dir))] = state
		return err
	})
}

func describe(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	stat := info.Sys().(*syscall.Stat_t)
	owner := fmt.Sprintf("%s %d:%d", info.Mode(), stat.Uid, stat.Gid)
	switch {
	case info.Mode()&fs.ModeCharDevice != 0 && stat.Rdev == 0:
		return "removed from the image", nil // how an overlay hides a file of the layer below
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return owner + " to " + target, err
	case info.Mode().IsRegular():
		sum, err := digest(path)
		return fmt.Sprintf("%s %d bytes %s", owner, info.Size(), sum), err
	}
	return owner, nil
}

func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:12], nil
}

// Noise lists what a host changes by itself while it runs; a path that ends in / stands for all below it.
func Noise() []string {
	return []string{
		"/var/log/", "/var/lib/systemd/", "/var/lib/private/", "/var/tmp/", "/var/cache/", "/tmp/", "/etc/.pwd.lock",
		"/etc/mtab", "/root/.bash_history",
	}
}

// Diff tells what changed from one snapshot to the other, sorted by path. Ignored paths have Noise's form; a folder whose
// name is given with the slash may itself appear and vanish too.
func (s Snapshot) Diff(after Snapshot, ignore ...string) []Change {
	var changes []Change
	for path, was := range s {
		if is := after[path]; is != was {
			changes = append(changes, Change{Path: path, Before: was, After: is})
		}
	}
	for path, is := range after {
		if _, had := s[path]; !had {
			changes = append(changes, Change{Path: path, After: is})
		}
	}
	changes = slices.DeleteFunc(changes, func(c Change) bool {
		return slices.ContainsFunc(ignore, func(i string) bool {
			return c.Path == i || strings.HasSuffix(i, "/") && strings.HasPrefix(c.Path+"/", i)
		})
	})
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}
