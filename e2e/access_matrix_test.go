//go:build e2e

package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// accesses are the ways to log in, sudoModes those to become root: one host for
// each.
var (
	accesses  = []string{"key", "agent", "password"}
	sudoModes = []string{"root", "nopasswd", "asks", "requiretty"}
)

// matrixSpecs has a host for each way to become root, and a jump host. The inner
// network is out of the test's reach: what answers there was reached through
// another host.
func matrixSpecs() []hosts.Spec {
	inner := []hosts.NIC{{Name: "eth1", Network: "inner"}}
	passwords := []hosts.File{{Path: "/etc/ssh/sshd_config.d/10-password.conf", Content: []byte("PermitRootLogin yes\nPasswordAuthentication yes\n")}}
	return []hosts.Spec{
		{Name: "jump", Password: sudoPassword, NICs: inner, Files: passwords},
		{Name: "root", Password: sudoPassword, NICs: inner, Files: passwords},
		{Name: "nopasswd", User: "ubuntu", Password: sudoPassword, NICs: inner},
		{Name: "asks", User: "admin", Sudo: hosts.SudoPassword, Password: sudoPassword, NICs: inner},
		{Name: "requiretty", User: "ubuntu", Sudo: hosts.SudoTTY, Password: sudoPassword, NICs: inner},
	}
}

// TestAccessMatrix looks at real hosts in each combination of login, way to root
// and path, and prints the table.
func TestAccessMatrix(t *testing.T) {
	l := newLab(t, matrixSpecs()...)
	l.need(hosts.FeatureFresh, hosts.FeatureSpec)
	socket := serveAgent(t, l.host("root").KeyFile)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ACCESS\tPATH\t"+strings.ToUpper(strings.Join(sudoModes, "\t")))
	for _, access := range accesses {
		for _, jumped := range []bool{false, true} {
			row := l.matrixRow(t, access, jumped, socket)
			fmt.Fprintf(w, "%s\t%s\t%s\n", access, map[bool]string{false: "direct", true: "jumped"}[jumped], strings.Join(row, "\t"))
		}
	}
	_ = w.Flush() // a strings.Builder takes everything
	t.Logf("ACCESS\n%s", table.String())
}

// matrixRow gives "ok" or what failed for each way to root.
func (l *lab) matrixRow(t *testing.T, access string, jumped bool, socket string) []string {
	t.Helper()
	l.write(l.matrixPools(access, jumped))
	l.env = nil
	if access == "agent" {
		l.env = []string{"SSH_AUTH_SOCK=" + socket}
	}
	r := l.run("preflight")
	var row []string
	for _, mode := range sudoModes {
		cell := "no facts"
		for _, e := range r.Events {
			switch {
			case e.Host != mode:
			case e.Kind == engine.KindHostFacts:
				cell = "ok"
			case e.Error != nil:
				cell = e.Error.Cause
			}
		}
		if cell != "ok" {
			t.Errorf("%s, %s, jumped %v: %s", access, mode, jumped, cell)
		}
		row = append(row, cell)
	}
	if r.Code != 0 {
		t.Errorf("%s, jumped %v: exit code %d\n%s\n%s", access, jumped, r.Code, r.failures(), r.Stderr)
	}
	return row
}

// matrixPools are the hosts, behind the jump host or not, with only what one
// kind of access needs. No known_hosts and no agent beyond that is there.
func (l *lab) matrixPools(access string, jumped bool) string {
	var b strings.Builder
	b.WriteString("pools:\n  - name: control\n    role: both\n    hosts:\n")
	for _, name := range append([]string{"jump"}, sudoModes...) {
		if name == sudoModes[0] {
			b.WriteString("  - name: work\n    role: worker\n    hosts:\n")
		}
		h := l.host(name)
		fields := []string{"name: " + name, "user: " + h.User, fmt.Sprintf("hostKey: %q", h.HostKey)}
		switch access {
		case "key":
			fields = append(fields, "identityFile: "+h.KeyFile)
		case "password":
			fields = append(fields, "password: {env: E2E_SUDO}")
		}
		if name == "asks" {
			fields = append(fields, "sudoPassword: {env: E2E_SUDO}")
		}
		address := h.Address
		if jumped && name != "jump" {
			address = h.AddressOn("inner")
			fields = append(fields, "jumpHosts: [root@"+l.host("jump").Address+"]")
		}
		b.WriteString("      - {" + strings.Join(append(fields, "address: "+address), ", ") + "}\n")
	}
	return b.String()
}

// serveAgent is an ssh-agent that holds one key.
func serveAgent(t *testing.T, keyFile string) string {
	t.Helper()
	data, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParseRawPrivateKey(data)
	if err != nil {
		t.Fatal(err)
	}
	ring := agent.NewKeyring()
	if err := ring.Add(agent.AddedKey{PrivateKey: key, Comment: "fleet"}); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "agent")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_ = agent.ServeAgent(ring, conn) // ends with the client
			}()
		}
	}()
	return socket
}
