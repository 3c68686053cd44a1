package hosts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestValidateNamesEveryBadHost(t *testing.T) {
	t.Parallel()
	good := []Spec{
		{Name: "a"},
		{Name: "b-1", User: "ubuntu", Sudo: SudoTTY},
		{Name: "c", User: "admin", Sudo: SudoPassword, Password: `pa ss"w$ö'`, NICs: []NIC{{Name: "eth1", Network: "fabric"}}},
	}
	if err := validate(good); err != nil {
		t.Fatal(err)
	}
	bad := map[string]Spec{
		"no DNS label":         {Name: "A"},
		"not unique":           {Name: "a"},
		"no user name":         {Name: "u", User: "a b"},
		"needs Spec.Password":  {Name: "p", User: "admin", Sudo: SudoPassword},
		"unknown sudo mode":    {Name: "s", User: "admin", Sudo: "maybe"},
		"line break":           {Name: "l", Password: "a\nb"},
		"a free name":          {Name: "n", NICs: []NIC{{Name: "eth0", Network: "x"}}},
		"absolute paths":       {Name: "d", Binds: []Bind{{Source: "x", Target: "/y"}}},
		"clean absolute path":  {Name: "f", Files: []File{{Path: "/a/../b"}}},
		"empty at boot":        {Name: "g", Files: []File{{Path: "/run/x"}}},
		"without : \\ % and l": {Name: "e", Binds: []Bind{{Source: "/a:b", Target: "/y"}}},
	}
	for want, spec := range bad {
		if err := validate([]Spec{{Name: "a"}, spec}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v does not say %q", spec, err, want)
		}
	}
}

func TestAptSourcesReadsBothFormats(t *testing.T) {
	t.Parallel()
	etc := fstest.MapFS{
		"sources.list": {Data: []byte("# old\ndeb [arch=amd64 signed-by=/k.gpg] http://one.example/debian bookworm main contrib # x\n" +
			"deb-src http://src.example/debian bookworm main\n")},
		"sources.list.d/b.sources": {Data: []byte("Types: deb deb-src\n# note\nURIs: http://two.example/debian\n" +
			"Suites: trixie trixie-updates\nComponents: main\nSigned-By: /d.gpg\n\nTypes: deb-src\nURIs: http://no.example\n")},
		"sources.list.d/c.sources.save": {Data: []byte("Types: deb\nURIs: http://saved.example\n")},
	}
	got, err := aptSources(etc)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].url != "http://one.example/debian" || got[0].keyring != "/k.gpg" ||
		!slices.Equal(got[0].components, []string{"main", "contrib"}) ||
		got[1].url != "http://two.example/debian" || got[1].keyring != "/d.gpg" || got[1].suites[1] != "trixie-updates" {
		t.Fatalf("got %+v", got)
	}
}

func TestPackagesAreNames(t *testing.T) {
	t.Parallel()
	names, err := packages()
	if err != nil || len(names) < 10 {
		t.Fatalf("got %v, %v", names, err)
	}
	for _, n := range names {
		if strings.ContainsAny(n, " \t#,") {
			t.Errorf("package %q", n)
		}
	}
}

func TestNetworkPlanGivesOneHostPartOnAllNetworks(t *testing.T) {
	t.Parallel()
	r := &record{ID: "1-0"}
	fabric := []NIC{{Name: "ib0", Network: "fabric", MTU: 4092}}
	if err := r.plan([]Spec{{Name: "a", NICs: fabric}, {Name: "b", NICs: fabric}}, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	b := r.Hosts[1]
	if len(r.Networks) != 2 || b.NICs[1].Bridge != "net1" || b.NICs[1].MTU != 4092 || b.NICs[0].MTU != 1500 {
		t.Fatalf("networks %+v, links %+v", r.Networks, b.NICs)
	}
	if x, y := b.NICs[0].Addr.Addr().As4(), b.NICs[1].Addr.Addr().As4(); x[3] != 12 || y[3] != 12 || x[1]+1 != y[1] {
		t.Errorf("addresses %v and %v", x, y)
	}
	if r.Hosts[0].MachineID == b.MachineID || r.Hosts[0].NICs[0].MAC == b.NICs[0].MAC {
		t.Error("two hosts with one identity")
	}
}

func TestRecordOfAnotherFolderIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "7-0")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := &record{ID: "7-0", dir: dir, Hosts: []hostRecord{{Spec: Spec{Name: "a", Files: []File{{Content: []byte("x")}}}}}}
	if err := r.save(); err != nil {
		t.Fatal(err)
	}
	if got, err := loadRecord(dir); err != nil || got.Hosts[0].Spec.Name != "a" {
		t.Fatalf("got %+v, %v", got, err)
	}
	moved := filepath.Join(filepath.Dir(dir), "8-0")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if _, err := loadRecord(moved); err == nil {
		t.Error("a record that names another fleet was read")
	}
}

func TestProcessIsTheSameOnlyWithItsStart(t *testing.T) {
	t.Parallel()
	self, err := identify(os.Getpid())
	if err != nil {
		t.Skipf("no /proc here: %v", err)
	}
	if !self.alive() {
		t.Error("this process is said to be dead")
	}
	self.Start = "0"
	if self.alive() || (process{}).alive() {
		t.Error("another process is taken for this one")
	}
}

func TestPruneKeepsWhatIsUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"old", "new"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "old"), day, day); err != nil {
		t.Fatal(err)
	}
	if err := prune(dir, day.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "new" {
		t.Errorf("left %v", left)
	}
}

func TestKeysAreOpenSSH(t *testing.T) {
	t.Parallel()
	private, public, err := newKey()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(private), "-----BEGIN OPENSSH PRIVATE KEY-----\n") || !strings.HasPrefix(public, "ssh-ed25519 ") ||
		!strings.HasPrefix(fingerprint(public), "SHA256:") || fingerprint("") != "" {
		t.Errorf("private %q public %q", private[:30], public)
	}
}
