package remote_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// dial connects to a host and closes with the test.
func dial(t *testing.T, target remote.Target) *remote.Conn {
	t.Helper()
	c, err := remote.Dial(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

func echo(_ context.Context, c *remotetest.Call) int {
	_, err := io.Copy(c.Stdout, c.Stdin)
	if err != nil {
		return 1
	}
	return 0
}

func TestRun(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("it's $1"), remotetest.Noise("(base) activated\n"))
	h.On("cat", "a b").Do(echo)
	c := dial(t, h.Target())
	res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"cat", "a b"}, Stdin: strings.NewReader("x\x00\xffy"), Root: true})
	if err != nil || string(res.Stdout) != "x\x00\xffy" || len(res.Stderr) != 0 {
		t.Errorf("got %q %q %v", res.Stdout, res.Stderr, err)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	c := dial(t, h.Target())
	if err := c.WriteFile(t.Context(), remote.File{Path: "/etc/x", Mode: 0o640, Size: 5}, strings.NewReader("hello"), nil); err != nil {
		t.Fatal(err)
	}
	got, err := c.ReadFile(t.Context(), "/etc/x")
	if err != nil || string(got) != "hello" {
		t.Errorf("got %q, %v", got, err)
	}
}
