package remote_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// TestSudoThatWantsATerminal: the first command shows it, those after it cost
// one session each, and no input is lost.
func TestSudoThatWantsATerminal(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]remotetest.Option{"no password": remotetest.SudoFree(), "password": remotetest.SudoPassword("it's")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoTerminal(), opt)
			h.On("cat").Do(func(_ context.Context, c *remotetest.Call) int {
				_, _ = io.Copy(c.Stdout, c.Stdin)
				return 0
			}).Times(2)
			c := dial(t, h.Target())
			for _, sessions := range []int64{2, 3} {
				res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"cat"}, Stdin: strings.NewReader("input"), Root: true})
				if err != nil || string(res.Stdout) != "input" {
					t.Errorf("got %q, %v", res.Stdout, err)
				}
				if n := h.Counters().Sessions; n != sessions {
					t.Errorf("%d sessions so far, want %d", n, sessions)
				}
			}
		})
	}
}

// TestSudoRefusedForAnotherReason is tried on a terminal once in a connection,
// and the first reason is told.
func TestSudoRefusedForAnotherReason(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoDenied())
	c := dial(t, h.Target())
	for _, sessions := range []int64{2, 3} {
		_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"id"}, Root: true})
		if e := new(remote.SudoError); !errors.As(err, &e) || !strings.Contains(e.Evidence, "a password is required") {
			t.Errorf("got %v", err)
		}
		if n := h.Counters().Sessions; n != sessions {
			t.Errorf("%d sessions so far, want %d", n, sessions)
		}
	}
}
