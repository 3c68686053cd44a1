//go:build e2e

package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// TestThreeServers brings up a highly available control plane and takes one
// server's power away: the API and the pods go on.
func TestThreeServers(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "a"}, hosts.Spec{Name: "b"}, hosts.Spec{Name: "c"}, hosts.Spec{Name: "w"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeaturePower)
	l.write("pools:\n  - name: control\n    role: server\n    hosts:\n" + l.entry("a") + l.entry("b") + l.entry("c") +
		"  - name: work\n    role: worker\n    hosts:\n" + l.entry("w"))
	r := l.ok("up")
	t.Logf("FRESH up of 3 servers and 1 worker: %.1f s", r.Elapsed.Seconds())
	voters := l.kubectl("a", `get nodes -o jsonpath='{range .items[*]}{.status.conditions[?(@.type=="EtcdIsVoter")].status} {end}'`)
	if strings.Count(voters, "True") != 3 {
		t.Errorf("voters: %s", voters)
	}
	if c := l.ok("up").changes(); len(c) > 0 {
		t.Errorf("a second up changes %v", c)
	}
	if err := l.host("a").PowerOff(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.eventually("the API to answer without server a", 90*time.Second, func() bool {
		out, err := l.host("b").Exec(t.Context(), "k3s kubectl get nodes -o name")
		return err == nil && strings.Count(out, "node/") == 4
	})
	down := l.run("up")
	if down.Code != 3 || !strings.Contains(down.failures(), "a: connect") {
		t.Errorf("up with a dead server: exit code %d, want 3\n%s", down.Code, down.failures())
	}
	if c := down.changes(); len(c) > 0 {
		t.Errorf("up with a dead server changes %v", c)
	}
}

// eventually waits for something that has no event to wait for.
func (l *lab) eventually(what string, limit time.Duration, met func() bool) {
	l.t.Helper()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	end := time.After(limit)
	for !met() {
		select {
		case <-tick.C:
		case <-end:
			l.t.Fatalf("waited %s for %s", limit, what)
		}
	}
}
