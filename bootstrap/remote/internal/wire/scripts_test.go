package wire_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// system is a shell with its tools.
type system struct {
	shell []string
	path  string // PATH, "" is that of the test
}

// systems are the shells of this machine, and busybox with nothing but its
// own tools, as on a small image.
func systems(t *testing.T) map[string]system {
	t.Helper()
	all := map[string]system{}
	for _, name := range []string{"dash", "bash", "ksh", "zsh"} {
		if path, err := exec.LookPath(name); err == nil {
			all[name] = system{shell: []string{path}}
		}
	}
	if path, err := exec.LookPath("busybox"); err == nil {
		dir := t.TempDir()
		if out, err := exec.Command(path, "--install", "-s", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		all["busybox"] = system{[]string{path, "sh"}, dir}
	} else {
		t.Log("SKIPPED: no busybox on this machine")
	}
	return all
}

// run runs an operation and gives its exit code.
func (s system) run(t *testing.T, argv []string, stdin string) (int, string, string) {
	t.Helper()
	cmd := exec.Command(s.shell[0], append(s.shell[1:len(s.shell):len(s.shell)], argv[1:]...)...)
	if s.path != "" {
		cmd.Env = []string{"PATH=" + s.path}
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

func TestFileScripts(t *testing.T) {
	t.Parallel()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	owner := me.Uid + ":" + me.Gid
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "it's -a dir")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "-file \\n $x")
			content := "a\x00b\n" + strings.Repeat("x", 100_000)
			writes := func(file, content, mode string) string {
				b64 := map[string]string{"one\n": "b25lCg==", "": ""}[content]
				return strings.Join([]string{file, strconv.Itoa(len(content)), owner, mode, b64}, "\t") + "\n"
			}
			for _, step := range []struct {
				what  string
				argv  []string
				stdin string
				code  int
				file  string // content afterwards
			}{
				{"read nothing", wire.ReadArgs(path), "", wire.ExitMissing, ""},
				{"write", wire.WriteArgs(path, "00", int64(len(content)), owner, "0640"), content, 0, content},
				{"read", wire.ReadArgs(path), "", 0, content},
				{"cut short", wire.WriteArgs(path, "00", int64(len(content)), owner, "0640"), "a", wire.ExitShort, content},
				{"replace", wire.WriteArgs(path, "00", 0, owner, "0600"), "", 0, ""},
				{"no folder", wire.WriteArgs(dir+"/none/x", "00", 0, owner, "0600"), "", wire.ExitMissing, ""},
				{"folder", wire.WriteArgs(dir, "00", 0, owner, "0600"), "", wire.ExitIsDir, ""},
				{"read folder", wire.ReadArgs(dir), "", wire.ExitIsDir, ""},
				{"several", wire.WritesArgs("00"), writes(dir+"/b", "", "0600") + writes(path, "one\n", "0755") + ".\n", 0, "one\n"},
				{"several cut short", wire.WritesArgs("00"), writes(path, "", "0755"), wire.ExitShort, "one\n"},
				{"several without folder", wire.WritesArgs("00"), writes(path, "", "0755") + writes(dir+"/none/x", "", "0600") + ".\n", wire.ExitMissing, "one\n"},
			} {
				code, stdout, stderr := s.run(t, step.argv, step.stdin)
				if code != step.code {
					t.Errorf("%s: exit code %d, want %d: %s", step.what, code, step.code, stderr)
				}
				if step.argv[3] == wire.OpRead && code == 0 && stdout != step.file {
					t.Errorf("%s: printed %d bytes", step.what, len(stdout))
				}
				if data, _ := os.ReadFile(path); string(data) != step.file {
					t.Errorf("%s: the file has %d bytes, want %d", step.what, len(data), len(step.file))
				}
			}
			entries, _ := os.ReadDir(dir)
			info, err := os.Stat(path)
			if len(entries) != 2 || err != nil || info.Mode() != 0o755 {
				t.Errorf("left in the folder: %v; mode %v, %v", entries, info.Mode(), err)
			}
		})
	}
}

// TestWriteIsNeverReadableByOthers watches the temporary file while half
// of the content is there.
func TestWriteIsNeverReadableByOthers(t *testing.T) {
	t.Parallel()
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "secret")
			argv := wire.WriteArgs(path, "00", 8, "0:0", "0644")
			// The announced size never comes, so the file stays temporary.
			argv[2] = strings.Replace(argv[2], "settle \"$2\"", `ls -l "$2"; exit 9; settle "$2"`, 1)
			code, stdout, _ := s.run(t, argv, "half")
			if code != 9 || !strings.HasPrefix(stdout, "-rw------- ") {
				t.Errorf("exit code %d, %s", code, stdout)
			}
		})
	}
}
