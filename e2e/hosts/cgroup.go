package hosts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// hierarchies are the mount points of the control groups: several on a machine with version 1, and one of version 2, which
// knows all processes, can freeze and can kill. A host gets a cgroup of its own in each: with a shared one, kubelets on
// different hosts would meet in /kubepods and end each other's pods.
type hierarchies struct {
	v1 []string
	v2 string
}

func findHierarchies() (hierarchies, error) {
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return hierarchies{}, err
	}
	defer f.Close()
	var h hierarchies
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		switch fields := strings.Fields(lines.Text()); {
		case len(fields) < 3 || !strings.HasPrefix(fields[1], "/sys/fs/cgroup"):
		case fields[2] == "cgroup":
			h.v1 = append(h.v1, fields[1])
		case fields[2] == "cgroup2" && h.v2 == "":
			h.v2 = fields[1]
		}
	}
	if h.v2 == "" {
		return h, errors.New("no cgroup of version 2 below /sys/fs/cgroup; a hybrid layout is enough")
	}
	return h, lines.Err()
}

func (h hierarchies) all() []string { return append([]string{h.v2}, h.v1...) }

// create makes the cgroup at the relative path rel in every hierarchy and returns the folders.
func (h hierarchies) create(rel string) ([]string, error) {
	var made []string
	for _, mount := range h.all() {
		dir := mount
		for name := range strings.SplitSeq(rel, "/") {
			parent := dir
			dir = filepath.Join(dir, name)
			if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, fmt.Errorf("making a cgroup: %w", err)
			}
			if err := furnish(parent, dir); err != nil {
				return nil, fmt.Errorf("preparing cgroup %s: %w", dir, err)
			}
		}
		made = append(made, dir)
	}
	return made, nil
}

// furnish gives a new cgroup what it does not have by itself: CPUs and memory nodes in version 1's cpuset, which takes no
// process without them, and controllers in version 2, where one that is refused here is simply absent in the host.
func furnish(parent, dir string) error {
	for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || strings.TrimSpace(string(data)) != "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(parent, name))
		if err != nil || strings.TrimSpace(string(data)) == "" {
			continue // the root of version 2 has no such file, and an empty value there means all
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	controllers, _ := os.ReadFile(filepath.Join(parent, "cgroup.controllers")) // only version 2 has it
	for c := range strings.FieldsSeq(string(controllers)) {
		_ = os.WriteFile(filepath.Join(parent, "cgroup.subtree_control"), []byte("+"+c), 0o644)
	}
	return nil
}

// pids lists the processes in the cgroup rel and below it.
func (h hierarchies) pids(rel string) []int {
	var pids []int
	_ = filepath.WalkDir(filepath.Join(h.v2, rel), func(dir string, d fs.DirEntry, err error) error {
		var data []byte // cgroups come and go while we look
		if err == nil && d.IsDir() {
			data, _ = os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		}
		for field := range strings.FieldsSeq(string(data)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
		return nil
	})
	return pids
}

// freeze stops or resumes every process of the cgroup.
func (h hierarchies) freeze(rel string, frozen bool) error {
	value := "0"
	if frozen {
		value = "1"
	}
	return os.WriteFile(filepath.Join(h.v2, rel, "cgroup.freeze"), []byte(value), 0o644)
}

// end kills every process of the cgroup, init of the host first: the kernel then ends all others of its PID namespace.
func (h hierarchies) end(ctx context.Context, rel string) error {
	// The kernel ends frozen processes too, but those it cannot reach by this file need to run to die.
	_ = h.freeze(rel, false)
	return poll(ctx, 20*time.Second, "the processes of "+rel+" to end", func() (bool, error) {
		pids := h.pids(rel)
		if init := initOf(pids); init != 0 {
			_ = syscall.Kill(init, syscall.SIGKILL)
		}
		if os.WriteFile(filepath.Join(h.v2, rel, "cgroup.kill"), []byte("1"), 0o644) != nil {
			for _, pid := range pids { // a kernel before 5.14
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		return len(pids) == 0, nil
	})
}

// remove deletes the empty cgroup rel with all below it, in every hierarchy.
func (h hierarchies) remove(ctx context.Context, rel string) error {
	for _, mount := range h.all() {
		top := filepath.Join(mount, rel)
		err := poll(ctx, 10*time.Second, "cgroup "+top+" to become free", func() (bool, error) {
			var dirs []string
			_ = filepath.WalkDir(top, func(dir string, d fs.DirEntry, err error) error {
				if err == nil && d.IsDir() {
					dirs = append(dirs, dir)
				}
				return nil
			})
			for _, dir := range slices.Backward(dirs) {
				_ = syscall.Rmdir(dir)
			}
			_, err := os.Stat(top)
			return errors.Is(err, fs.ErrNotExist), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
