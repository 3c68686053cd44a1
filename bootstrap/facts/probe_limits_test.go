package facts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// maxProbe is what the probe may take on a host where commands hang: its own
// limit of five seconds, and a margin for a busy machine.
const maxProbe = 12 * time.Second

// shim puts a program in front of the host's own.
func shim(t *testing.T, root, name, script string) {
	t.Helper()
	dir := filepath.Join(root, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestProbeEndsThoughCommandsHang(t *testing.T) {
	t.Parallel()
	hang := "trap '' TERM INT HUP\nexec sleep 60\n"
	tests := []struct {
		name, program, script, section string
	}{
		{"nvidia-smi", "nvidia-smi", hang, "smi"},
		// As a process in the kernel's hands that not even KILL ends at once: the
		// child, out of reach, keeps the pipe open.
		{"nvidia-smi that cannot be killed", "nvidia-smi", "setsid sleep 20 &\nwait\n", "smi"},
		{"systemctl", "systemctl", hang, "units"},
		{"ip", "ip", hang, "addr"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := layHost(t, "hgx.txtar")
			shim(t, root, tt.program, tt.script)
			begin := time.Now()
			f, _ := probeHost(t, root, "sh")
			if d := time.Since(begin); d > maxProbe {
				t.Errorf("it took %v", d)
			}
			if f.Unknown[tt.section] == "" {
				t.Errorf("section %s is not unknown: %v", tt.section, f.Unknown)
			}
			if tt.program == "nvidia-smi" && f.NVIDIA.SMI != SMITimeout {
				t.Errorf("nvidia-smi is %q", f.NVIDIA.SMI)
			}
			if f.K3s.Version == "" || f.Hostname == "" {
				t.Error("the other sections suffered")
			}
		})
	}
}

func TestProbeWorksAsUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: this test drops root's rights, and runs as a user already")
	}
	cmd := exec.CommandContext(t.Context(), "sh")
	cmd.Dir = "/"
	cmd.Stdin = strings.NewReader(probe)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(out)
	if err != nil {
		t.Fatal(err)
	}
	if f.User != 65534 || f.Isolation.Privileged || f.Kernel == "" || len(f.Links) == 0 {
		t.Errorf("facts as a user: %+v", f)
	}
}

// writing matches system calls that could change a file. A file opened for
// writing is allowed where it is /dev/null.
var writing = regexp.MustCompile(`(openat?\(.*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND)|\b(creat|mkdir|mkdirat|unlink|unlinkat|rename|renameat|renameat2|rmdir|link|linkat|symlink|symlinkat|mknod|mknodat|chmod|fchmod|fchmodat|chown|fchown|fchownat|lchown|truncate|ftruncate|utimensat|setxattr|mount|umount2|init_module|finit_module|delete_module|sethostname|settimeofday|clock_settime)\()`)

func TestProbeWritesNothing(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("SKIPPED: strace is not installed, so nothing shows that the probe writes nothing")
	}
	for name, argv := range shells(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := filepath.Join(t.TempDir(), "strace")
			trace := append([]string{"strace", "-f", "-qq", "-s", "120", "-o", log, "-e", "trace=%file,%desc,sethostname,settimeofday,clock_settime,init_module,finit_module,delete_module", "-e", "signal=none"}, argv...)
			cmd := exec.CommandContext(t.Context(), trace[0], trace[1:]...)
			cmd.Stdin = strings.NewReader(probe)
			out, err := cmd.Output()
			if err != nil {
				t.Skipf("SKIPPED: strace does not work here: %v", err)
			}
			if _, err := Parse(out); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(data), "openat("); n < 100 {
				t.Fatalf("only %d files opened: the trace is not of the whole probe", n)
			}
			for _, bad := range writes(string(data)) {
				t.Errorf("the probe writes: %s", bad)
			}
		})
	}
}

func writes(trace string) []string {
	var out []string
	for line := range strings.SplitSeq(trace, "\n") {
		if writing.MatchString(line) && !strings.Contains(line, `"/dev/null"`) && !strings.Contains(line, "= -1 E") {
			out = append(out, line)
		}
	}
	return out
}

// A folder is compared before and after, for machines without strace.
func TestProbeLeavesALaidHostAsItWas(t *testing.T) {
	t.Parallel()
	root := layHost(t, "hgx.txtar")
	before := listing(t, root)
	probeHost(t, root, "sh")
	if after := listing(t, root); after != before {
		t.Errorf("the host has changed\nbefore\n%s\nafter\n%s", before, after)
	}
}

func listing(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestProbeNamesTheHolderOfAPackageLock(t *testing.T) {
	t.Parallel()
	root := layHost(t, "hgx.txtar")
	lock := filepath.Join(root, "var/lib/dpkg/lock-frontend")
	if err := os.MkdirAll(filepath.Dir(lock), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lock, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(lock)
	if err != nil {
		t.Fatal(err)
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	locks := fmt.Sprintf("1: FLOCK  ADVISORY  WRITE 77 00:1a:%d9 0 EOF\n2: POSIX  ADVISORY  WRITE 900 08:01:%d 0 EOF\n2: -> POSIX  ADVISORY  WRITE 812 08:01:%d 0 EOF\n", inode, inode, inode)
	if err := os.WriteFile(filepath.Join(root, "proc/locks"), []byte(locks), 0o644); err != nil {
		t.Fatal(err)
	}
	f, _ := probeHost(t, root, "sh")
	want := PackageLock{Path: "/var/lib/dpkg/lock-frontend", PID: 900, Name: "unattended-upgr"}
	if len(f.Packages.Locks) != 1 || f.Packages.Locks[0] != want {
		t.Errorf("locks %+v", f.Packages.Locks)
	}
}

// Without a timeout program that understands us nothing is bounded, but all is
// read.
func TestProbeDoesWithoutTimeout(t *testing.T) {
	t.Parallel()
	root := layHost(t, "hgx.txtar")
	shim(t, root, "timeout", "echo 'timeout: invalid option' >&2\nexit 1\n")
	f, _ := probeHost(t, root, "sh")
	checkHGX(t, f)
}
