//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// TestJoiningAnExistingCluster joins a worker to a cluster that this inventory
// did not make, and takes it away again: the server is never logged in to.
func TestJoiningAnExistingCluster(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec)
	l.write("pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("s1"))
	l.ok("up")
	config, err := l.command(t.Context(), "kubeconfig", "--file", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"their.kubeconfig": string(config), "their.token": l.on("s1", "cat /var/lib/rancher/k3s/server/agent-token")} {
		if err := os.WriteFile(filepath.Join(l.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before, pid := l.now("s1"), l.running("s1")
	l.write(fmt.Sprintf("existing: {server: 'https://%s:6443', token: {file: their.token}, kubeconfig: their.kubeconfig}\n", l.host("s1").Address) +
		"pools:\n  - name: work\n    role: worker\n    labels: {tier: rented}\n    hosts:\n" + l.entry("w1"))
	l.ok("up")
	if out := l.kubectl("s1", "get nodes -o name"); !strings.Contains(out, "node/w1") {
		t.Errorf("nodes: %s", out)
	}
	l.checkTraffic("s1", l.echo("s1", 2))
	if c := l.ok("up").changes(); len(c) > 0 {
		t.Errorf("a second up changes %v", c)
	}
	l.ok("down", "--yes")
	if out := strings.TrimSpace(l.kubectl("s1", "get nodes -o name")); out != "node/s1" {
		t.Errorf("after down: %s", out)
	}
	if logins, _ := l.sessions("s1", before); logins != 0 || l.running("s1") != pid {
		t.Errorf("the existing server was touched: %d logins", logins)
	}
}
