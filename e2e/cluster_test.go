//go:build e2e

// Package e2e runs gpuboot against real hosts: systemd, sshd, Kubernetes,
// containerd and pods. Scenarios are in the order a user would meet them.
package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// sudoPassword has what shells and sudo's prompt trip over.
const sudoPassword = `pa'ss "w$ö rd`

// TestCluster is the life of a cluster of one server and two workers, later
// three: fresh, again, changed, grown after a kill, and gone. The hosts differ
// in how their login becomes root.
func TestCluster(t *testing.T) {
	l := newLab(t,
		hosts.Spec{Name: "s1"},
		hosts.Spec{Name: "w1", User: "ubuntu", Sudo: hosts.SudoNoPassword},
		hosts.Spec{Name: "w2", User: "admin", Sudo: hosts.SudoPassword, Password: sudoPassword},
		hosts.Spec{Name: "w3"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureSpec)
	before := l.snapshots()
	l.write(l.pools("tier: gold", "", "w1", "w2"))

	fresh := l.ok("up")
	reportFresh(t, fresh)
	pods := l.echo("s1", 3)
	l.checkTraffic("s1", pods)
	checkLogins(t, l, 1)

	t.Run("again", func(t *testing.T) { l.checkNoop(t) })
	t.Run("changed", func(t *testing.T) { l.checkChanges(t) })
	t.Run("killed half-way, then grown", func(t *testing.T) { l.checkGrowth(t) })
	t.Run("secrets", func(t *testing.T) { l.checkSecrets(t) })
	t.Run("kubeconfig", func(t *testing.T) { l.checkKubeconfig(t) })
	t.Run("down", func(t *testing.T) { l.checkDown(t, before) })
}

// pools is the inventory's part about hosts: s1 is the server, labels and the
// kubelet's option are as given.
func (l *lab) pools(labels, w1Option string, workers ...string) string {
	var b strings.Builder
	b.WriteString("pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("s1"))
	fmt.Fprintf(&b, "  - name: gpu\n    role: worker\n    labels: {%s}\n    hosts:\n", labels)
	for _, w := range workers {
		var more []string
		if w == "w2" {
			more = append(more, "sudoPassword: {env: E2E_SUDO}")
		}
		if w == "w1" && w1Option != "" {
			more = append(more, w1Option)
		}
		if w == "w1" {
			b.WriteString(l.alias(w, more...))
		} else {
			b.WriteString(l.entry(w, more...))
		}
	}
	return b.String()
}

// alias is the line of a host that only the user's ssh_config knows how to
// reach.
func (l *lab) alias(name string, more ...string) string {
	l.t.Helper()
	h := l.host(name)
	dir := filepath.Join(l.dir, ".ssh")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		l.t.Fatal(err)
	}
	text := fmt.Sprintf("Host rented-*\n  User %s\nHost rented-%s\n  HostName %s\n  IdentityFile %s\n", h.User, name, h.Address, h.KeyFile)
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
	return "      - {" + strings.Join(append([]string{"name: " + name, "address: rented-" + name}, more...), ", ") + "}\n"
}

// reportFresh prints a fresh run's time against its critical path: what cannot
// be done at the same time, however good the order.
func reportFresh(t *testing.T, r result) {
	t.Helper()
	var stage, join time.Duration
	for _, h := range []string{"s1", "w1", "w2"} {
		stage = max(stage, r.took(h, bootstrap.StageConnect)+r.took(h, bootstrap.StageProbe)+r.took(h, bootstrap.StageInstall))
		join = max(join, r.took(h, bootstrap.StageJoin)+r.took(h, bootstrap.StageLabels)+r.took(h, bootstrap.StageCheck))
	}
	proof := r.proof()
	stage += proof // the hosts try each other, all at once: part of every host's own stage
	api := r.took("s1", bootstrap.StageStart)
	critical := stage + api + join
	ratio := float64(r.Elapsed) / float64(critical)
	t.Logf("FRESH up: %.1f s; critical path %.1f s (longest stage %.1f, %.1f of it proving addresses, + API start %.1f + longest join %.1f); ratio %.2f",
		r.Elapsed.Seconds(), critical.Seconds(), stage.Seconds(), proof.Seconds(), api.Seconds(), join.Seconds(), ratio)
	if ratio > 1.1 {
		t.Errorf("a fresh up took %.2f × its critical path, at most 1.1 × is allowed", ratio)
	}
}

// proof is how long the hosts tried each other: from the note that says so to
// the next event.
func (r result) proof() time.Duration {
	for i, e := range r.Events {
		if e.Kind == engine.KindNote && strings.Contains(e.Message, "try each other") && i+1 < len(r.Events) {
			return r.Events[i+1].Time.Sub(e.Time)
		}
	}
	return 0
}
