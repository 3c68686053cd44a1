//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// TestLeavingAndComingBack takes a worker out of a cluster that stays, and
// brings it back under its old name: its old node, and the node's password,
// must not be in the way.
func TestLeavingAndComingBack(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec)
	l.write("pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("s1") + "  - name: work\n    role: worker\n    hosts:\n" + l.entry("w1"))
	l.ok("up")
	l.ok("down", "--limit", "w1", "--yes")
	if out := l.kubectl("s1", "get nodes -o name"); strings.TrimSpace(out) != "node/s1" {
		t.Errorf("after w1 left: %s", out)
	}
	l.on("w1", "rm -rf /etc/rancher; ! systemctl cat k3s-agent.service")
	l.ok("up")
	pods := l.echo("s1", 2)
	l.checkTraffic("s1", pods)
	if c := l.ok("up").changes(); len(c) > 0 {
		t.Errorf("after w1 came back still %v", c)
	}
}
