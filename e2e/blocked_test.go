//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// slowClock is a date(1) whose host is 40 s behind. The hosts share this
// machine's clock, so the probe is lied to instead.
const slowClock = `#!/bin/sh
case "$1" in
+*) exec /usr/bin/date -d '-40 seconds' "$@" ;;
*) exec /usr/bin/date "$@" ;;
esac
`

// TestBlockedBeforeAnythingIsWritten has states of hosts under which `up` must
// not begin: exit code 6, and not a file more on the host than before.
func TestBlockedBeforeAnythingIsWritten(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureFiles)
	f := &failures{l: l}
	for _, c := range []struct {
		failure
		make, undo string // scripts on the host
	}{
		{failure{name: "port 6443 taken", host: "s1", code: 6, cause: "[port-in-use] port 6443/tcp", hint: "stop what holds the port"},
			"systemd-run --quiet --unit foreign systemd-socket-activate --listen 6443 cat", "systemctl stop foreign"},
		{failure{name: "disk full: /usr/local/bin", host: "w1", code: 6, cause: "[disk-space] /usr/local/bin has no room", hint: "free space on /usr/local/bin"},
			"mount -t tmpfs -o size=1m full /usr/local/bin", "umount /usr/local/bin"},
		{failure{name: "disk full: k3s's data", host: "w1", code: 6, cause: "[disk-space] the disk of k3s's data is full", hint: "data-dir: "},
			"mkdir -p /var/lib/rancher/k3s; mount -t tmpfs -o size=100m full /var/lib/rancher/k3s", "umount /var/lib/rancher/k3s"},
		{failure{name: "clock 40 s behind (date(1) replaced)", host: "w1", code: 6, cause: "[clock-skew]", hint: "timedatectl set-ntp true"},
			"cat >/usr/local/bin/date <<'END'\n" + slowClock + "END\nchmod 755 /usr/local/bin/date", "rm /usr/local/bin/date"},
	} {
		l.failing(l.entry("w1"))
		l.on(c.host, c.make)
		l.refuses(t, f, c.failure)
		l.on(c.host, c.undo)
	}
	l.oldCgroups(t, f)
	f.print(t)
	l.failing(l.entry("w1"))
	l.ok("preflight")
}

// refuses runs up, which must not write.
func (l *lab) refuses(t *testing.T, f *failures, want failure) {
	t.Helper()
	before := l.snapshots()
	f.check(t, want, "up")
	for name, after := range l.snapshots() {
		for _, c := range ours(before[name].Diff(after, hosts.Noise()...)) {
			t.Errorf("%s: %s: up was refused and wrote %s", want.name, name, c)
		}
	}
}

// oldCgroups asks for a k3s whose kubelet refuses cgroup v1, where the hosts
// have that.
func (l *lab) oldCgroups(t *testing.T, f *failures) {
	t.Helper()
	if out := l.on("s1", "stat -f -c %T /sys/fs/cgroup"); strings.TrimSpace(out) == "cgroup2fs" {
		t.Log("SKIPPED: cgroup v1 with k3s >= 1.35: these hosts have cgroup v2")
		return
	}
	l.failing(l.entry("w1"))
	data, err := os.ReadFile(l.inventory)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "version: "+l.version, "version: v1.36.2+k3s1", 1)
	if err := os.WriteFile(l.inventory, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l.refuses(t, f, failure{name: "cgroup v1, k3s 1.36", host: "w1", code: 6, cause: "[cgroup-v1]", hint: "systemd.unified_cgroup_hierarchy=1"})
	if _, err := os.Stat(l.inventory + ".lock"); err == nil {
		t.Error("cgroup v1: a digest was locked for a k3s that is refused")
	}
}
