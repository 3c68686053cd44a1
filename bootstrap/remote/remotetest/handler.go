package remotetest

import (
	"context"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Call is one command as a handler sees it.
type Call struct {
	Args []string
	Root bool // it runs as root
	// Stdin is what the caller gave; in the list of Host.Calls it is nil.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Host           *Host
}

// Handler answers the commands that it matches. Its methods return it, so
// that they can be chained; they are for the time before the command runs.
type Handler struct {
	what     string
	match    func(argv []string) bool
	do       func(ctx context.Context, c *Call) int
	out, err string
	code     int
	times    int // wanted calls, 0: at least one, -1: any number
	calls    int // guarded by Host.mu
}

// On handles the command with exactly these words. The handler that was
// added last wins, so that a test can replace what a helper set up.
func (h *Host) On(argv ...string) *Handler {
	return h.add(strings.Join(argv, " "), func(got []string) bool { return slices.Equal(got, argv) })
}

// OnPrefix handles commands that begin with these words.
func (h *Host) OnPrefix(argv ...string) *Handler {
	return h.add(strings.Join(argv, " ")+" …", func(got []string) bool {
		return len(got) >= len(argv) && slices.Equal(got[:len(argv)], argv)
	})
}

// OnFunc handles the commands that match says yes to. what names the
// handler in failures.
func (h *Host) OnFunc(what string, match func(argv []string) bool) *Handler {
	return h.add(what, match)
}

func (h *Host) add(what string, match func([]string) bool) *Handler {
	h.mu.Lock()
	defer h.mu.Unlock()
	x := &Handler{what: what, match: match}
	h.handlers = append(h.handlers, x)
	return x
}

// Reply prints text on stdout.
func (x *Handler) Reply(text string) *Handler { x.out = text; return x }

// Stderr prints text on stderr.
func (x *Handler) Stderr(text string) *Handler { x.err = text; return x }

// Exit sets the exit code.
func (x *Handler) Exit(code int) *Handler { x.code = code; return x }

// Do runs a function, whose result is the exit code. ctx ends when the
// caller signals the command or the link breaks.
func (x *Handler) Do(f func(ctx context.Context, c *Call) int) *Handler { x.do = f; return x }

// Times wants exactly n calls.
func (x *Handler) Times(n int) *Handler { x.times = n; return x }

// Optional allows any number of calls, none among them.
func (x *Handler) Optional() *Handler { x.times = -1; return x }

// Shell runs the command for real on the machine of the test, in the root
// folder of the host, with the given folders in front of PATH. Paths are
// not mapped: the script must use relative ones, or tools of its own.
func (x *Handler) Shell(path ...string) *Handler {
	return x.Do(func(ctx context.Context, c *Call) int {
		cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
		cmd.Dir = c.Host.root
		cmd.Env = append(cmd.Environ(), "LC_ALL=C", "PATH="+strings.Join(append(path, "/usr/sbin:/usr/bin:/sbin:/bin"), ":"))
		cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			_, _ = io.WriteString(c.Stderr, err.Error()+"\n")
			return 127
		}
		return cmd.ProcessState.ExitCode()
	})
}

// run answers one call.
func (x *Handler) run(ctx context.Context, c *Call) int {
	if x.do != nil {
		return x.do(ctx, c)
	}
	_, _ = io.WriteString(c.Stdout, x.out) // the link may be cut by the test
	_, _ = io.WriteString(c.Stderr, x.err)
	return x.code
}

// report fails the test when the handler was not called as wanted.
func (x *Handler) report(t testing.TB) {
	switch {
	case x.times > 0 && x.calls != x.times:
		t.Errorf("remotetest: %q was run %d times, want %d", x.what, x.calls, x.times)
	case x.times == 0 && x.calls == 0:
		t.Errorf("remotetest: %q was never run", x.what)
	}
}
