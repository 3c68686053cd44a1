//go:build unix

package remote_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

func TestLocal(t *testing.T) {
	t.Parallel()
	c := remote.Local("laptop", nil)
	defer c.Close()
	res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"sh", "-c", `cat; echo "$1" >&2; exit 3`, "x", "it's\n"}, Stdin: strings.NewReader(binary)})
	var e *remote.ExitError
	if !errors.As(err, &e) || e.Code != 3 || string(res.Stdout) != binary || string(res.Stderr) != "it's\n\n" {
		t.Errorf("got %q, %q, %v", res.Stdout, res.Stderr, err)
	}
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"no-such-command"}}); !errors.As(err, &e) || e.Code != 127 {
		t.Errorf("a missing command: %v", err)
	}
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"sh", "-c", "kill -9 $$"}}); !errors.As(err, &e) || e.Signal != "KILL" {
		t.Errorf("a killed command: %v", err)
	}
	checkForward(t, c)
	must(t, c.Close())
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"true"}}); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLocalFiles(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: file operations need root")
	}
	c := remote.Local("laptop", nil)
	defer c.Close()
	checkFiles(t, c, t.TempDir())
}

func TestLocalContextEndsChildrenToo(t *testing.T) {
	t.Parallel()
	c := remote.Local("laptop", nil)
	defer c.Close()
	checkEnds(t, c, remote.Cmd{})
}

// checkEnds cancels a command and wants its grandchild gone, which holds a
// lock on a file.
func checkEnds(t *testing.T, c *remote.Conn, cmd remote.Cmd) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Chmod(filepath.Dir(dir), 0o755)) // the command may run as somebody else
	must(t, os.Chmod(dir, 0o777))
	fifo := filepath.Join(dir, "fifo")
	cmd.Args = []string{"sh", "-c", `mkfifo -m 666 "$1"; (exec 3<>"$1"; echo begun; sleep 1000; echo over) & wait`, "x", fifo}
	ctx, cancel := context.WithCancel(t.Context())
	cmd.Stdout = writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	})
	if _, err := c.Run(ctx, cmd); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// Opening for writing without waiting works only while somebody reads.
	f, err := os.OpenFile(fifo, os.O_WRONLY|nonBlock, 0)
	if err == nil {
		_ = f.Close()
		t.Error("a child of the command lives on")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestRealContextEndsChildrenToo(t *testing.T) {
	t.Parallel()
	h := newRealHost(t, "")
	for _, target := range []remote.Target{h.target("root"), h.target("free"), h.asked("asked", realPassword), h.asked("fishy", realPassword), h.asked("ttyasked", realPassword)} {
		for _, root := range []bool{true, false} {
			t.Run(fmt.Sprint(target.User, root), func(t *testing.T) {
				t.Parallel()
				checkEnds(t, dial(t, target), remote.Cmd{Root: root})
			})
		}
	}
}
