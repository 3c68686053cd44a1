package sshconfig_test

import (
	"bytes"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote/sshconfig"
)

// scenarios are files and the names that are looked up in them. Every one
// is compared with what ssh itself makes of it.
var scenarios = []struct {
	name  string
	text  string
	alias []string
}{
	{"plain", `
Host gpu1
  HostName 203.0.113.7
  User ubuntu
  Port 2222
  IdentityFile ~/.ssh/id_gpu
  IdentitiesOnly yes
`, []string{"gpu1", "gpu2", "203.0.113.7"}},
	{"first value wins, identities collect", `
Host gpu*
  User first
  IdentityFile /k/one
Host gpu1
  User second
  IdentityFile /k/two
  IdentityFile /k/one
Host *
  User third
  Port 22022
  IdentityFile /k/three
  CertificateFile /k/cert
`, []string{"gpu1", "gpu2", "other"}},
	{"patterns", `
Host *.example.com !bad.example.com
  User a
Host ?pu1 10.0.0.?
  User b
Host a b "c d"
  Port 33
Host !x
  Port 44
`, []string{"x.example.com", "bad.example.com", "gpu1", "gppu1", "10.0.0.5", "10.0.0.55", "b", "x"}},
	{"syntax", "Host=gpu1\n\tHostName = \"host name.example\"\nUSER=ubuntu # a comment\n  # another\n\nport\t 2200\r\n" +
		"IdentityFile \"/k/with blank\"\nIdentityFile '/k/single'\nIdentityFile /k/back\\ slash\n", []string{"gpu1"}},
	{"tokens", `
Host *
  HostName %h.internal.example
  HostKeyAlias alias-x
  IdentityFile ~/.ssh/%h-%n-%r-%p-%u
  UserKnownHostsFile ~/.ssh/known_%n /k/known
  ProxyJump jump
`, []string{"gpu1"}},
	{"match", `
Match originalhost gpu1,gpu2 user root
  Port 1
Match host *.internal
  User inner
Match originalhost gpu3
  HostName gpu3.internal
Match host gpu3.internal
  Port 3
Match !host gpu3.internal originalhost gpu*
  HostKeyAlias not-three
Match user inner
  ConnectTimeout 7
Match all
  ConnectTimeout 1m30s
`, []string{"gpu1", "gpu3", "x.internal", "other"}},
	{"match final", `
Host gpu1
  HostName gpu1.example.net
Match final host *.example.net
  User late
  Port 5
Match final all
  ConnectTimeout 9
`, []string{"gpu1", "gpu2"}},
	{"exec behind a criterion that fails", `
Match originalhost none exec "exit 1"
  User x
Host *
  User y
`, []string{"gpu1"}},
	{"proxy", `
Host a
  ProxyJump user@b:2200,c
  ProxyCommand never %h
Host b
  ProxyJump none
Host *
  ProxyJump d
`, []string{"a", "b", "x"}},
	{"agent", `
Host a
  IdentityAgent none
Host b
  IdentityAgent ~/agent.sock
Host c
  IdentityAgent SSH_AUTH_SOCK
`, []string{"a", "b", "c"}},
	{"include", `
Host inner
  User from-main
Include {dir}/more*.conf
Host gpu1
  Include {dir}/only-gpu1
Port 99
Host *
  ConnectTimeout 3
`, []string{"gpu1", "gpu2", "inner", "included"}},
}

// includes are the files for {dir}.
var includes = map[string]string{
	"more1.conf": "Host included\n  User from-include\n  Port 7\n",
	"more2.conf": "IdentityFile /k/everywhere\n",
	"only-gpu1":  "User one\nHost gpu2\n  User never\n",
}

// write makes the files of a scenario.
func write(t testing.TB, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range includes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "config")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "{dir}", dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLikeSSH(t *testing.T) {
	t.Parallel()
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("SKIPPED: no ssh to compare with on this machine")
	}
	for _, tt := range scenarios {
		for _, alias := range tt.alias {
			t.Run(tt.name+"/"+alias, func(t *testing.T) {
				t.Parallel()
				path := write(t, tt.text)
				got, err := sshconfig.Resolve(alias, sshconfig.Options{UserFile: path, SystemFile: path + ".none"})
				if err != nil {
					t.Fatal(err)
				}
				compare(t, got, dump(t, ssh, path, alias))
			})
		}
	}
}

// dump is what ssh says about a host: keyword to values, in order.
func dump(t *testing.T, ssh, path, alias string) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), ssh, "-F", path, "-G", alias)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("ssh -G: %v: %s", err, stderr.String())
	}
	values := map[string][]string{}
	for line := range strings.Lines(stdout.String()) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		values[key] = append(values[key], value)
	}
	return values
}

func compare(t *testing.T, got sshconfig.Config, want map[string][]string) {
	t.Helper()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	one := func(key, def string) string {
		if v := want[key]; len(v) > 0 {
			return v[0]
		}
		return def
	}
	// ssh prints some names before it expands them.
	clean := strings.NewReplacer("~/", me.HomeDir+"/", "%n", one("host", ""), "%h", one("hostname", ""), "%r", one("user", ""),
		"%p", one("port", ""), "%u", me.Username)
	same := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %q, ssh says %q", what, got, want)
		}
	}
	same("HostName", got.HostName, one("hostname", ""))
	same("User", or(got.User, me.Username), one("user", ""))
	same("Port", strconv.Itoa(orPort(got.Port)), one("port", ""))
	same("HostKeyAlias", got.HostKeyAlias, one("hostkeyalias", ""))
	same("ProxyJump", strings.Join(got.ProxyJump, ","), clean.Replace(one("proxyjump", "")))
	same("IdentitiesOnly", map[bool]string{true: "yes", false: "no"}[got.IdentitiesOnly], one("identitiesonly", ""))
	timeout := "none"
	if got.ConnectTimeout > 0 {
		timeout = strconv.Itoa(int(got.ConnectTimeout.Seconds()))
	}
	same("ConnectTimeout", timeout, one("connecttimeout", ""))
	agent := one("identityagent", "")
	if agent == "SSH_AUTH_SOCK" {
		agent = ""
	}
	same("IdentityAgent", got.IdentityAgent, clean.Replace(agent))
	if got.IdentityFiles != nil {
		same("IdentityFile", strings.Join(got.IdentityFiles, "\n"), clean.Replace(strings.Join(want["identityfile"], "\n")))
	} else if len(want["identityfile"]) < 2 {
		t.Errorf("ssh has identity files %q", want["identityfile"])
	}
	same("CertificateFile", strings.Join(got.CertificateFiles, "\n"), strings.Join(want["certificatefile"], "\n"))
	if got.KnownHosts != nil {
		global := []string{"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"}
		files := append(strings.Fields(clean.Replace(one("userknownhostsfile", ""))), global...)
		if !slices.Equal(got.KnownHosts, files) {
			t.Errorf("KnownHosts are %q, ssh says %q", got.KnownHosts, files)
		}
	}
}

func or(s, def string) string {
	if s != "" {
		return s
	}
	return def
}

func orPort(n int) int {
	if n != 0 {
		return n
	}
	return 22
}
