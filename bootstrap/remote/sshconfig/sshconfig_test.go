package sshconfig_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/sshconfig"
)

// options read a text and nothing of this machine.
func options(t testing.TB, text string) sshconfig.Options {
	t.Helper()
	path := write(t, text)
	return sshconfig.Options{UserFile: path, SystemFile: path + ".none", Home: filepath.Dir(path)}
}

func TestResolveErrorsNameTheLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, want string
		is         error
	}{
		{"Host *\nMatch originalhost gpu1 exec \"true\"\n", "config:2: Match exec is not run", sshconfig.ErrExec},
		{"Match localnetwork 10.0.0.0/8\n", "config:1: unknown criterion of Match: localnetwork", sshconfig.ErrCriterion},
		{"Match\n", "config:1: Match has no criterion", nil},
		{"Match host\n", "config:1: host of Match has no value", nil},
		{"\nProxyCommand nc %h %p\n", "config:2: ProxyCommand is not run", sshconfig.ErrProxyCommand},
		{"Port none\n", `config:1: "none" is no port`, nil},
		{"Port 0\n", `is no port`, nil},
		{"User\n", "config:1: user has no value", nil},
		{"ConnectTimeout 5x\n", `config:1: "5x" is no time`, nil},
		{"IdentitiesOnly maybe\n", "config:1: IdentitiesOnly is yes or no", nil},
		{"IdentityFile \"/k\n", "config:1: a quote is not closed", nil},
		{"IdentityFile /k/%z\n", "config:1: the token %z", nil},
		{"IdentityFile /k/%\n", "config:1: ", nil},
		{"IdentityFile ~somebody/k\n", "config:1: the home folder", nil},
		{"IdentityFile ${GPUBOOT_NOT_SET}/k\n", "config:1: the variable ${GPUBOOT_NOT_SET is not set", nil},
		{"HostName %p\n", "config:1: the token %p", nil},
		{"ProxyJump a,,b\n", "config:1: ProxyJump has an empty hop", nil},
		{"Include {dir}/config\n", "config:1: includes are nested more than 16 deep", nil},
		{"Include {dir}/[\n", "config:1: ", nil},
	} {
		_, err := sshconfig.Resolve("gpu1", options(t, tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%q: got %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestResolveWithoutFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := sshconfig.Resolve("gpu1", sshconfig.Options{Home: dir, SystemFile: dir + "/none"})
	if err != nil || c.HostName != "gpu1" || c.User != "" || c.Port != 0 || c.IdentityFiles != nil || c.KnownHosts != nil {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestResolveHome(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".ssh/conf.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"config": "Include conf.d/*\nInclude missing\n", "conf.d/a": "IdentityFile ~/k\nIdentityFile %d/l\n"} {
		if err := os.WriteFile(filepath.Join(home, ".ssh", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := sshconfig.Resolve("x", sshconfig.Options{Home: home, SystemFile: home + "/none"})
	if want := []string{home + "/k", home + "/l"}; err != nil || !slices.Equal(c.IdentityFiles, want) {
		t.Errorf("got %q, %v", c.IdentityFiles, err)
	}
}

func TestResolveUserAndPortOfTheCommandLineWin(t *testing.T) {
	t.Parallel()
	o := options(t, "Match user alice\n  IdentityFile /k/alice\nHost *\n  User bob\n  Port 1\n  IdentityFile none\n")
	c, err := sshconfig.Resolve("x", o)
	if err != nil || c.User != "bob" || c.Port != 1 || c.IdentityFiles == nil || len(c.IdentityFiles) != 0 {
		t.Errorf("got %+v, %v", c, err)
	}
	o.User, o.Port = "alice", 2
	c, err = sshconfig.Resolve("x", o)
	if err != nil || c.User != "alice" || c.Port != 2 || !slices.Equal(c.IdentityFiles, []string{"/k/alice"}) {
		t.Errorf("got %+v, %v", c, err)
	}
}

const fleet = `
Host bastion
  HostName 203.0.113.1
  User jump
  IdentityFile /k/bastion
  ProxyJump outer
Host outer
  HostName 203.0.113.2
  Port 2200
Host gpu*
  HostName 10.0.0.1
  User ubuntu
  IdentityFile /k/gpu
  IdentitiesOnly yes
  HostKeyAlias fleet
  UserKnownHostsFile /k/known
  ConnectTimeout 5
  ProxyJump bastion,second@inner:33
Host circle
  ProxyJump circle
`

// route writes the way to a target, outermost hop first.
func route(t remote.Target) string {
	var b strings.Builder
	for _, hop := range append(slices.Clone(t.JumpHosts), t) {
		b.WriteString(hop.User + "@" + hop.Address + " ")
		if hop.Port != 0 {
			b.WriteString("port ")
		}
		b.WriteString(strings.Join(hop.IdentityFiles, ",") + "; ")
	}
	return b.String()
}

func TestFill(t *testing.T) {
	t.Parallel()
	o := options(t, fleet)
	got, err := sshconfig.Fill(remote.Target{Address: "gpu1", TrustFile: "trust"}, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := "@203.0.113.2 port ; jump@203.0.113.1 /k/bastion; second@inner port ; ubuntu@10.0.0.1 /k/gpu; "; route(got) != want {
		t.Errorf("got  %s\nwant %s", route(got), want)
	}
	if got.Name != "gpu1" || !got.IdentitiesOnly || got.HostKeyAlias != "fleet" || got.DialTimeout != 5*time.Second || got.KnownHosts[0] != "/k/known" {
		t.Errorf("got %+v", got)
	}
	for _, hop := range got.JumpHosts {
		if hop.TrustFile != "trust" || hop.HostKeyAlias != "" || hop.KnownHosts != nil {
			t.Errorf("hop %+v", hop)
		}
	}
}

func TestFillKeepsWhatTheTargetSays(t *testing.T) {
	t.Parallel()
	o := options(t, fleet)
	in := remote.Target{
		Name: "n", Address: "gpu1", User: "root", Port: 22, IdentityFiles: []string{"/k/mine"}, KnownHosts: []string{"/k/own"},
		DialTimeout: time.Second, HostKeyAlias: "a",
	}
	got, err := sshconfig.Fill(in, o)
	if err != nil || got.Name != "n" || got.KnownHosts[0] != "/k/own" || got.DialTimeout != time.Second || got.HostKeyAlias != "a" || got.IdentitiesOnly {
		t.Errorf("got %+v, %v", got, err)
	}
	if want := "@203.0.113.2 port /k/mine; jump@203.0.113.1 /k/bastion,/k/mine; second@inner port /k/mine; root@10.0.0.1 port /k/mine; "; route(got) != want {
		t.Errorf("got  %s\nwant %s", route(got), want)
	}
	in, err = in.WithJumps("bastion")
	if err != nil {
		t.Fatal(err)
	}
	got, err = sshconfig.Fill(in, o)
	if want := "jump@203.0.113.1 /k/mine; root@10.0.0.1 port /k/mine; "; err != nil || route(got) != want {
		t.Errorf("with a jump host of its own: got %s, %v", route(got), err)
	}
}

func TestFillErrors(t *testing.T) {
	t.Parallel()
	o := options(t, fleet+"Host bad\n  ProxyJump a@\n")
	if _, err := sshconfig.Fill(remote.Target{Address: "circle"}, o); !errors.Is(err, sshconfig.ErrLoop) {
		t.Errorf("a circle: %v", err)
	}
	if _, err := sshconfig.Fill(remote.Target{Address: "bad"}, o); err == nil || !strings.Contains(err.Error(), "config:22: reading the address") {
		t.Errorf("a bad hop: %v", err)
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range scenarios {
		f.Add(s.text, s.alias[0])
	}
	f.Add(fleet, "gpu1")
	f.Fuzz(func(t *testing.T, text, alias string) {
		if strings.Contains(strings.ToLower(text), "include") {
			return // it would read this machine
		}
		c, err := sshconfig.Resolve(alias, options(t, text))
		if err == nil && (c.Port < 0 || c.Port > 65535 || c.ConnectTimeout < 0) {
			t.Errorf("got %+v", c)
		}
	})
}
