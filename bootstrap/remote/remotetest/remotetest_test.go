package remotetest_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// recorder is a test that notes its failures and ends when told.
type recorder struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorder) end() []string {
	for _, f := range r.cleanups {
		f()
	}
	return r.failures
}

func connect(t *testing.T, h *remotetest.Host) *remote.Conn {
	t.Helper()
	c, err := remote.Dial(t.Context(), h.Target())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestHostFailsTheTest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		set  func(*remotetest.Host)
		run  [][]string
		want []string
	}{
		{"unknown command", func(*remotetest.Host) {}, [][]string{{"rm", "-rf", "/"}}, []string{`no handler for ["rm" "-rf" "/"]`}},
		{"other words", func(h *remotetest.Host) { h.On("ls", "-l") }, [][]string{{"ls"}}, []string{`no handler for ["ls"]`, `"ls -l" was never run`}},
		{"missing call", func(h *remotetest.Host) { h.On("ls") }, nil, []string{`"ls" was never run`}},
		{"too few", func(h *remotetest.Host) { h.OnPrefix("ls").Times(2) }, [][]string{{"ls", "x"}}, []string{`"ls …" was run 1 times, want 2`}},
		{"too many", func(h *remotetest.Host) { h.On("ls").Times(1) }, [][]string{{"ls"}, {"ls"}}, []string{`"ls" was run 2 times, want 1`}},
		{"optional", func(h *remotetest.Host) { h.On("ls").Optional() }, nil, nil},
		{"as wanted", func(h *remotetest.Host) { h.On("ls"); h.On("id").Times(2) }, [][]string{{"ls"}, {"ls"}, {"id"}, {"id"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			h := remotetest.New(r)
			tt.set(h)
			c := connect(t, h)
			for _, args := range tt.run {
				_, _ = c.Run(t.Context(), remote.Cmd{Args: args}) // the failure of the test is what counts
			}
			got := r.end()
			if len(got) != len(tt.want) {
				t.Fatalf("failures are %q, want %q", got, tt.want)
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("failure %d is %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

func TestHandlers(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.OnPrefix("systemctl").Reply("active\n")
	h.On("systemctl", "is-active", "k3s").Reply("failed\n").Stderr("oops\n").Exit(3) // the newest wins
	h.OnFunc("anything on nvidia", func(argv []string) bool { return strings.HasPrefix(argv[0], "nvidia-") }).
		Do(func(_ context.Context, c *remotetest.Call) int {
			in, _ := io.ReadAll(c.Stdin)
			fmt.Fprintf(c.Stdout, "%s %v %s", c.Args[0], c.Root, in)
			return 0
		})
	c := connect(t, h)
	res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"systemctl", "is-active", "k3s"}})
	if err == nil || string(res.Stdout) != "failed\n" || string(res.Stderr) != "oops\n" {
		t.Errorf("got %q %q %v", res.Stdout, res.Stderr, err)
	}
	res, err = c.Run(t.Context(), remote.Cmd{Args: []string{"systemctl", "start", "x"}})
	if err != nil || string(res.Stdout) != "active\n" {
		t.Errorf("got %q %v", res.Stdout, err)
	}
	res, err = c.Run(t.Context(), remote.Cmd{Args: []string{"nvidia-smi"}, Stdin: strings.NewReader("in"), Root: true})
	if err != nil || string(res.Stdout) != "nvidia-smi true in" {
		t.Errorf("got %q %v", res.Stdout, err)
	}
	if calls := h.Calls(); len(calls) != 3 || calls[2].Args[0] != "nvidia-smi" || !calls[2].Root {
		t.Errorf("calls are %v", calls)
	}
}

func TestShellRunsScriptsWithToolsOfTheTest(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte("#!/bin/sh\necho fake H100\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	h := remotetest.New(t)
	h.Put("/etc/hostname", "gpu-1\n", 0o644)
	h.OnPrefix("sh").Shell(bin)
	c := connect(t, h)
	res, err := c.Run(t.Context(), remote.Cmd{Args: []string{"sh"}, Stdin: strings.NewReader("cat etc/hostname; nvidia-smi; exit 7")})
	if err == nil || string(res.Stdout) != "gpu-1\nfake H100\n" {
		t.Errorf("got %q, %v", res.Stdout, err)
	}
}

func Example() {
	_ = func(t *testing.T) { // a test of a step
		h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("secret"))
		h.On("systemctl", "daemon-reload").Times(1)
		c, err := remote.Dial(t.Context(), h.Target())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, err = c.Run(t.Context(), remote.Cmd{Args: []string{"systemctl", "daemon-reload"}, Root: true})
		if err != nil {
			t.Error(err)
		}
	}
	// Output:
}
