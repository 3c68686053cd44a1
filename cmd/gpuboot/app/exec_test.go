package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app"
)

// desk is a user's folder with an inventory of test hosts.
type desk struct {
	inventory string
	env       app.Env
	out, err  bytes.Buffer
}

// newDesk names the hosts w1, w2, … .
func newDesk(t *testing.T, hosts ...*remotetest.Host) *desk {
	t.Helper()
	d := &desk{inventory: filepath.Join(t.TempDir(), "lab.yaml")}
	text := "name: lab\npools:\n  - name: all\n    role: both\n    hosts:\n"
	for i, h := range hosts {
		target := h.Target()
		text += fmt.Sprintf("      - {name: w%d, address: 127.0.0.1, port: %d, user: %s, identityFile: %s, hostKey: %q, role: %s}\n",
			i+1, target.Port, target.User, target.IdentityFiles[0], strings.TrimSpace(target.HostKey), []string{"both", "worker"}[min(i, 1)])
	}
	if err := os.WriteFile(d.inventory, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d.env = app.Env{In: strings.NewReader(""), Out: &d.out, Err: &d.err, Getenv: func(string) string { return "" }, Now: time.Now}
	return d
}

func (d *desk) run(t *testing.T, args ...string) int {
	t.Helper()
	d.out.Reset()
	d.err.Reset()
	return app.Run(t.Context(), d.env, args)
}

// TestExecShowsEveryHost has one host that works, one whose command fails, and
// one that lets nobody in.
func TestExecShowsEveryHost(t *testing.T) {
	t.Parallel()
	good, bad, shut := remotetest.New(t), remotetest.New(t), remotetest.New(t)
	good.On("id", "-u").Reply("0\nand more").Times(3)
	bad.On("id", "-u").Stderr("no such user\n").Exit(4)
	shut.RefuseLogin(true)
	d := newDesk(t, good, bad, shut)

	if code := d.run(t, "exec", d.inventory, "--", "id", "-u"); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if want := "w1| 0\nw1| and more\n"; d.out.String() != want {
		t.Errorf("stdout is %q, want %q", d.out.String(), want)
	}
	for _, want := range []string{"w2| no such user\n", "error: w2: exec: id exited with status 4: no such user\n", "error: w3: connecting to ", "hint: "} {
		if !strings.Contains(d.err.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, d.err.String())
		}
	}
	if code := d.run(t, "exec", d.inventory, "--limit", "w1,w3", "--", "id", "-u"); code != 3 {
		t.Errorf("with a host that lets nobody in: exit code %d, want 3", code)
	}
	if code := d.run(t, "exec", d.inventory, "--limit", "w1", "--parallel", "0", "--", "id", "-u"); code != 0 || d.err.String() != "" {
		t.Errorf("with the good host alone: exit code %d and %q", code, d.err.String())
	}
}

func TestExecInJSON(t *testing.T) {
	t.Parallel()
	good, bad, shut := remotetest.New(t), remotetest.New(t), remotetest.New(t)
	good.On("date").Reply("now\n")
	bad.On("date").Stderr("no\n").Exit(2)
	shut.RefuseLogin(true)
	d := newDesk(t, good, bad, shut)
	if code := d.run(t, "exec", d.inventory, "--output", "json", "--", "date"); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if d.err.Len() > 0 {
		t.Errorf("stderr: %s", d.err.String())
	}
	got := map[string]string{}
	for dec := json.NewDecoder(&d.out); dec.More(); {
		var r struct {
			Host           string
			ExitCode       *int `json:"exit_code"`
			Stdout, Stderr string
			Error          *struct{ Cause, Hint string }
		}
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		code := -1
		if r.ExitCode != nil {
			code = *r.ExitCode
		}
		got[r.Host] = fmt.Sprintf("%d %q %q %v", code, r.Stdout, r.Stderr, r.Error != nil && r.Error.Cause != "" && r.Error.Hint != "")
	}
	for host, want := range map[string]string{"w1": `0 "now\n" "" false`, "w2": `2 "" "no\n" false`, "w3": `-1 "" "" true`} {
		if got[host] != want {
			t.Errorf("%s: %s, want %s", host, got[host], want)
		}
	}
}

func TestExecAsRoot(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoFree())
	h.On("id", "-u").Do(func(_ context.Context, c *remotetest.Call) int {
		fmt.Fprintln(c.Stdout, c.Root)
		return 0
	})
	d := newDesk(t, h)
	if code := d.run(t, "exec", d.inventory, "--root", "--", "id", "-u"); code != 0 || d.out.String() != "w1| true\n" {
		t.Errorf("exit code %d, %q", code, d.out.String())
	}
}

// TestSSHRunsACommand passes the three streams and the exit code on.
func TestSSHRunsACommand(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.On("tr", "a b", "x").Do(func(_ context.Context, c *remotetest.Call) int {
		_, _ = io.Copy(c.Stdout, c.Stdin)
		fmt.Fprint(c.Stderr, "said no")
		return 42
	})
	d := newDesk(t, h)
	d.env.In = strings.NewReader("typed\r\x00")
	if code := d.run(t, "ssh", "w1", d.inventory, "--", "tr", "a b", "x"); code != 42 {
		t.Errorf("exit code %d, want 42", code)
	}
	if d.out.String() != "typed\r\x00" || d.err.String() != "said no" {
		t.Errorf("stdout %q, stderr %q", d.out.String(), d.err.String())
	}
	h.RefuseLogin(true)
	if code := d.run(t, "ssh", "w1", d.inventory, "--", "true"); code != 3 || !strings.Contains(d.err.String(), "error: w1: connecting to ") {
		t.Errorf("refused: exit code %d, %s", code, d.err.String())
	}
}

// console is a terminal of 80 by 24 at which a person types one word.
type console struct {
	io.Reader
	io.Writer
	raw, restored int
}

func (c *console) Raw() (func() error, error) {
	c.raw++
	return func() error { c.restored++; return nil }, nil
}
func (c *console) Size() (remote.Size, error) { return remote.Size{Width: 80, Height: 24}, nil }
func (c *console) Resized(context.Context) <-chan remote.Size {
	sizes := make(chan remote.Size, 1)
	sizes <- remote.Size{Width: 132, Height: 50}
	return sizes
}

func TestSSHOpensAShell(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.OnShell(func(_ context.Context, term remotetest.Terminal) int {
		size := <-term.Resized
		word := make([]byte, 5)
		_, _ = io.ReadFull(term.Conn, word)
		fmt.Fprintf(term.Conn, "%v %v %s", term, size, word)
		return 5
	})
	d := newDesk(t, h)
	var screen bytes.Buffer
	c := &console{Reader: strings.NewReader("exit\r"), Writer: &screen}
	d.env.Console = c
	d.env.Getenv = func(string) string { return "vt100" }
	if code := d.run(t, "ssh", "w1", d.inventory); code != 5 || d.err.String() != "" {
		t.Errorf("exit code %d and %q, want 5 and nothing", code, d.err.String())
	}
	if want := `vt100 80x24 "" [132 50] exit` + "\r"; screen.String() != want {
		t.Errorf("the screen shows %q, want %q", screen.String(), want)
	}
	if c.raw != 1 || c.restored != 1 {
		t.Errorf("the terminal was taken over %d times and given back %d times", c.raw, c.restored)
	}
}
