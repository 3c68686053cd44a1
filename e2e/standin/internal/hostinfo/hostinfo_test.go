package hostinfo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCgroups(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  Cgroups
		err   error
	}{
		"v2":                {map[string]string{"cgroup.controllers": "cpuset cpu memory pids\n"}, Cgroups{V2: true, CPUSet: true}, nil},
		"v2 without memory": {map[string]string{"cgroup.controllers": "cpu pids\n"}, Cgroups{V2: true}, ErrNoMemoryV2},
		"v1":                {map[string]string{"memory/cgroup.procs": "", "cpuset/cgroup.procs": ""}, Cgroups{CPUSet: true}, nil},
		"v1 without memory": {map[string]string{"cpuset/cgroup.procs": ""}, Cgroups{}, ErrNoMemoryV1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := CheckCgroups(tree(t, c.files)); got != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestNameIsLowerAndKeepsItsID(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "id")
	for _, id := range []string{"one", "two"} { // the second is not asked for
		if got, err := Name("GPU-1", file, func() string { return id }); got != "gpu-1-one" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

func TestIPsRefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	if _, err := IPs([]string{"gpu-1"}); err == nil {
		t.Error("taken")
	}
	if got, err := IPs([]string{"192.0.2.1"}); err != nil || len(got) != 1 || got[0].String() != "192.0.2.1" {
		t.Errorf("got %v, %v", got, err)
	}
}
