package facts

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// shells are the ways to call a POSIX shell; each test runs with those that are
// installed.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{
		"sh": {"sh"}, "dash": {"dash"}, "busybox": {"busybox", "sh"}, "bash": {"bash", "--posix"},
	}
	for name, argv := range all {
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.Logf("SKIPPED: the probe is not tested with %s, which is not installed", name)
			delete(all, name)
		}
	}
	return all
}

// runProbe runs the probe as Collect does: from stdin.
func runProbe(t *testing.T, argv []string, env ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Stdin = strings.NewReader(probe)
	cmd.Env = append(cmd.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the probe must always exit 0: %v\n%s", err, stderr.String())
	}
	if stderr.Len() > 0 {
		t.Errorf("the probe must print nothing to stderr: %q", stderr.String())
	}
	return out
}

func TestProbePassesShellcheck(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("SKIPPED: shellcheck is not installed, probe.sh is not checked (apt-get install shellcheck)")
	}
	cmd := exec.CommandContext(t.Context(), "shellcheck", "-s", "sh", "-")
	cmd.Stdin = strings.NewReader(probe)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}

func TestProbeRunsInEveryShell(t *testing.T) {
	t.Parallel()
	for name, argv := range shells(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := Parse(runProbe(t, argv))
			if err != nil {
				t.Fatal(err)
			}
			if f.Arch == "" || f.Kernel == "" || f.Hostname == "" || f.OS.ID == "" || f.MemoryBytes == 0 || f.CPUs == 0 {
				t.Errorf("facts are missing: %+v", f)
			}
			if len(f.FileSystems) < 6 || f.FileSystems[0].SizeBytes == 0 {
				t.Errorf("file systems: %+v", f.FileSystems)
			}
			if f.Limits.PIDMax < 1000 {
				t.Errorf("pid_max is %d: was it read by the byte?", f.Limits.PIDMax)
			}
			if d := time.Since(f.Clock.Remote); d < -time.Minute || d > time.Minute {
				t.Errorf("the clock is off by %v", d)
			}
		})
	}
}
