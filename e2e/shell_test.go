//go:build e2e

package e2e

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// TestShellAndExec uses `gpuboot ssh` on a real terminal, made by script(1), and
// without one, and `gpuboot exec` on hosts that differ in their way to root.
func TestShellAndExec(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "asks", User: "admin", Sudo: hosts.SudoPassword, Password: sudoPassword})
	l.need(hosts.FeatureFresh, hosts.FeatureSpec)
	l.failing(l.entry("asks", "sudoPassword: {env: E2E_SUDO}", "jumpHosts: [root@"+l.host("s1").Address+"]"))

	// A terminal, behind a jump host: its size arrives, the keys are typed, the code comes back.
	out, code := l.typed(t, "stty size; tty >/dev/null && echo a-$TERM-shell of $(id -un); exit 7\r", "gpuboot ssh asks")
	for _, want := range []string{"33 101\r\n", "a-xterm-shell of admin\r\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the terminal lacks %q:\n%s", want, out)
		}
	}
	if code != 7 {
		t.Errorf("exit code %d, want 7, that of the shell", code)
	}
	if out, code := l.typed(t, "", "gpuboot ssh s1 -- sh -c 'tty >/dev/null && echo yes; exit 4'"); !strings.Contains(out, "yes\r\n") || code != 4 {
		t.Errorf("a command on a terminal: exit code %d, %q", code, out)
	}

	// Without a terminal the streams are clean.
	cmd := l.command(t.Context(), "ssh", "asks", "--", "sh", "-c", "cat; exit 9")
	cmd.Stdin = strings.NewReader("a\x00b\r\n")
	piped, err := cmd.Output()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 9 || string(piped) != "a\x00b\r\n" {
		t.Errorf("piped: %q, %v", piped, err)
	}

	all := l.run("exec", "--root", "--", "sh", "-c", "id -u; test $(hostname) = s1")
	if all.Code != 1 || strings.Count(all.Stdout, `"stdout":"0\n"`) != 2 || strings.Count(all.Stdout, `"exit_code":1`) != 1 {
		t.Errorf("exec: exit code %d\n%s%s", all.Code, all.Stdout, all.Stderr)
	}
	t.Logf("SHELL: terminal, pipe and exec in order\n%s", all.Stdout)
}

// typed runs a command line on a terminal of 101 by 33 characters, types keys,
// and gives what the terminal shows.
func (l *lab) typed(t *testing.T, keys, line string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	line = strings.Replace(line, "gpuboot", remote.Quote(l.bin), 1)
	cmd := exec.CommandContext(ctx, "script", "--quiet", "--return", "--command", "stty rows 33 cols 101; exec "+line, "/dev/null")
	cmd.Dir, cmd.Env = l.dir, append(l.command(ctx).Env, "TERM=xterm", "SHELL=/bin/sh")
	in, err := cmd.StdinPipe() // stays open: an end of input would be typed as ^D
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(in, keys) // fails when nobody reads any more, as the result will show
	err = cmd.Wait()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
