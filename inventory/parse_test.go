package inventory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestLoadTellsIOErrorsApart(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "none.yaml")
	var problems Problems
	if _, err := Load(missing); !errors.Is(err, fs.ErrNotExist) || errors.As(err, &problems) {
		t.Errorf("got %v, want an I/O error", err)
	}
	big := filepath.Join(t.TempDir(), "big.yaml")
	if err := os.WriteFile(big, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(big); !errors.As(err, &problems) {
		t.Errorf("got %v, want Problems", err)
	}
}

func TestProblemsAreOneLineEach(t *testing.T) {
	t.Parallel()
	_, err := Parse("x.yaml", []byte("name: A\nhots: []\n"))
	want := `x.yaml:1:1: the inventory has no hosts (list them under hosts, or under pools[].hosts)
x.yaml:1:7: name "A" is not usable as a name (write "a")
x.yaml:2:1: unknown key "hots" in the inventory, allowed are defaults, existing, hosts, k3s, name, network, pools (did you mean "hosts"?)`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestPathsLeadToTheValue(t *testing.T) {
	t.Parallel()
	_, err := Parse("x.yaml", []byte(`
name: a
k3s: {registries: {mirrors: {docker.io: {endpoint: [nowhere]}}}}
pools:
  - {name: p, role: both, labels: {a.b/c: 1}, hosts: [x, {address: y, port: 0}]}
`))
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.Path)
	}
	want := []string{`k3s.registries.mirrors["docker.io"].endpoint[0]`, `pools[0].labels["a.b/c"]`, "pools[0].hosts[1]", "pools[0].hosts[1].port"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCaretStandsUnderTheCharacterNotTheByte(t *testing.T) {
	t.Parallel()
	p := Problem{Pos: Pos{"f", 1, 4}, Message: "m", Source: "é\tä: x"}
	if got, want := p.Pretty(), "f:1:4: m\n    é\tä: x\n     \t ^\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestServersAndHost(t *testing.T) {
	t.Parallel()
	inv, err := Parse("x.yaml", []byte("name: a\npools:\n  - {name: p, role: worker, hosts: [w]}\nhosts:\n  - {address: s, role: server}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s := inv.Servers(); len(s) != 1 || s[0].Name != "s" {
		t.Errorf("servers are %v", s)
	}
	if h, ok := inv.Host("w"); !ok || h.Pool != "p" || h.Role.IsServer() {
		t.Errorf("got %v, %v", h, ok)
	}
	if _, ok := inv.Host("x"); ok {
		t.Error("found a host that is not there")
	}
}

func TestHostsShareNoMemory(t *testing.T) {
	t.Parallel()
	inv, err := Parse("x.yaml", []byte(`
name: a
defaults: {labels: {k: v}, k3sConfig: {kubelet-arg: [a]}, sudoPassword: {env: A}, taints: [a:NoSchedule]}
pools: [{name: p, role: both, gpus: 8, hosts: [x, y, z]}]
`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := inv.Hosts[0], inv.Hosts[1]
	a.Labels["k"], a.SudoPassword.Env, a.GPUs.Count, a.Taints[0].Key = "w", "B", 1, "b"
	a.K3sConfig["kubelet-arg"].([]any)[0] = "b"
	if b.Labels["k"] != "v" || b.SudoPassword.Env != "A" || b.GPUs.Count != 8 || b.Taints[0].Key != "a" {
		t.Errorf("a change of one host reached the other: %+v", b)
	}
	if b.K3sConfig["kubelet-arg"].([]any)[0] != "a" {
		t.Error("a change of one host's k3s list reached the other")
	}
}

// TestEverySettingIsInherited sets each key of defaults in turn and looks for it
// in the merged settings, so that a new key cannot be forgotten in over.
func TestEverySettingIsInherited(t *testing.T) {
	t.Parallel()
	lower := settings{
		Labels: dict[string]{{key: "k"}}, K3sConfig: k3sConfig{{flag: K3sFlag{Name: "debug"}}},
	}
	v := reflect.ValueOf(&lower).Elem()
	for _, set := range v.Fields() {
		if set.Kind() == reflect.Struct {
			set.FieldByName("Set").SetBool(true)
		}
	}
	merged := reflect.ValueOf(settings{}.over(lower))
	for i := range merged.NumField() {
		name := merged.Type().Field(i).Name
		// identityFile becomes a list of one in identityFiles.
		if name != "IdentityFile" && merged.Field(i).IsZero() {
			t.Errorf("%s is not inherited", name)
		}
	}
}

func TestManyHostsAreFast(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("name: a\nnetwork: {podCIDR: 10.64.0.0/12}\nhosts:\n  - {address: s, role: both}\n")
	for i := range maxHosts - 1 {
		b.WriteString("  - {address: h" + strconv.Itoa(i) + ", role: worker, labels: {rack: a}}\n")
	}
	inv, err := Parse("x.yaml", []byte(b.String()))
	if err != nil || len(inv.Hosts) != maxHosts {
		t.Fatalf("%v", err)
	}
}

func BenchmarkParseThousandHosts(b *testing.B) {
	data := []byte("name: a\nnetwork: {podCIDR: 10.64.0.0/12}\npools:\n  - {name: s, role: both, hosts: [s]}\n" +
		"  - {name: p, role: worker, gpus: 8x H100, labels: {a: b}, hosts: ['h[001-999]=10.1.[1-9].[1-111]']}\n")
	for b.Loop() {
		if _, err := Parse("x.yaml", data); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, folder := range []string{"ok", "err"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add(Example())
	f.Fuzz(func(t *testing.T, data []byte) {
		inv, err := Parse("fuzz.yaml", data)
		var problems Problems
		switch {
		case err == nil && (inv == nil || len(inv.Hosts) == 0 || len(inv.Servers()) == 0 && inv.Existing == nil):
			t.Error("an inventory without hosts was accepted")
		case err != nil && (!errors.As(err, &problems) || len(problems) == 0):
			t.Errorf("got %v, want Problems", err)
		}
		for _, p := range problems {
			if p.Message == "" || strings.Contains(p.Message, "\n") {
				t.Errorf("message %q", p.Message)
			}
		}
		_ = problems.Pretty()
	})
}
