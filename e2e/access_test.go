//go:build e2e

package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// dialDeadline is remote's bound for one connection, with room for the probe.
const dialDeadline = 25 * time.Second

// TestUnreachableHosts has one good host, one that is off, and one that refuses
// the key: exit code 3, soon, with the good host's results.
func TestUnreachableHosts(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "off"}, hosts.Spec{Name: "refuses"})
	l.need(hosts.FeatureFresh, hosts.FeaturePower)
	if err := l.host("off").PowerOff(t.Context()); err != nil {
		t.Fatal(err)
	}
	stranger := strangerKey(t)
	refuses := strings.Replace(l.entry("refuses"), l.host("refuses").KeyFile, stranger, 1)
	l.write("pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("s1") + "  - name: work\n    role: worker\n    hosts:\n" + l.entry("off") + refuses)

	r := l.run("preflight")
	if r.Code != 3 {
		t.Errorf("exit code %d, want 3", r.Code)
	}
	if r.Elapsed > dialDeadline {
		t.Errorf("took %s, the dial deadline is %s", r.Elapsed, dialDeadline)
	}
	good := false
	for _, e := range r.Events {
		good = good || e.Kind == engine.KindHostFacts && e.Host == "s1"
	}
	if !good {
		t.Error("the good host's facts were not reported")
	}
	for _, want := range []string{"off: ", "refuses: "} {
		if !strings.Contains(r.Stderr+r.failures(), want) {
			t.Errorf("nothing is said about %q:\n%s\n%s", want, r.Stderr, r.failures())
		}
	}
	t.Logf("UNREACHABLE: exit code %d after %.1f s\n%s", r.Code, r.Elapsed.Seconds(), r.failures())
}

// TestBadInventory contacts nothing: the address in it would hang.
func TestBadInventory(t *testing.T) {
	l := &lab{t: t, dir: t.TempDir(), bin: required(t, envBinary)}
	text := "name: Bad_Name\npools:\n  - name: control\n    rule: server\n    hosts: [{name: s1, adr: 192.0.2.1}]\n"
	if err := os.WriteFile(filepath.Join(l.dir, "inventory.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := l.command(t.Context(), "up")
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	for _, want := range []string{"inventory.yaml:1:7", "inventory.yaml:4:5", "inventory.yaml:5:24"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no problem at %s in\n%s", want, out)
		}
	}
}

// strangerKey makes a key that no host knows.
func strangerKey(t *testing.T) string {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "stranger")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "stranger")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
