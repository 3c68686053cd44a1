package wire_test

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

var awkward = [][]string{
	{"true"},
	{"echo", ""},
	{"a b", "it's", `back\slash`, `trail\`, "$HOME `id` $(id)", "bang!!", `"double"`},
	{"-n", "--", "~root", "=ls", "%1", "#no", "{a,b}", "*", "?", "[x]", ";", "&", "|", "<", ">"},
	{"tab\there", "two\nlines", "\nlead", "trail\n", "\n", "\n\n", `quote'
and \ and ! over lines`},
	{"grüße", "日本", "\x01\x7f"},
}

func TestLineRoundTrip(t *testing.T) {
	t.Parallel()
	for _, mode := range []wire.Mode{wire.Plain, wire.Root, wire.SudoAsk, wire.SudoNo} {
		for _, args := range awkward {
			in := wire.Line{Mode: mode, Nonce: "0123abcd", Args: args, Terminal: mode == wire.SudoAsk}
			out, err := wire.Parse(in.String())
			if err != nil {
				t.Fatalf("%s %q: %v", mode, args, err)
			}
			if out.Mode != in.Mode || out.Terminal != in.Terminal || out.Nonce != in.Nonce || !slices.Equal(out.Args, in.Args) {
				t.Errorf("got %+v, want %+v", out, in)
			}
		}
	}
}

// TestLineInLoginShells runs lines in each shell of this machine that an
// account may have, and compares what the command got.
func TestLineInLoginShells(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "tcsh", "busybox"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("SKIPPED: no %s on this machine", shell)
			}
			for _, args := range awkward {
				checkShell(t, path, args)
			}
		})
	}
}

func checkShell(t *testing.T, shell string, args []string) {
	t.Helper()
	line := wire.Line{Mode: wire.Plain, Nonce: "77", Args: append([]string{"printf", `%s\0`}, args...)}
	argv := []string{"-c", line.String()}
	if strings.HasSuffix(shell, "busybox") {
		argv = append([]string{"sh"}, argv...)
	}
	cmd := exec.Command(shell, argv...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as sshd does in its way
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, stderr.String())
	}
	mark, got, _ := strings.Cut(stdout.String(), "\n")
	if !strings.HasPrefix(mark, wire.BeginMark+"77 ") || len(strings.Fields(mark)) != 3 {
		t.Errorf("mark is %q", mark)
	}
	if want := strings.Join(args, "\x00") + "\x00"; got != want {
		t.Errorf("the command got %q, want %q", got, want)
	}
	if !strings.HasSuffix(stderr.String(), wire.BeginMark+"77\n") {
		t.Errorf("stderr ends %q", stderr.String())
	}
}

func TestParseRefusesForeignText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "ls", "ls; id", "exec /bin/sh -c 'x", "exec /bin/sh -c x plain", "exec /bin/sh -c x other 12 id",
		"exec /bin/sh -c x sudo 12 ask inner", "/usr/lib/openssh/sftp-server", `exec /bin/sh -c x plain 1 "a"`,
	} {
		if l, err := wire.Parse(text); err == nil {
			t.Errorf("%q was read as %+v", text, l)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, args := range awkward {
		f.Add(wire.Line{Mode: wire.SudoAsk, Nonce: "00", Args: args}.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := wire.Parse(text)
		if err != nil {
			return
		}
		again, err := wire.Parse(l.String())
		if err != nil || !slices.Equal(again.Args, l.Args) || again.Mode != l.Mode || again.Nonce != l.Nonce {
			t.Errorf("%+v was read back as %+v, %v", l, again, err)
		}
	})
}

func FuzzQuote(f *testing.F) {
	f.Add("it's", `a\b`)
	f.Fuzz(func(t *testing.T, a, b string) {
		in := wire.Line{Mode: wire.Root, Nonce: "00", Args: []string{a, b}}
		out, err := wire.Parse(in.String())
		if err != nil || !slices.Equal(out.Args, in.Args) {
			t.Errorf("%q came back as %q, %v", in.Args, out.Args, err)
		}
	})
}
