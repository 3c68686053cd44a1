package remote_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

const binary = "\x00\xff first\nsecond \x1b[0m"

func TestRunCutsNoiseAndKeepsBytes(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoFree(), remotetest.Noise("(base) gpuboot-begin- activated\nno line end"))
	h.On("tool", "a b", "'", "", "x\ny").Times(2).Do(func(ctx context.Context, c *remotetest.Call) int {
		_, _ = io.WriteString(c.Stderr, "to stderr\n")
		return echo(ctx, c)
	})
	c := dial(t, h.Target())
	for _, root := range []bool{false, true} {
		res, err := c.Run(t.Context(), remote.Cmd{
			Args: []string{"tool", "a b", "'", "", "x\ny"}, Stdin: strings.NewReader(binary), Root: root,
		})
		if err != nil || string(res.Stdout) != binary || string(res.Stderr) != "to stderr\n" {
			t.Errorf("root %v: got %q, %q, %v", root, res.Stdout, res.Stderr, err)
		}
	}
	calls := h.Calls()
	if len(calls) != 2 || calls[0].Root || !calls[1].Root {
		t.Errorf("calls are %+v", calls)
	}
	if n := h.Counters(); n.Connections != 1 || n.Sessions != 2 {
		t.Errorf("two commands cost %+v", n)
	}
	if s := c.Stats(); s.Commands != 2 || s.Channels != 2 || s.BytesUp == 0 || s.BytesDown == 0 {
		t.Errorf("stats are %+v", s)
	}
}

func TestRunExitError(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("systemctl", "start", "x").Reply("out\n").Stderr("first\nUnit x not found.\n").Exit(5)
	h.On("cat", "secret").Times(2).Stderr("hunter2\n").Exit(1)
	c := dial(t, h.Target())
	res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"systemctl", "start", "x"}})
	var e *remote.ExitError
	if !errors.As(err, &e) || e.Code != 5 || !slices.Equal(e.Args, []string{"systemctl", "start", "x"}) {
		t.Fatalf("got %v", err)
	}
	if got := err.Error(); got != "systemctl exited with status 5: Unit x not found." {
		t.Errorf("the error reads %q", got)
	}
	if e.Output() != "first\nUnit x not found." || string(res.Stdout) != "out\n" {
		t.Errorf("output is %q, stdout %q", e.Output(), res.Stdout)
	}
	_, err = c.Run(t.Context(), remote.Cmd{Args: []string{"cat", "secret"}, Secret: true})
	if !errors.As(err, &e) || e.Args != nil || e.Output() != "" || err.Error() != "the command exited with status 1" {
		t.Errorf("a secret command fails with %q, %+v", err, e)
	}
	var stderr bytes.Buffer
	_, err = c.Run(t.Context(), remote.Cmd{Args: []string{"cat", "secret"}, Stderr: &stderr})
	if !errors.As(err, &e) || e.Output() != "hunter2" || stderr.String() != "hunter2\n" {
		t.Errorf("streamed stderr is not in the error: %v, %q", err, stderr.String())
	}
}

func TestRunCollectsAtMostEightMiB(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("yes").Do(func(_ context.Context, c *remotetest.Call) int {
		_, _ = c.Stdout.Write(bytes.Repeat([]byte("y"), 8<<20+10))
		return 0
	})
	c := dial(t, h.Target())
	res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"yes"}})
	if err != nil || len(res.Stdout) != 8<<20 || res.Dropped != 10 {
		t.Errorf("kept %d, dropped %d, %v", len(res.Stdout), res.Dropped, err)
	}
}

func TestRunRefusesWhatNoHostCanRun(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	c := dial(t, h.Target())
	for _, args := range [][]string{nil, {""}, {"a", "b\x00c"}, {"a", strings.Repeat("x", 130<<10)}} {
		if _, err := c.Run(t.Context(), remote.Cmd{Args: args}); err == nil {
			t.Errorf("%.20q was run", args)
		}
	}
}

func TestRunShellThatRunsNothing(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.NoLogin("Please login as the user \"ubuntu\" rather than the user \"root\".\n\n")
	c := dial(t, h.Target())
	_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"true"}})
	var e *remote.ShellError
	if !errors.Is(err, remote.ErrShell) || !errors.As(err, &e) || e.Code != 1 || !strings.Contains(e.Output(), "ubuntu") || e.Hint() == "" {
		t.Errorf("got %v", err)
	}
}

