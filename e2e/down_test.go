//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// checkDown takes everything down and compares the hosts' disks and network
// with what they were before.
func (l *lab) checkDown(t *testing.T, before map[string]hosts.Snapshot) {
	if r := l.run("down"); r.Code != 6 {
		t.Errorf("down without a terminal and --yes: exit code %d, want 6", r.Code)
	}
	l.ok("down", "--yes")
	after := l.snapshots()
	for name, was := range before {
		for _, c := range was.Diff(after[name], append(hosts.Noise(), notOurs()...)...) {
			t.Errorf("%s: down leaves %s", name, c)
		}
		if out := l.on(name, "ip -br link | grep -E 'cni0|flannel|veth.*@if' | grep -v eth0; iptables-save | grep -E 'KUBE-|CNI-|FLANNEL'; ps -e -o comm | grep -E 'k3s|containerd'; findmnt -rno TARGET | grep -E 'kubelet|/run/k3s'; true"); strings.TrimSpace(out) != "" {
			t.Errorf("%s: down leaves\n%s", name, out)
		}
		l.on(name, "ping -c 1 -W 2 "+l.host("s1").Address)
	}
	if c := l.ok("down", "--yes").changes(); len(c) > 0 {
		t.Errorf("a second down still wants %v", c)
	}
}

// notOurs are changes that are neither gpuboot's nor k3s's: folders of the image
// that the overlay copied up when something below them changed, what the test's
// own logins left, and what the image's unit writes before each start of k3s.
func notOurs() []string {
	return []string{
		"/etc/systemd", "/etc/systemd/system", "/etc/systemd/system/multi-user.target.wants", "/usr", "/usr/libexec", "/usr/local", "/usr/local/bin",
		"/root/.kube/", "/home/admin/.sudo_as_admin_successful", "/etc/ssh/", "/var/lib/rancher/k3s/agent/etc/containerd/",
	}
}
