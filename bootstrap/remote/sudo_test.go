package remote_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// awkwardPasswords break whoever puts a password into a command line.
var awkwardPasswords = []string{
	"plain", "-n", "it's", `"double"`, "$HOME `id` $(id)", "two words", " lead and trail ", `back\slash\n`, "grüße 日本", "%s%n", "!!", "",
}

func TestSudoPasswordAndInputReachTheRightReader(t *testing.T) {
	t.Parallel()
	for _, password := range awkwardPasswords {
		h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword(password), remotetest.Noise("noise\n"))
		h.On("cat").Times(2).Do(echo)
		c := dial(t, h.Target())
		for range 2 {
			if got := output(t, c, remote.Cmd{Args: []string{"cat"}, Stdin: strings.NewReader(binary), Root: true}); got != binary {
				t.Errorf("password %q: the command read %q", password, got)
			}
		}
		if n := h.Counters(); n.Sessions != 2 || n.SudoAsked != 2 {
			t.Errorf("password %q: two commands cost %+v", password, n)
		}
	}
}

func TestSudoThatDoesNotAskGetsNoPassword(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoFree())
	h.On("cat").Do(echo)
	target := h.Target()
	target.SudoPassword = func(context.Context) (string, error) {
		t.Error("the password was asked for")
		return "hunter2", nil
	}
	c := dial(t, target)
	if got := output(t, c, remote.Cmd{Args: []string{"cat"}, Stdin: strings.NewReader("input"), Root: true}); got != "input" {
		t.Errorf("the command read %q", got)
	}
}

func TestSudoPasswordIsAskedOnceAndOnlyWhenNeeded(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("pw"))
	h.On("true").Times(5).Do(echo)
	target := h.Target()
	var asked atomic.Int64
	target.SudoPassword = func(context.Context) (string, error) {
		asked.Add(1)
		return "pw", nil
	}
	c := dial(t, target)
	output(t, c, remote.Cmd{Args: []string{"true"}})
	if asked.Load() != 0 {
		t.Error("asked for a command that needs no root")
	}
	errs := make(chan error)
	for range 4 {
		go func() {
			_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"true"}, Root: true})
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestSudoWrongPasswordIsSentOnce(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("right"))
	target := h.Target()
	target.SudoPassword = answer("wrong")
	c := dial(t, target)
	for range 3 {
		_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"never", "run"}, Stdin: strings.NewReader("input"), Root: true})
		var e *remote.SudoError
		if !errors.Is(err, remote.ErrSudo) || !errors.As(err, &e) || !e.Asked || !strings.Contains(e.Output(), "Sorry, try again.") {
			t.Fatalf("got %v", err)
		}
		if strings.Contains(err.Error(), "wrong password attempt") || e.Hint() == "" {
			t.Errorf("the error reads %q, hint %q", err, e.Hint())
		}
	}
	if n := h.Counters(); n.Sessions != 1 || n.SudoAsked != 2 {
		t.Errorf("three commands cost %+v", n)
	}
}

func TestSudoRefusals(t *testing.T) {
	t.Parallel()
	lost := errors.New("the keyring is locked")
	tests := []struct {
		name     string
		opt      remotetest.Option
		password func(context.Context) (string, error)
		sessions int64 // that two commands cost
		text     string
	}{
		{"no sudo", remotetest.User("ubuntu"), nil, 2, "neither sudo nor doas"},
		{"password missing", remotetest.SudoPassword("x"), nil, 3, "sudo -n refused with status 1: sudo: a password is required"},
		{"denied", remotetest.SudoDenied(), answer("x"), 1, "took the password and refused with status 1: ubuntu is not in the sudoers file."},
		{"denied without password", remotetest.SudoDenied(), nil, 3, "sudo -n refused"},
		{"password not to be had", remotetest.SudoPassword("x"), func(context.Context) (string, error) { return "", lost }, 1, "the keyring is locked"},
		{"password with a line break", remotetest.SudoPassword("x"), answer("a\nb"), 1, "holds a line break"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := remotetest.New(t, remotetest.User("ubuntu"), tt.opt)
			target := h.Target()
			target.SudoPassword = tt.password
			c := dial(t, target)
			for range 2 {
				_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"never"}, Root: true})
				if !errors.Is(err, remote.ErrSudo) || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("got %v, want %q", err, tt.text)
				}
			}
			if n := h.Counters().Sessions; n != tt.sessions {
				t.Errorf("two commands cost %d sessions, want %d", n, tt.sessions)
			}
		})
	}
}

func TestSudoAsRootLoginIsNotUsed(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.SudoDenied())
	h.On("id", "-u").Reply("0\n")
	target := h.Target()
	target.SudoPassword = answer("x")
	c := dial(t, target)
	if got := output(t, c, remote.Cmd{Args: []string{"id", "-u"}, Root: true}); got != "0\n" || !c.IsRoot() {
		t.Errorf("got %q, root %v", got, c.IsRoot())
	}
}

// TestSudoSlowInput: input that comes only after sudo is done.
func TestSudoSlowInput(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("pw"))
	r, w := io.Pipe()
	h.On("cat").Do(func(ctx context.Context, c *remotetest.Call) int {
		go func() {
			_, _ = io.WriteString(w, "late")
			_ = w.Close()
		}()
		return echo(ctx, c)
	})
	c := dial(t, h.Target())
	if got := output(t, c, remote.Cmd{Args: []string{"cat"}, Stdin: r, Root: true}); got != "late" {
		t.Errorf("the command read %q", got)
	}
}
