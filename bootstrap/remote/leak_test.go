package remote_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// goroutines gives the stacks of goroutines that belong to connections.
func goroutines() []string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var ours []string
	for g := range strings.SplitSeq(string(buf), "\n\n") {
		if strings.Contains(g, "testing.(*T).Parallel") {
			continue // a test of this package that waits for its turn
		}
		if strings.Contains(g, "bootstrap/remote.") || strings.Contains(g, "crypto/ssh") {
			ours = append(ours, g)
		}
	}
	return ours
}

// TestCloseLeavesNoGoroutine is not parallel, so that it runs alone.
func TestCloseLeavesNoGoroutine(t *testing.T) {
	t.Run("work", func(t *testing.T) {
		jump := remotetest.New(t)
		h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("pw"))
		h.On("cat").Times(2).Do(echo)
		ctx, cancel := context.WithCancel(t.Context())
		h.On("sleep", "1000").Do(func(ctx context.Context, _ *remotetest.Call) int {
			cancel()
			<-ctx.Done()
			return 1
		})
		target := behind(h, jump)
		target.AgentSocket = serveAgent(t)
		c := dial(t, target)
		for _, root := range []bool{true, false} {
			output(t, c, remote.Cmd{Args: []string{"cat"}, Stdin: strings.NewReader("x"), Root: root})
		}
		must(t, c.WriteFile(t.Context(), remote.File{Path: "/etc/x", Size: 1}, strings.NewReader("x"), nil))
		if _, err := c.Run(ctx, remote.Cmd{Args: []string{"sleep", "1000"}, Root: true}); err == nil {
			t.Error("sleep ended")
		}
		checkForward(t, c)
		open, err := c.DialContext(t.Context(), "tcp", echoServer(t)) // left open
		must(t, err)
		must(t, c.Close())
		if _, err := open.Read(make([]byte, 1)); err == nil {
			t.Error("a forwarded connection outlives its Conn")
		}
		h.HangAfterBanner(true)
		target.DialTimeout = 20 * time.Millisecond
		_ = refused(t, target, remote.ErrTimeout)
		h.HangAfterBanner(false)
		h.RefuseLogin(true)
		target.DialTimeout = time.Minute
		_ = refused(t, target, remote.ErrAuth)
	})
	deadline := time.Now().Add(10 * time.Second)
	for len(goroutines()) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("left behind:\n%s", strings.Join(goroutines(), "\n\n"))
		}
		runtime.Gosched()
	}
}
