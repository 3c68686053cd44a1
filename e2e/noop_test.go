//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

func (l *lab) snapshots() map[string]hosts.Snapshot {
	l.t.Helper()
	out := map[string]hosts.Snapshot{}
	if !l.fleet.Supports(hosts.FeatureFiles) {
		return out
	}
	for _, h := range l.fleet.Hosts {
		s, err := h.Snapshot()
		if err != nil {
			l.t.Fatal(err)
		}
		out[h.Name] = s
	}
	return out
}

// sessions counts logins and what sshd ran for them since the mark.
func (l *lab) sessions(host, since string) (logins, commands int) {
	l.t.Helper()
	log := l.on(host, "journalctl --no-pager -o cat -u ssh --since '"+since+"'")
	return strings.Count(log, "Accepted publickey"), strings.Count(log, "Starting session:")
}

func (l *lab) now(host string) string { return strings.TrimSpace(l.on(host, "date '+%F %T.%6N'")) }

// checkLogins wants one SSH connection per host since it booted.
func checkLogins(t *testing.T, l *lab, want int) {
	t.Helper()
	for _, h := range []string{"s1", "w1", "w2"} {
		if logins, commands := l.sessions(h, "-1h"); logins != want {
			t.Errorf("%s: %d SSH connections (%d sessions), want %d", h, logins, commands, want)
		}
	}
}

// running identifies a host's k3s process.
func (l *lab) running(host string) string {
	return l.on(host, "systemctl show -p MainPID,ActiveEnterTimestampMonotonic 'k3s*.service'")
}

func (l *lab) checkNoop(t *testing.T) {
	names := []string{"s1", "w1", "w2"}
	since, pids := map[string]string{}, map[string]string{}
	for _, h := range names {
		since[h], pids[h] = l.now(h), l.running(h)
	}
	before := l.snapshots()
	r := l.ok("up")
	if c := r.changes(); len(c) > 0 {
		t.Errorf("a second up changes %v", c)
	}
	after := l.snapshots()
	for _, h := range names {
		logins, commands := l.sessions(h, since[h])
		if logins != 1 || commands > 2 {
			t.Errorf("%s: %d connections and %d commands, want 1 and at most 2", h, logins, commands)
		}
		t.Logf("NO-OP %s: %d connection, %d commands", h, logins, commands)
		if now := l.running(h); now != pids[h] {
			t.Errorf("%s: k3s was restarted: %s -> %s", h, pids[h], now)
		}
		for _, c := range ours(before[h].Diff(after[h], hosts.Noise()...)) {
			t.Errorf("%s: a no-op wrote %s", h, c)
		}
	}
	t.Logf("NO-OP up: %.2f s", r.Elapsed.Seconds())
}

// ours keeps changes outside the folders that a running k3s writes to all the
// time.
func ours(changes []hosts.Change) []hosts.Change {
	return slices.DeleteFunc(changes, func(c hosts.Change) bool {
		for _, p := range []string{"/var/lib/rancher/k3s", "/var/lib/kubelet", "/var/lib/cni", "/var/log"} {
			if strings.HasPrefix(c.Path, p) {
				return true
			}
		}
		return false
	})
}
