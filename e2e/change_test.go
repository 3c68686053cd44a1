//go:build e2e

package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// checkChanges changes a label and a taint, then a k3s option of one host.
func (l *lab) checkChanges(t *testing.T) {
	before := map[string]string{}
	for _, h := range []string{"s1", "w1", "w2"} {
		before[h] = l.running(h)
	}
	l.write(strings.Replace(l.pools("tier: silver", "", "w1", "w2"), "    labels: {tier: silver}\n", "    labels: {tier: silver}\n    taints: [\"dedicated=ml:NoSchedule\"]\n", 1))
	r := l.ok("up")
	for _, c := range r.changes() {
		if !strings.Contains(c, "set node w") {
			t.Errorf("a label and a taint also cause %s", c)
		}
	}
	if got := l.kubectl("s1", `get node w1 -o jsonpath='{.metadata.labels.tier} {.spec.taints}'`); !strings.HasPrefix(got, "silver ") || !strings.Contains(got, `"dedicated"`) {
		t.Errorf("node w1 has %s", got)
	}
	l.write(l.pools("tier: gold", "k3sConfig: {kubelet-arg: [max-pods=42]}", "w1", "w2"))
	l.ok("up")
	for h, was := range before {
		if now := l.running(h); (now != was) != (h == "w1") {
			t.Errorf("%s: restarted: %v (only w1's option changed)", h, now != was)
		}
	}
	if got := l.kubectl("s1", `get node w1 -o jsonpath='{.status.capacity.pods} {.metadata.labels.tier} {.spec.taints}'`); !strings.HasPrefix(got, "42 gold") || strings.Contains(got, "dedicated") {
		t.Errorf("node w1 has %s", got)
	}
}

// checkGrowth adds a worker, kills gpuboot in the middle, and runs it again.
func (l *lab) checkGrowth(t *testing.T) {
	l.write(l.pools("tier: gold", "k3sConfig: {kubelet-arg: [max-pods=42]}", "w1", "w2", "w3"))
	for _, at := range []string{bootstrap.StageInstall, bootstrap.StageJoin} {
		l.killAt(t, "w3", at)
	}
	l.ok("up")
	if out := l.kubectl("s1", "get node w3 -o jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}'"); out != "True" {
		t.Errorf("node w3: Ready is %s", out)
	}
	if c := l.ok("up").changes(); len(c) > 0 {
		t.Errorf("after the growth still %v", c)
	}
}

// killAt kills gpuboot with SIGKILL when a step of a host begins.
func (l *lab) killAt(t *testing.T, host, step string) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := l.command(ctx, "up", "--output", "json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reached := watchFor(out, func(e engine.Event) bool {
		return e.Kind == engine.KindStepStarted && e.Host == host && e.Step == step
	})
	cancel() // CommandContext kills
	_ = cmd.Wait()
	if !reached {
		t.Fatalf("gpuboot never began %q on %s", step, host)
	}
}
