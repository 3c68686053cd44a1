//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// TestWizard sits at a terminal, tmux, and types: addresses become an inventory,
// and that, opened again, becomes a cluster. In between the k3s of the tests is put
// into it, as the wizard has no field for that.
func TestWizard(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("SKIPPED: there is no tmux")
	}
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"})
	l.need(hosts.FeatureFresh)
	l.inventory = filepath.Join(l.dir, "inventory.yaml")
	s1, w1 := l.host("s1"), l.host("w1")

	s := l.screen()
	s.waits("or open", time.Minute)
	s.types("s1="+s1.Address, "Enter", "w1="+w1.Address, "BTab", s1.KeyFile, "BTab", s1.User, "C-n")
	s.waits("s1 .*answered", time.Minute)
	s.waits("w1 .*answered", time.Minute)
	s.presses("C-n", `\[3 look\]`, time.Minute)
	s.types("C-n")
	s.waits("servers of the control plane|findings forbid", time.Minute)
	if strings.Contains(s.text(), "findings forbid") {
		l.leaves(s) // the machine beneath is too old for the k3s that the wizard takes by itself
	} else {
		l.saves(s)
	}

	s = l.screen()
	s.waits("or open", time.Minute)
	s.types("Tab", "Tab", "inventory.yaml", "C-n")
	s.waits("w1 .*answered", time.Minute)
	s.presses("C-n", `\[3 look\]`, time.Minute)
	s.types("C-n")
	s.waits(`\[5 review\]`, time.Minute)
	s.waits("changes", time.Minute)
	s.types("a")
	s.waits("2 hosts: 2 done", 5*time.Minute)
	s.waits("left with 0", time.Minute)

	if r := l.ok("up"); len(r.changes()) > 0 {
		t.Errorf("up after the wizard changes %v", r.changes())
	}
	if nodes := l.on("s1", "k3s kubectl get nodes --no-headers"); strings.Count(nodes, " Ready ") != 2 {
		t.Errorf("nodes:\n%s", nodes)
	}
	t.Logf("WIZARD: two hosts to a cluster\n%s", s.text())
}

// leaves ends a wizard that must not go on. Nothing is written; the inventory is
// the one that a person would write then.
func (l *lab) leaves(s *screen) {
	l.t.Helper()
	s.types("C-c")
	s.waits("No inventory is written", time.Minute)
	s.types("y")
	s.waits("left with 0", time.Minute)
	if left, err := filepath.Glob(l.inventory + "*"); err != nil || len(left) > 0 {
		l.t.Errorf("a wizard that was left wrote %q (%v)", left, err)
	}
	l.write("pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("s1") + "  - name: work\n    role: worker\n    hosts:\n" + l.entry("w1"))
}

// saves ends the wizard with an inventory, and puts the k3s of the tests into it.
func (l *lab) saves(s *screen) {
	l.t.Helper()
	s.types("C-n")
	s.waits(`\[5 review\]`, time.Minute)
	s.types("s")
	s.waits("next: gpuboot up inventory.yaml", time.Minute)
	s.waits("left with 0", time.Minute)
	if left, err := filepath.Glob(l.inventory + ".*"); err != nil || len(left) > 0 {
		l.t.Errorf("a wizard that applies nothing also wrote %q (%v)", left, err)
	}
	l.ok("validate")
	text, err := os.ReadFile(l.inventory)
	if err != nil {
		l.t.Fatal(err)
	}
	text = append(text, fmt.Sprintf("\nk3s:\n  version: %s\n  source: %s\n", l.version, l.k3s)...)
	if err := os.WriteFile(l.inventory, text, 0o600); err != nil {
		l.t.Fatal(err)
	}
}
