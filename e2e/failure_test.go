//go:build e2e

package e2e

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// atOnce bounds a run that has nothing to wait for, on a busy machine.
const atOnce = 10 * time.Second

// failure is one way in which a run goes wrong, and what a user must be told.
type failure struct {
	name string
	host string // whose failure is shown; "" for the run's own
	code int
	// cause and hint are words of what is said. A finding's cause is its ID.
	cause, hint string
	limit       time.Duration
}

// failures collects rows of the printed table.
type failures struct {
	l    *lab
	rows [][]string
}

// check runs gpuboot and compares what it says.
func (f *failures) check(t *testing.T, want failure, args ...string) {
	t.Helper()
	r := f.l.run(args...)
	cause, hint := r.said(want.host)
	f.rows = append(f.rows, []string{want.name, fmt.Sprint(r.Code), fmt.Sprintf("%.1f s", r.Elapsed.Seconds()), cause, hint})
	if r.Code != want.code {
		t.Errorf("%s: exit code %d, want %d\n%s%s", want.name, r.Code, want.code, r.failures(), r.Stderr)
	}
	if !strings.Contains(cause, want.cause) {
		t.Errorf("%s: the cause is %q, want %q in it", want.name, cause, want.cause)
	}
	if !strings.Contains(hint, want.hint) || want.hint == "" && hint != "" {
		t.Errorf("%s: the hint is %q, want %q in it", want.name, hint, want.hint)
	}
	if want.limit == 0 {
		want.limit = atOnce
	}
	if r.Elapsed > want.limit {
		t.Errorf("%s: took %s, at most %s is right", want.name, r.Elapsed, want.limit)
	}
}

// said is the cause and hint that a run gives for a host: a failed step, else
// the worst finding, as "[id] summary".
func (r result) said(host string) (cause, hint string) {
	for _, e := range r.Events {
		switch {
		case e.Host != host && host != "":
		case e.Error != nil && (e.Host == host):
			return e.Error.Cause, e.Error.Hint
		case e.Kind == engine.KindFinding && e.Level == "block" && cause == "":
			cause, hint = "["+e.ID+"] "+e.Message+": "+e.Evidence, e.Fix
		}
	}
	return cause, hint
}

// print shows the table; long causes are cut.
func (f *failures) print(t *testing.T) {
	t.Helper()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FAILURE\tEXIT\tAFTER\tCAUSE | HINT")
	for _, row := range f.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n\t\t\t| %s\n", row[0], row[1], row[2], row[3], row[4])
	}
	_ = w.Flush() // a strings.Builder takes everything
	t.Logf("FAILURES\n%s", b.String())
}

// failing writes an inventory with the server s1 and one worker.
func (l *lab) failing(worker string) {
	l.write("pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry("s1") + "  - name: work\n    role: worker\n    hosts:\n" + worker)
}

// TestRefusedLogins has the failures that a host, or the lack of a secret,
// answers at once. Nothing may wait for a person.
func TestRefusedLogins(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"},
		hosts.Spec{Name: "asks", User: "admin", Sudo: hosts.SudoPassword, Password: sudoPassword},
		hosts.Spec{Name: "denied", User: "ubuntu", Sudo: hosts.SudoDenied})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureSpec)
	f := &failures{l: l}
	key := l.host("w1").KeyFile
	with := func(name, old, changed string, more ...string) string {
		return strings.Replace(l.entry(name, more...), old, changed, 1)
	}
	for _, c := range []struct {
		failure
		worker string
		flags  []string
	}{
		{failure{name: "wrong key", host: "w1", code: 3, cause: "login refused", hint: "compare with: ssh -v"}, with("w1", key, strangerKey(t)), nil},
		{failure{name: "key file missing", host: "w1", code: 3, cause: "nowhere (left out: open", hint: "compare with: ssh -v"}, with("w1", key, l.dir+"/nowhere"), nil},
		{failure{name: "encrypted key, no terminal", host: "w1", code: 3, cause: "the passphrase of ", hint: "ssh-add "}, with("w1", key, encryptedKey(t, key)), nil},
		{failure{name: "password variable not set", host: "w1", code: 3, cause: "E2E_NOTHING", hint: ""}, with("w1", "identityFile: "+key, "password: {env: E2E_NOTHING}"), nil},
		{failure{name: "nothing listens on the port", host: "w1", code: 3, cause: "connection refused", hint: "check the port and that sshd runs"}, l.entry("w1", "port: 2"), nil},
		{failure{name: "another host key is pinned", host: "w1", code: 3, cause: "host key changed", hint: "hostKey of the inventory"}, l.entry("w1", fmt.Sprintf("hostKey: %q", l.host("s1").HostKey)), nil},
		{failure{name: "wrong sudo password", host: "asks", code: 3, cause: "the sudo password is wrong", hint: "check sudoPassword"}, l.entry("asks", "sudoPassword: {command: echo not-this}"), nil},
		{failure{name: "no sudo password", host: "asks", code: 3, cause: "sudo -n refused", hint: "set sudoPassword"}, l.entry("asks"), nil},
		{failure{name: "--ask-sudo-password, no terminal", host: "asks", code: 3, cause: "the sudo password is needed, and there is no terminal to ask", hint: "sudoPassword: {env: NAME}"}, l.entry("asks"), []string{"--ask-sudo-password"}},
		{failure{name: "sudo denied", host: "denied", code: 3, cause: "no root rights", hint: "sudo"}, l.entry("denied"), nil},
	} {
		l.failing(c.worker)
		f.check(t, c.failure, append([]string{"preflight", "--limit", c.host}, c.flags...)...)
	}
	l.changedKey(t, f)
	f.print(t)
	// Nothing of this stands in the way of the right inventory.
	l.failing(l.entry("w1") + l.entry("asks", "sudoPassword: {env: E2E_SUDO}"))
	l.ok("preflight")
}

// changedKey installs w1 anew, as far as its key tells, and brings it back.
func (l *lab) changedKey(t *testing.T, f *failures) {
	t.Helper()
	l.failing(l.entry("w1"))
	cmd := l.command(t.Context(), "exec", "--limit", "w1", "--", "true") // the key is recorded
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	l.on("w1", `cd /etc/ssh; mkdir /root/old; cp -p ssh_host_ed25519_key* /root/old; rm ssh_host_ed25519_key*
ssh-keygen -q -t ed25519 -N '' -f ssh_host_ed25519_key; systemctl restart ssh`)
	changed := failure{name: "host key changed", host: "w1", code: 3, cause: "host key changed", hint: "ssh-keygen -f inventory.yaml.known_hosts -R "}
	f.check(t, changed, "preflight", "--limit", "w1")
	changed.name = "host key changed, plan"
	f.check(t, changed, "plan")
	l.on("w1", "cp -p /root/old/* /etc/ssh; systemctl restart ssh; ! ls -d /etc/rancher /var/lib/gpuboot")
}

// encryptedKey is a copy of a key that needs a passphrase.
func encryptedKey(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParseRawPrivateKey(data)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte("open sesame"))
	if err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.WriteFile(locked, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	return locked
}
