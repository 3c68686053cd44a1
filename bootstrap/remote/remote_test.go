package remote_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// dial connects to a host and closes with the test.
func dial(t testing.TB, target remote.Target) *remote.Conn {
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

// refused dials and wants a ConnectError of a class.
func refused(t *testing.T, target remote.Target, class error) *remote.ConnectError {
	t.Helper()
	c, err := remote.Dial(t.Context(), target)
	if err == nil {
		_ = c.Close()
		t.Fatalf("connected, want %v", class)
	}
	var e *remote.ConnectError
	if !errors.As(err, &e) {
		t.Fatalf("%T %v, want a ConnectError", err, err)
	}
	if !errors.Is(err, class) || !errors.Is(e.Class, class) {
		t.Fatalf("got class %v in %v, want %v", e.Class, err, class)
	}
	return e
}

// output runs a command and wants it to succeed.
func output(t *testing.T, c *remote.Conn, cmd remote.Cmd) string {
	t.Helper()
	res, err := c.Run(t.Context(), cmd)
	if err != nil {
		t.Fatal(err)
	}
	return string(res.Stdout)
}

// echo is a handler that prints its input.
func echo(_ context.Context, c *remotetest.Call) int {
	if _, err := io.Copy(c.Stdout, c.Stdin); err != nil {
		return 1
	}
	return 0
}

func answer(s string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return s, nil }
}
