package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// TestShellIsATerminal types, resizes, and takes over the exit code.
func TestShellIsATerminal(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.Name("w1"))
	h.OnShell(func(_ context.Context, term remotetest.Terminal) int {
		size := <-term.Resized
		line := make([]byte, 5)
		if _, err := io.ReadFull(term.Conn, line); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(term.Conn, "%v then %v: %s", term, size, line)
		return 7
	})
	c, err := remote.Dial(t.Context(), h.Target())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	sizes := make(chan remote.Size, 1)
	sizes <- remote.Size{Width: 100, Height: 40}
	keys, _ := io.Pipe() // a person who types no more: the end of the shell must not wait for a key
	var out bytes.Buffer
	err = c.Shell(t.Context(), remote.Shell{
		Args: []string{"top", "it's"}, Term: "xterm-256color", Size: remote.Size{Width: 80, Height: 24}, Resized: sizes,
		In: io.MultiReader(strings.NewReader("q now"), keys), Out: &out,
	})
	if exit := new(remote.ExitError); !errors.As(err, &exit) || exit.Code != 7 || exit.Host != "w1" {
		t.Errorf("got %v, want exit code 7", err)
	}
	if want := `xterm-256color 80x24 "top 'it'\\''s'" then [100 40]: q now`; out.String() != want {
		t.Errorf("got  %s\nwant %s", out.String(), want)
	}
}

func TestShellWithoutATerminalOnTheHost(t *testing.T) {
	t.Parallel()
	c, err := remote.Dial(t.Context(), remotetest.New(t).Target())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Shell(t.Context(), remote.Shell{In: strings.NewReader(""), Out: io.Discard}); !errors.Is(err, remote.ErrShell) {
		t.Errorf("got %v, want ErrShell", err)
	}
	local := remote.Local("here", nil)
	defer local.Close()
	if err := local.Shell(t.Context(), remote.Shell{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("local: got %v, want ErrUnsupported", err)
	}
}

// TestShellEndsWithItsContext and with its link.
func TestShellEndsWithItsContext(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	begun := make(chan struct{}, 2)
	h.OnShell(func(_ context.Context, term remotetest.Terminal) int {
		begun <- struct{}{}
		_, _ = io.Copy(io.Discard, term.Conn)
		return 0
	})
	c, err := remote.Dial(t.Context(), h.Target())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	keys, _ := io.Pipe()
	if err := c.Shell(ctx, remote.Shell{In: keys, Out: io.Discard}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
	go func() {
		<-begun
		h.CutLink()
	}()
	if err := c.Shell(t.Context(), remote.Shell{In: keys, Out: io.Discard}); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}
