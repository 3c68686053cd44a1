//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// screen is a terminal of 120 by 40 characters with gpuboot on it, and a person
// who types and reads. It ends with the test.
type screen struct {
	l    *lab
	sock string
}

// screen starts gpuboot without arguments on a terminal of its own. When it has
// ended, the terminal says "left with" and the exit code.
func (l *lab) screen() *screen {
	l.t.Helper()
	s := &screen{l, filepath.Join(l.t.TempDir(), "tmux")}
	line := remote.Quote(l.bin) + `; echo "left with $?"; exec cat`
	cmd := s.command("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", line)
	cmd.Dir, cmd.Env = l.dir, append(l.command(l.t.Context()).Env, "TERM=screen-256color", "LANG=C.UTF-8", "SHELL=/bin/sh")
	if out, err := cmd.CombinedOutput(); err != nil {
		l.t.Fatalf("starting a terminal: %v: %s", err, out)
	}
	l.t.Cleanup(func() {
		if out, err := exec.Command("tmux", "-S", s.sock, "kill-server").CombinedOutput(); err != nil { // the test's context has ended by now
			l.t.Errorf("ending a terminal: %v: %s", err, out)
		}
	})
	return s
}

func (s *screen) command(args ...string) *exec.Cmd {
	return exec.CommandContext(s.l.t.Context(), "tmux", append([]string{"-u", "-S", s.sock}, args...)...)
}

// types types texts, and keys by the names that tmux gives them.
func (s *screen) types(keys ...string) {
	s.l.t.Helper()
	if out, err := s.command(append([]string{"send-keys"}, keys...)...).CombinedOutput(); err != nil {
		s.l.t.Fatalf("typing %q: %v: %s", keys, err, out)
	}
}

// text is what stands on the terminal.
func (s *screen) text() string {
	s.l.t.Helper()
	out, err := s.command("capture-pane", "-p").Output()
	if err != nil {
		s.l.t.Fatalf("reading the terminal: %v", err)
	}
	return strings.TrimRight(string(out), "\n")
}

// presses presses a key, and again every other second, until the terminal shows
// something that matches: a key that came too early is answered with why.
func (s *screen) presses(key, pattern string, limit time.Duration) {
	s.l.t.Helper()
	shows := regexp.MustCompile(pattern)
	var pressed time.Time
	s.l.eventually("the terminal to show "+pattern+" after "+key, limit, func() bool {
		if shows.MatchString(s.text()) {
			return true
		}
		if time.Since(pressed) > 2*time.Second {
			s.types(key)
			pressed = time.Now()
		}
		return false
	})
}

// waits waits until the terminal shows something that matches.
func (s *screen) waits(pattern string, limit time.Duration) {
	s.l.t.Helper()
	shows, last := regexp.MustCompile(pattern), ""
	defer func() {
		if s.l.t.Failed() {
			s.l.t.Logf("the terminal shows, when %q is awaited:\n%s", pattern, last)
		}
	}()
	s.l.eventually("the terminal to show "+pattern, limit, func() bool {
		last = s.text()
		return shows.MatchString(last)
	})
}
