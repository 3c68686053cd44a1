//go:build e2e

package hosts

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestPower(t *testing.T) {
	t.Parallel()
	f := up(t, Spec{Name: "a"})
	h, ctx := f.Hosts[0], t.Context()
	inside(t, h, "echo kept >/root/file; ip link add cni0 type bridge; for d in /sys/fs/cgroup/*/; do mkdir $d/kubepods; done")
	steps := []struct {
		name string
		do   func() error
		up   bool
	}{
		{"reboot", func() error { return h.Reboot(ctx) }, true},
		{"kill", func() error { return h.Kill(ctx) }, false},
		{"start", func() error { return h.Start(ctx) }, true},
		{"power off", func() error { return h.PowerOff(ctx) }, false},
		{"start again", func() error { return h.Start(ctx) }, true},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if h.Up() != s.up || greets(ctx, h.Address+":22") != s.up {
			t.Fatalf("after %s: the host is in the wrong state", s.name)
		}
		if s.up {
			if got := inside(t, h, "cat /root/file; ls /sys/class/net; ls -d /sys/fs/cgroup/*/kubepods 2>/dev/null || :"); got != "kept\neth0\nlo" {
				t.Errorf("after %s: got %q", s.name, got)
			}
		}
	}
}

func TestFrozenHostIsSilent(t *testing.T) {
	t.Parallel()
	h := up(t, Spec{Name: "a"}).Hosts[0]
	if err := h.Freeze(); err != nil {
		t.Fatal(err)
	}
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(t.Context(), "tcp", h.Address+":22")
	if err != nil {
		t.Fatalf("the kernel of a frozen host still takes connections: %v", err)
	}
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(500 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
		t.Errorf("a frozen host says %q", line)
	}
	if err := h.Thaw(); err != nil {
		t.Fatal(err)
	}
	inside(t, h, "true")
}

func TestTraffic(t *testing.T) {
	t.Parallel()
	f := up(t, Spec{Name: "a"}, Spec{Name: "b"})
	a, b, ctx := f.Hosts[0], f.Hosts[1], t.Context()
	undo, err := f.Drop(ctx, Rule{From: a, To: b, Port: 22})
	if err != nil {
		t.Fatal(err)
	}
	if connects(ctx, a, b) || !connects(ctx, b, a) {
		t.Error("the rule must drop a to b and nothing else")
	}
	if err := undo(ctx); err != nil {
		t.Fatal(err)
	}
	if !connects(ctx, a, b) {
		t.Error("still dropped after undo")
	}
	if undo, err = f.Drop(ctx, Rule{To: b}); err != nil {
		t.Fatal(err)
	}
	if greets(ctx, b.Address+":22") {
		t.Error("the test process still reaches b")
	}
	if err := undo(ctx); err != nil {
		t.Fatal(err)
	}
	if err := a.SetLink(ctx, "eth0", false); err != nil {
		t.Fatal(err)
	}
	if got := inside(t, a, "cat /sys/class/net/eth0/carrier"); got != "0" || connects(ctx, b, a) {
		t.Errorf("with the cable out, carrier is %s", got)
	}
	for _, err := range []error{a.SetLink(ctx, "eth0", true), a.SetMTU(ctx, "eth0", 1400), a.Rate(ctx, "eth0", 50e6), a.Rate(ctx, "eth0", 0)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := inside(t, a, "cat /sys/class/net/eth0/mtu"); got != "1400" || !connects(ctx, b, a) {
		t.Errorf("MTU is %s", got)
	}
	if err := a.Delay(ctx, "eth0", 50*time.Millisecond); (err == nil) != f.Supports(FeatureDelay) {
		t.Errorf("delay is supported: %v, and it says %v", f.Supports(FeatureDelay), err)
	}
}

// TestSweepRemovesTheHostsOfAKilledProcess runs itself once more as the process that is killed.
func TestSweepRemovesTheHostsOfAKilledProcess(t *testing.T) {
	t.Parallel()
	if os.Getenv("GPUBOOT_E2E_DIE") != "" {
		f, err := LocalFromEnv().Up(t.Context(), t.Logf, []Spec{{Name: "a"}})
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("fleet " + f.ID + "\n")
		select {} // until killed
	}
	l := LocalFromEnv()
	if err := l.Available(); err != nil {
		t.Skipf("SKIPPED, no test hosts: %v", err)
	}
	if _, err := l.Prepare(t.Context(), t.Logf); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), "GPUBOOT_E2E_DIE=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id := ""
	for lines := bufio.NewScanner(out); id == "" && lines.Scan(); {
		id, _ = strings.CutPrefix(lines.Text(), "fleet ")
		if id == lines.Text() {
			id = ""
		}
	}
	if id == "" {
		t.Fatalf("the other process booted nothing: %v", cmd.Wait())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed, as we know
	if len(leftovers(t, id)) < 10 {
		t.Errorf("the test of leftovers sees only %q of a running fleet", leftovers(t, id))
	}
	// Tests beside this one may sweep it first; either way it is gone afterwards.
	if err := l.Sweep(t.Context(), t.Logf); err != nil {
		t.Fatal(err)
	}
	if left := leftovers(t, id); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
