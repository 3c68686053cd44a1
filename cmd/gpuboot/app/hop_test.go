package app_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// TestAJumpHostOfTheInventoryHasItsOwnPassword goes through a host that takes
// another password than the one behind it; a jump host that the inventory does
// not know is not told any.
func TestAJumpHostOfTheInventoryHasItsOwnPassword(t *testing.T) {
	t.Parallel()
	jump, inner := remotetest.New(t, remotetest.Password("of the jump host")), remotetest.New(t, remotetest.Password("of the inner host"))
	stranger := remotetest.New(t, remotetest.Password("of the inner host"))
	inner.On("id").Reply("in\n")
	d := newDesk(t)
	d.env.Getenv = func(string) string { return "" }
	dir := t.TempDir()
	line := func(name string, h *remotetest.Host, role, password, more string) string {
		file := dir + "/" + name
		if err := os.WriteFile(file, []byte(password), 0o600); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("  - {name: %s, role: %s, address: 127.0.0.1, port: %d, user: root, identityFile: /dev/null, hostKey: %q, password: {file: %s}%s}\n",
			name, role, h.Target().Port, strings.TrimSpace(h.HostKey()), file, more)
	}
	text := "name: lab\nhosts:\n" + line("jump", jump, "both", "of the jump host", "") +
		line("inner", inner, "worker", "of the inner host", fmt.Sprintf(", jumpHosts: [%q]", jump.Addr())) +
		line("lost", inner, "worker", "of the inner host", fmt.Sprintf(", jumpHosts: [%q]", stranger.Addr()))
	text = strings.Replace(text, fmt.Sprintf("name: lost, role: worker, address: 127.0.0.1, port: %d", inner.Target().Port), "name: lost, role: worker, address: 127.0.0.2, port: 22", 1)
	if err := os.WriteFile(d.inventory, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := d.run(t, "exec", d.inventory, "--limit", "inner", "--", "id"); code != 0 || d.out.String() != "inner| in\n" {
		t.Errorf("exit code %d, %q\n%s", code, d.out.String(), d.err.String())
	}
	if code := d.run(t, "exec", d.inventory, "--limit", "lost", "--", "id"); code != 3 || stranger.Counters().Passwords != 0 {
		t.Errorf("exit code %d, and the stranger was told %d passwords\n%s", code, stranger.Counters().Passwords, d.err.String())
	}
}
