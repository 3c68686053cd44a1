//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// Behind the jump host are 32 addresses, each a host of the inventory, on four
// machines: systemd takes eight of the 128 inotify instances that Linux gives
// root, so that a laptop boots no 32 of them.
const (
	innerMachines = 4
	addressesEach = 8
)

// TestManyHostsThroughOneJumpHost has a jump host whose sshd drops logins above
// ten at a time and refuses sessions above ten on a connection. What is behind it
// is on a network that the test does not reach.
func TestManyHostsThroughOneJumpHost(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: `make e2e-full` has it")
	}
	inner := []hosts.NIC{{Name: "eth1", Network: "inner"}}
	specs := []hosts.Spec{{Name: "jump", NICs: inner, Files: []hosts.File{
		{Path: "/etc/ssh/sshd_config.d/10-limits.conf", Content: []byte("MaxStartups 10:30:60\nMaxSessions 10\n")}}}}
	for i := range innerMachines {
		specs = append(specs, hosts.Spec{Name: fmt.Sprintf("m%d", i), NICs: inner})
	}
	l := newLab(t, specs...)
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureSpec)
	addresses := map[string]string{} // of the inventory's hosts
	pools := "pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("jump") + "  - name: work\n    role: worker\n    hosts:\n"
	for i := range innerMachines {
		m := l.host(fmt.Sprintf("m%d", i))
		network := m.AddressOn("inner")[:strings.LastIndexByte(m.AddressOn("inner"), '.')+1]
		for j := range addressesEach {
			name, address := fmt.Sprintf("h%d%d", i, j), fmt.Sprintf("%s%d", network, 100+10*i+j)
			l.on(m.Name, "ip addr add "+address+"/24 dev eth1")
			addresses[name] = address
			pools += fmt.Sprintf("      - {name: %s, address: %s, user: root, identityFile: %s, jumpHosts: [root@%s]}\n", name, address, m.KeyFile, l.host("jump").Address)
		}
	}
	l.write(pools)
	for range 3 {
		l.everybodyAnswers(t, addresses)
	}
}

// everybodyAnswers runs a command on all hosts behind the jump host, which says
// by which address it was reached.
func (l *lab) everybodyAnswers(t *testing.T, addresses map[string]string) {
	t.Helper()
	since := l.now("jump")
	r := l.run("exec", "--limit", "work", "--", "sh", "-c", `set -- $SSH_CONNECTION; printf %s "$3"`)
	if r.Code != 0 || r.Stderr != "" {
		t.Errorf("exit code %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	right := 0
	for line := range strings.Lines(r.Stdout) {
		var said struct{ Host, Stdout string }
		if err := json.Unmarshal([]byte(line), &said); err == nil && said.Stdout == addresses[said.Host] {
			right++
		}
	}
	logins, commands := l.sessions("jump", since)
	dropped := strings.Count(l.on("jump", "journalctl --no-pager -o cat -u ssh --since '"+since+"'"), "MaxStartups")
	if right != innerMachines*addressesEach || logins != 1 || commands != 0 || dropped != 0 {
		t.Errorf("%d of %d hosts answered; the jump host counts %d logins, want 1, %d commands, want 0, and %d words about MaxStartups",
			right, len(addresses), logins, commands, dropped)
	}
	t.Logf("JUMP: %d hosts answer in %.1f s through %d login and %d sessions of the jump host", right, r.Elapsed.Seconds(), logins, commands)
}
