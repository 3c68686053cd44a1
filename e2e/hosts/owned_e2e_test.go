//go:build e2e

package hosts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestOwnedUsesTheMachinesOfAnInventory gives Owned a host of Local, which it does not know from any other machine.
func TestOwnedUsesTheMachinesOfAnInventory(t *testing.T) {
	t.Parallel()
	host := up(t, Spec{Name: "a", User: "ubuntu"}).Hosts[0]
	file := filepath.Join(t.TempDir(), "gpuboot.yaml")
	text := fmt.Sprintf("name: owned\nhosts:\n- {name: x, address: %s, user: ubuntu, identityFile: %s, hostKey: %q, role: both}\n",
		host.Address, host.KeyFile, host.HostKey)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Owned{Inventory: file}.Up(t.Context(), t.Logf, []Spec{{Name: "first"}})
	if err != nil {
		t.Fatal(err)
	}
	h, ok := f.Host("first")
	if !ok || h.User != "ubuntu" || h.Fingerprint() != host.Fingerprint() {
		t.Fatalf("got %+v", h)
	}
	if got := inside(t, h, "id -un; hostname; echo 'it''s'"); got != "root\na\nits" {
		t.Errorf("got %q", got)
	}
	if _, err := h.Snapshot(); !errors.Is(err, ErrUnsupported) || f.Supports(FeatureFiles) || !errors.Is(h.Kill(t.Context()), ErrUnsupported) {
		t.Errorf("a machine of someone's own must not offer what only hosts of this package can: %v", err)
	}
	if err := f.Close(t.Context()); err != nil || !host.Up() {
		t.Errorf("Close ended a machine that is not ours: %v", err)
	}
	for _, specs := range [][]Spec{{{Name: "a"}, {Name: "b"}}, {{Name: "a", NICs: []NIC{{Name: "eth1", Network: "n"}}}}} {
		if _, err := (Owned{Inventory: file}).Up(t.Context(), t.Logf, specs); !errors.Is(err, ErrUnsupported) {
			t.Errorf("specs %+v: got %v", specs, err)
		}
	}
}