// blockUntilKilled runs until somebody ends it, and says on begun that it
// runs.
func blockUntilKilled(begun chan<- struct{}) func(context.Context, *remotetest.Call) int {
	return func(ctx context.Context, c *remotetest.Call) int {
		begun <- struct{}{}
		<-ctx.Done()
		return 1
	}
}

func TestRunContextEndsTheCommandOnTheHost(t *testing.T) {
	t.Parallel()
	for _, sudo := range []remotetest.Option{remotetest.User("root"), remotetest.SudoFree(), remotetest.SudoPassword("x")} {
		h := remotetest.New(t, remotetest.User("ubuntu"), sudo)
		begun, ended := make(chan struct{}, 1), make(chan struct{})
		block := blockUntilKilled(begun)
		h.On("sleep", "1000").Do(func(ctx context.Context, c *remotetest.Call) int {
			defer close(ended)
			return block(ctx, c)
		})
		c := dial(t, h.Target())
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		_, err := c.Run(ctx, remote.Cmd{Args: []string{"sleep", "1000"}, Root: true})
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "sleep") {
			t.Errorf("got %v", err)
		}
		<-ended // the handler heard of it, or the test hangs
	}
}

// TestRunContextEndsWhileSudoWaits: the password is being typed.
func TestRunContextEndsWhileSudoWaits(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("pw"))
	target := h.Target()
	target.SudoPassword = func(ctx context.Context) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	c := dial(t, target)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		h.Await(func(n remotetest.Counters) bool { return n.SudoAsked == 1 })
		cancel()
	}()
	if _, err := c.Run(ctx, remote.Cmd{Args: []string{"never"}, Root: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRunDeadline(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	begun := make(chan struct{}, 1)
	h.On("sleep", "1000").Do(blockUntilKilled(begun))
	c := dial(t, h.Target())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Run(ctx, remote.Cmd{Args: []string{"sleep", "1000"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// failing is a reader or writer that fails after some bytes.
type failing struct{ left int }

var errLocal = errors.New("local disk broke")

func (f *failing) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, errLocal
	}
	n := min(len(p), f.left)
	f.left -= n
	return n, nil
}

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errLocal
	}
	return len(p), nil
}

func TestRunStreamsThatFailHere(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("cat").Do(func(ctx context.Context, c *remotetest.Call) int {
		defer func() { <-ctx.Done() }() // an end of input must not look like the whole
		return echo(ctx, c)
	})
	c := dial(t, h.Target())
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"cat"}, Stdin: &failing{100}}); !errors.Is(err, errLocal) {
		t.Errorf("stdin: got %v", err)
	}
}

func TestRunOutputThatFailsHere(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("yes").Do(func(ctx context.Context, c *remotetest.Call) int {
		for ctx.Err() == nil {
			if _, err := io.WriteString(c.Stdout, "yyyyyyyyyyyyyyyy\n"); err != nil {
				return 1
			}
		}
		return 1
	})
	c := dial(t, h.Target())
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"yes"}, Stdout: &failing{1000}}); !errors.Is(err, errLocal) {
		t.Errorf("got %v", err)
	}
}

func TestRunWaitsForSessionsThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.MaxSessions(2)
	h.On("work").Times(10).Do(echo)
	c := dial(t, h.Target())
	errs := make(chan error)
	for range 10 {
		go func() {
			_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"work"}, Stdin: strings.NewReader("x")})
			errs <- err
		}()
	}
	for range 10 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestRunLinkLostIsNeitherSuccessNorFailure(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("reboot").Do(func(ctx context.Context, c *remotetest.Call) int {
		_, _ = io.WriteString(c.Stdout, "half")
		h.CutLink()
		return 0
	})
	c := dial(t, h.Target())
	_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"reboot"}})
	var exit *remote.ExitError
	if !errors.Is(err, remote.ErrClosed) || errors.As(err, &exit) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"true"}}); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("a command over a lost link: %v", err)
	}
	if !errors.Is(c.Err(), remote.ErrClosed) {
		t.Errorf("Err is %v", c.Err())
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	if got, want := remote.Quote("ls", "-l", "a b", "it's", "", "x=1"), `ls -l 'a b' 'it'\''s' '' 'x=1'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
