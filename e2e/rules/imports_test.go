package rules_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gpuboot/gpuboot/"

// room is one package and what it may import of ours. A new package gets a line here and one in docs/architecture.md.
// What lies in a room's internal folder belongs to the room: same rule, and the two may import each other.
type room struct {
	path string
	ours []string // "*" is everything
	why  string
}

func rooms() []room {
	return []room{
		{"inventory", nil, "what a user wrote is understood without hosts, network or cluster"},
		{"bootstrap/engine", nil, "everybody speaks through it, so it may know nobody"},
		{"bootstrap/remote", nil, "one host and one connection: of use without any of our ideas"},
		{"bootstrap/remote/remotetest", []string{"bootstrap/remote"}, "the fake host shares remote's types and nothing else"},
		{"bootstrap/remote/sshconfig", []string{"bootstrap/remote"}, "fills a target from files; opens no connection"},
		{"bootstrap/release", nil, "where bytes come from does not depend on where they go"},
		{"bootstrap/release/releasetest", nil, "a web server with files"},
		{"bootstrap/facts", []string{"bootstrap/remote", "inventory"}, "asks hosts through remote, compares with the inventory"},
		{"bootstrap/reach", []string{"bootstrap/remote"}, "lets hosts try each other and decides from that alone; what is a candidate, and how bad a closed port, is judged elsewhere"},
		{"bootstrap", []string{"bootstrap/engine", "bootstrap/remote", "bootstrap/facts", "bootstrap/reach", "bootstrap/release", "inventory"},
			"the steps from hosts to a cluster; Kubernetes comes to it through an interface that it defines"},
		{"addons", []string{"bootstrap/engine", "inventory"}, "works on a cluster, never on a host"},
		{"addons/cuda", nil, "tables of versions, of use to whoever asks without a registry, a cluster or a host"},
		{"addons/image", []string{"addons/cuda"}, "judges an image by what it says and by facts it is given; asks no host and no cluster"},
		{"addons/kube", []string{"bootstrap", "inventory"}, "implements with client-go the interface to a cluster that bootstrap defines"},
		{"tui", []string{"bootstrap/engine", "inventory", "tui/providers"}, "shows events and edits an inventory; does nothing itself"},
		{"tui/providers", nil, "a dated table of who rents GPU machines; the command line prints it too"},
		{"cmd/gpuboot", []string{"cmd/gpuboot/app"}, "only main"},
		{"cmd/gpuboot/app", []string{"*"}, "the one place where everything meets"},
		{"cmd/gpuboot/app/render", []string{"bootstrap/engine"}, "shows events, so a replayed log looks like the run itself"},
		{"e2e", []string{"*"}, "scenarios use what a user uses, and look behind it"},
		{"e2e/hosts", []string{"bootstrap/remote", "inventory"}, "makes machines; must not need gpuboot to work"},
		{"e2e/hosts/cmd/testhosts", []string{"e2e/hosts"}, "the provider by hand"},
		{"e2e/sim", []string{"bootstrap/remote/remotetest", "bootstrap/release", "inventory"},
			"pretends to be hosts, with an inventory and a release for them; must not lean on the steps that it tests"},
		{"e2e/sim/cmd/demo", []string{"e2e/sim"}, "runs the built gpuboot like a person does, so it needs none of its code"},
		{"e2e/rules", nil, "reads source, runs none of it"},
	}
}

// fence keeps other people's packages in their place.
type fence struct {
	modules    []string // path prefixes
	allowed    []string // our folders, each with all below
	transitive bool     // not even through somebody else
	why        string
}

func fences() []fence {
	return []fence{
		// k8s.io/apimachinery is not in it: its validation of names and labels is small, and is Kubernetes' own.
		{[]string{"helm.sh/", "k8s.io/client-go/", "k8s.io/api/", "github.com/google/go-containerregistry"},
			[]string{"addons", "cmd/gpuboot", "e2e"}, true, "they are most of the build; what doesn't need them builds and tests in seconds"},
		{[]string{"charm.land/", "github.com/charmbracelet/"}, []string{"tui"}, false, "only the terminal view draws"},
		{[]string{"golang.org/x/crypto/ssh", "github.com/pkg/sftp"}, []string{"bootstrap/remote", "e2e"}, false,
			"one package knows SSH, so its errors and secrets are handled once"},
		{[]string{"github.com/spf13/"}, []string{"cmd/gpuboot"}, false, "flags are the command line's business"},
	}
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath    string
	Imports, Deps []string
}

func (p listed) path() string { return roomOf(strings.TrimPrefix(p.ImportPath, module)) }

func roomOf(path string) string {
	room, _, _ := strings.Cut(path, "/internal")
	return room
}

// packages lists our packages as a build for Linux with the e2e tag sees them.
func packages(t *testing.T) []listed {
	t.Helper()
	files(t, everything) // so that a change of any file makes a cached result stale
	for _, name := range []string{"go.mod", "go.sum"} {
		if _, err := os.ReadFile(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-tags=e2e", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	rules := rooms()
	for _, p := range packages(t) {
		i := slices.IndexFunc(rules, func(r room) bool { return r.path == p.path() })
		if i < 0 {
			t.Errorf("%s is new: give it a line in rooms, with the reason, and one in docs/architecture.md", p.path())
			continue
		}
		r := rules[i]
		for _, imp := range p.Imports {
			ours, ok := strings.CutPrefix(imp, module)
			ours = roomOf(ours)
			if ok && ours != r.path && !slices.Contains(r.ours, ours) && !slices.Contains(r.ours, "*") {
				t.Errorf("%s imports %s, may import of ours %q: %s", r.path, ours, r.ours, r.why)
			}
			if p.path() == "bootstrap/engine" && !standard(imp) {
				t.Errorf("%s imports %s, may import only the standard library: %s", r.path, imp, r.why)
			}
		}
	}
}

func TestOtherPeoplesPackagesStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	all := packages(t)
	for _, f := range fences() {
		for _, p := range all {
			if slices.ContainsFunc(f.allowed, func(dir string) bool { return p.path() == dir || strings.HasPrefix(p.path(), dir+"/") }) {
				continue
			}
			imports := p.Imports
			if f.transitive {
				imports = p.Deps
			}
			for _, imp := range imports {
				if slices.ContainsFunc(f.modules, func(m string) bool { return strings.HasPrefix(imp, m) }) {
					t.Errorf("%s depends on %s, allowed below %q: %s", p.path(), imp, f.allowed, f.why)
				}
			}
		}
	}
}

// standard says whether an import is of Go's own library: those paths have no dot in their first part.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// The architecture page explains every room, so a newcomer finds the door.
func TestTheArchitecturePageNamesEveryRoom(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms() {
		if !strings.Contains(string(page), "| `"+r.path+"` |") {
			t.Errorf("docs/architecture.md has no line for %s", r.path)
		}
	}
}
