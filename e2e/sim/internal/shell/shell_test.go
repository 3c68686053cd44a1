package shell

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// rig is a shell with a few files, and what it complained of.
func rig(t *testing.T) (*Shell, *[]string) {
	t.Helper()
	files := vfs.New(time.Now)
	for _, name := range []string{"/etc/one", "/data/keep/a", "/data/keep/b", "/data/gone/c"} {
		if err := files.Put(name, []byte(name+"\n"), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	unknown := &[]string{}
	return &Shell{Files: files, Unknown: func(what string) { *unknown = append(*unknown, what) },
		Tool: func(_ context.Context, c *Call) (int, bool) { return 7, c.Args[0] == "seven" }}, unknown
}

func run(t *testing.T, s *Shell, stdin string, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code := s.Run(t.Context(), &Call{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &out})
	return out.String(), code
}

func TestScriptsWorkOnTheHostsFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		stdin string
		out   string
		code  int
	}{
		"parameters":  {[]string{"sh", "-c", `echo "$0" "$1" $#`, "zero", "a b", "c"}, "", "sh a b 2\n", 0},
		"stdin":       {[]string{"sh", "-s", "--", "x"}, "echo $1; exit 3", "x\n", 3},
		"tool":        {[]string{"sh", "-c", "seven"}, "", "", 7},
		"tests":       {[]string{"sh", "-c", "[ -d /etc ] && [ ! -e /nix ] && [ -f /etc/one ] && cat /etc/one"}, "", "/etc/one\n", 0},
		"redirection": {[]string{"sh", "-c", "echo new >/etc/two; cat /etc/two; : >/etc/two; cat /etc/two"}, "", "new\n", 0},
		"stop on error": {[]string{"sh", "-c", "set -eu; umask 022; mkdir /nix/one; echo never"}, "",
			"mkdir: '/nix/one': no such file or directory\n", 1},
		"pipes":  {[]string{"sh", "-c", `find /data -mindepth 1 | head -n 2 | while IFS= read -r p; do printf 'kept %s\n' "$p"; done`}, "", "kept /data/gone\nkept /data/gone/c\n", 0},
		"copies": {[]string{"sh", "-c", `b=/backup$1; mkdir -p "$(dirname "$b")"; cp -a "$1" "$b"; cat "$b"`, "x", "/etc/one"}, "", "/etc/one\n", 0},
		"trees":  {[]string{"sh", "-c", "find /data -xdev -depth -mindepth 1 ! -path /data/keep ! -path /data/keep/a -delete; find /data -mindepth 1"}, "", "/data/keep\n/data/keep/a\n", 0},
		"moves":  {[]string{"sh", "-c", "[ ! -e /etc/one ] || mv -f -- /etc/one /etc/three; rm -f -- /gone; rmdir -- /data 2>/dev/null; ls /etc"}, "", "three\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, unknown := rig(t)
			out, code := run(t, s, c.stdin, c.args...)
			if out != c.out || code != c.code || len(*unknown) > 0 {
				t.Errorf("%d %q, want %d %q; unknown: %q", code, out, c.code, c.out, *unknown)
			}
		})
	}
}

func TestWhatNobodyKnowsIsReported(t *testing.T) {
	t.Parallel()
	s, unknown := rig(t)
	if _, code := run(t, s, "", "sh", "-c", "apt-get install x || find / -newer y"); code == 0 || len(*unknown) != 2 {
		t.Errorf("exit %d, unknown %q", code, *unknown)
	}
	s, unknown = rig(t)
	if _, code := run(t, s, "if then", "sh"); code == 0 || len(*unknown) != 1 {
		t.Errorf("exit %d, unknown %q", code, *unknown)
	}
}

func TestCopiesKeepModeAndOwner(t *testing.T) {
	t.Parallel()
	s, _ := rig(t)
	if err := s.Files.Chown("/etc/one", "a:b"); err != nil {
		t.Fatal(err)
	}
	run(t, s, "", "cp", "-a", "/etc/one", "/etc/copy")
	info, err := s.Files.Stat("/etc/copy")
	if err != nil || info.Mode != 0o640 || info.Owner != "a:b" {
		t.Errorf("%+v, %v", info, err)
	}
}
