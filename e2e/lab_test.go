//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// lab is a fleet of hosts with an inventory, and the gpuboot under test.
type lab struct {
	t         *testing.T
	fleet     *hosts.Fleet
	dir       string // the user's folder: inventory, home
	bin       string
	k3s       string // the k3s executable to install
	version   string
	inventory string
	env       []string // more of the user's environment
}

// environment names, set by `make e2e`.
const (
	envK3s    = "GPUBOOT_E2E_K3S"
	envImages = "GPUBOOT_E2E_IMAGES"
	envBinary = "GPUBOOT_E2E_GPUBOOT"
)

func required(t *testing.T, name string) string {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		t.Fatalf("%s is not set: run the scenarios with `make e2e`", name)
	}
	return v
}

// newLab boots hosts. Their images folder holds the test images, as a site
// without a registry would have it, and their sshd logs every session, so that
// connections and commands can be counted.
func newLab(t *testing.T, specs ...hosts.Spec) *lab {
	t.Helper()
	images := required(t, envImages)
	for i := range specs {
		specs[i].Binds = append(specs[i].Binds, hosts.Bind{Source: images, Target: "/var/lib/rancher/k3s/agent/images", ReadOnly: true})
		specs[i].Files = append(specs[i].Files, hosts.File{Path: "/etc/ssh/sshd_config.d/50-count.conf", Content: []byte("LogLevel VERBOSE\n")})
	}
	l := &lab{t: t, dir: t.TempDir(), bin: required(t, envBinary), k3s: required(t, envK3s)}
	out, err := exec.Command(l.k3s, "--version").Output()
	if err != nil {
		t.Fatalf("asking %s for its version: %v", l.k3s, err)
	}
	l.version = strings.Fields(string(out))[2] // k3s version v1.36.2+k3s1 (abcdef)
	l.fleet, err = hosts.FromEnv().Up(t.Context(), t.Logf, specs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			l.dump()
		}
		if err := l.fleet.Close(context.Background()); err != nil { // t's context has ended by now
			t.Error(err)
		}
	})
	return l
}

// dump shows what the hosts say, after a failure.
func (l *lab) dump() {
	for _, h := range l.fleet.Hosts {
		out, err := h.Exec(context.Background(), "systemctl --no-pager status 'k3s*' | head -n 20; journalctl --no-pager -n 60 -u k3s -u k3s-agent -o cat; ip -br addr; df -h /var/lib/rancher | tail -n 1")
		l.t.Logf("---- %s (%v)\n%s", h.Name, err, out)
	}
}

func (l *lab) need(features ...hosts.Feature) {
	l.t.Helper()
	for _, f := range features {
		if !l.fleet.Supports(f) {
			l.t.Skipf("SKIPPED: these hosts do not offer %q", f)
		}
	}
}

func (l *lab) host(name string) *hosts.Host {
	l.t.Helper()
	h, ok := l.fleet.Host(name)
	if !ok {
		l.t.Fatalf("no host %s", name)
	}
	return h
}

// on runs a script on a host, past gpuboot.
func (l *lab) on(name, script string) string {
	l.t.Helper()
	out, err := l.host(name).Exec(l.t.Context(), script)
	if err != nil {
		l.t.Fatalf("on %s: %v", name, err)
	}
	return out
}

// write puts the inventory where gpuboot will be run: pools is its `pools`
// part.
func (l *lab) write(pools string) {
	l.t.Helper()
	l.inventory = filepath.Join(l.dir, "inventory.yaml")
	text := fmt.Sprintf("name: e2e\nk3s:\n  version: %s\n  source: %s\n%s", l.version, l.k3s, pools)
	if err := os.WriteFile(l.inventory, []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// entry is a host's line in a pool.
func (l *lab) entry(name string, more ...string) string {
	h := l.host(name)
	fields := append([]string{
		"name: " + name, "address: " + h.Address, "user: " + h.User, "identityFile: " + h.KeyFile}, more...)
	return "      - {" + strings.Join(fields, ", ") + "}\n"
}

// result is one run of gpuboot.
type result struct {
	Code           int
	Events         []engine.Event
	Stdout, Stderr string
	Elapsed        time.Duration
}

// command prepares a run of gpuboot, in the user's own folder and home.
func (l *lab) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, l.bin, args...)
	cmd.Dir = l.dir
	cmd.Env = []string{"HOME=" + l.dir, "PATH=" + os.Getenv("PATH"), "E2E_SUDO=" + sudoPassword}
	cmd.Env = append(cmd.Env, l.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal, even if the test was started in one
	return cmd
}

// run runs gpuboot with JSON output and reads its events.
func (l *lab) run(args ...string) result {
	l.t.Helper()
	cmd := l.command(l.t.Context(), append([]string{"--output", "json"}, args...)...) // first: what follows -- is another command's
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	begun := time.Now()
	err := cmd.Run()
	r := result{Elapsed: time.Since(begun), Stdout: out.String(), Stderr: stderr.String(), Events: events(out.Bytes())}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.Code = exit.ExitCode()
	case err != nil:
		l.t.Fatalf("running gpuboot: %v", err)
	}
	l.t.Logf("gpuboot %s: exit code %d after %.1f s%s", strings.Join(args, " "), r.Code, r.Elapsed.Seconds(), r.slow())
	return r
}

// ok runs gpuboot and wants exit code 0.
func (l *lab) ok(args ...string) result {
	l.t.Helper()
	r := l.run(args...)
	if r.Code != 0 {
		l.t.Fatalf("gpuboot %s: exit code %d\n%s\n%s", strings.Join(args, " "), r.Code, r.failures(), r.Stderr)
	}
	return r
}

func events(out []byte) []engine.Event {
	var list []engine.Event
	for line := range bytes.Lines(out) {
		var e engine.Event
		if json.Unmarshal(line, &e) == nil && e.Kind != "" {
			list = append(list, e)
		}
	}
	return list
}

// changes are the planned changes, "host: action what".
func (r result) changes() []string {
	var out []string
	for _, e := range r.Events {
		if e.Change != nil {
			out = append(out, fmt.Sprintf("%s: %s %s", e.Host, e.Change.Action, e.Change.What))
		}
	}
	return out
}

// failures are the failed steps, with cause and output.
func (r result) failures() string {
	var b strings.Builder
	for _, e := range r.Events {
		if e.Error != nil {
			fmt.Fprintf(&b, "%s: %s: %s\n%s\nhint: %s\n", e.Host, e.Step, e.Error.Cause, e.Error.Output, e.Error.Hint)
		}
	}
	return b.String()
}

// took is how long a step of a host ran.
func (r result) took(host, step string) time.Duration {
	for _, e := range r.Events {
		if e.Kind == engine.KindStepFinished && e.Host == host && e.Step == step {
			return e.Elapsed
		}
	}
	return 0
}

// slow names the steps that took long, with what they waited for last.
func (r result) slow() string {
	var b strings.Builder
	notes := map[string]string{}
	for _, e := range r.Events {
		key := e.Host + ": " + e.Step
		switch {
		case e.Kind == engine.KindNote:
			notes[key] = e.Message
		case e.Kind == engine.KindStepFinished && e.Elapsed > 25*time.Second:
			fmt.Fprintf(&b, "\n  %s took %.0f s, last waiting for %s", key, e.Elapsed.Seconds(), notes[key])
		}
	}
	return b.String()
}
