package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func noEnv(string) string { return "" }

// files writes a config.yaml and its drop-ins and gives the path of the first.
func files(t *testing.T, main string, dropIns map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	write := func(p, text string) {
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path, main)
	if err := os.Mkdir(path+".d", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range dropIns {
		write(filepath.Join(path+".d", name), text)
	}
	return path
}

func TestDropInsReplaceOrAppend(t *testing.T) {
	t.Parallel()
	path := files(t, "token: a\nnode-label: [x=1]\ntls-san: one\ncluster-init: true\n", map[string]string{
		"10-a.yaml": "node-label+: [y=2]\ntls-san: [two, three]\n",
		"20-b.yml":  "token: b\ntls-san+: four\n",
		"30-c.txt":  "token: never\n",
	})
	v, err := Load(Server(), []string{"--config", path}, noEnv, func(w string) { t.Error("unexpected warning", w) })
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Strings("node-label"); !slices.Equal(got, []string{"x=1", "y=2"}) {
		t.Errorf("node-label = %q", got)
	}
	if got := v.Strings("tls-san"); !slices.Equal(got, []string{"two", "three", "four"}) {
		t.Errorf("tls-san = %q", got)
	}
	if v.String("token") != "b" || !v.Bool("cluster-init") {
		t.Errorf("token = %q, cluster-init = %v", v.String("token"), v.Bool("cluster-init"))
	}
}

func TestFlagsWinOverFilesAndEnvironment(t *testing.T) {
	t.Parallel()
	path := files(t, "token: file\nnode-label: [x=1]\n", nil)
	env := map[string]string{"K3S_CONFIG_FILE": path, "K3S_TOKEN": "env", "K3S_URL": "https://env:6443"}
	v, err := Load(Agent(), []string{"-t", "line", "--node-label=z=9"}, func(k string) string { return env[k] }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.String("token") != "line" || v.String("server") != "https://env:6443" {
		t.Errorf("token = %q, server = %q", v.String("token"), v.String("server"))
	}
	if got := v.Strings("node-label"); !slices.Equal(got, []string{"z=9"}) {
		t.Errorf("node-label = %q", got)
	}
}

func TestServerSkipsUnknownKeyAgentRefusesIt(t *testing.T) {
	t.Parallel()
	path := files(t, "disable: [traefik]\nno-such-key: 1\n", nil)
	var warned []string
	if _, err := Load(Server(), []string{"--config=" + path}, noEnv, func(w string) { warned = append(warned, w) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Unknown flag --no-such-key found in config.yaml, skipping"}; !slices.Equal(warned, want) {
		t.Errorf("warnings = %q", warned)
	}
	_, err := Load(Agent(), []string{"--config=" + path}, noEnv, nil)
	if err == nil || err.Error() != "flag provided but not defined: -disable" {
		t.Errorf("err = %v", err)
	}
}

func TestUnknownFlagOnTheLineIsRefused(t *testing.T) {
	t.Parallel()
	var unknown UnknownFlagError
	if _, err := Load(Server(), []string{"--no-such-flag"}, noEnv, nil); !errors.As(err, &unknown) || unknown.Flag != "no-such-flag" {
		t.Errorf("err = %v", err)
	}
}

func TestValuesHaveToFitTheirKind(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--https-listen-port", "x"}, {"--cluster-init=perhaps"}, {"--token"}} {
		if _, err := Load(Server(), append([]string{"--config", files(t, "", nil)}, args...), noEnv, nil); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}

func TestNoFlagTwice(t *testing.T) {
	t.Parallel()
	for _, cmd := range []Command{Server(), Agent(), EtcdSnapshot(), Token()} {
		seen := map[string]bool{}
		for _, f := range cmd.Flags {
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				if seen[name] {
					t.Errorf("%s has --%s twice", cmd.Name, name)
				}
				seen[name] = true
			}
		}
	}
}
