package bootstrap

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// localReleases gives one file for every request.
type localReleases struct {
	path string
	sum  string
}

func (l localReleases) Peek(context.Context, string, string, release.Source) (release.Artefact, error) {
	return release.Artefact{SHA256: l.sum, Size: -1}, nil
}

func (l localReleases) K3s(_ context.Context, version, arch string, _ release.Source, progress func(done, total int64)) (release.Artefact, error) {
	info, err := os.Stat(l.path)
	if err != nil {
		return release.Artefact{}, err
	}
	progress(info.Size(), info.Size())
	return release.Artefact{Version: version, Arch: arch, SHA256: l.sum, Size: info.Size(), Path: l.path}, nil
}

// rig is an applyRun whose host s1 is a remotetest host.
func rig(t *testing.T, inventoryText string) (*applyRun, *remotetest.Host) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "k3s")
	put(t, binary, "#!/bin/sh\n")
	in := bareInput(t, inventoryText)
	in.Binaries["amd64"] = Binary{SHA256: sha256Hex([]byte("#!/bin/sh\n")), Size: -1}
	plan := mustPlan(t, in)

	host := remotetest.New(t)
	conn, err := remote.Dial(t.Context(), host.Target())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	g := &Gpuboot{
		Releases: localReleases{binary, in.Binaries["amd64"].SHA256}, Redactor: engine.NewRedactor(), Rand: strings.NewReader("0123456789abcdefghijklmnopqrstuv"),
		Now: func() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) },
	}
	s := &Survey{}
	for _, h := range in.Inventory.Hosts {
		s.Hosts = append(s.Hosts, &Seen{Host: h, Conn: conn, Facts: in.Facts[h.Name]})
	}
	return &applyRun{Gpuboot: g, req: Request{Inventory: in.Inventory}, survey: s, plan: plan, board: newBoard(), journals: map[string]Journal{}}, host
}

func mkdirs(t *testing.T, h *remotetest.Host, dirs ...string) {
	t.Helper()
	for _, d := range dirs {
		if err := os.MkdirAll(h.Path(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// onBefore answers the script that makes directories and saves files.
func onBefore(h *remotetest.Host, reply string) {
	h.OnFunc("before", func(argv []string) bool { return slices.Contains(argv, beforeScript) }).Reply(reply)
}

func onEnable(h *remotetest.Host) {
	h.OnFunc("enable", func(argv []string) bool {
		return slices.Contains(argv, "enable") && slices.Contains(argv, "k3s.service")
	})
}

func TestInstallWritesEverythingAndJournalsIt(t *testing.T) {
	t.Parallel()
	a, host := rig(t, threeHosts)
	mkdirs(t, host, "/var/lib/gpuboot", "/etc/rancher/k3s", "/usr/local/bin", "/etc/systemd/system")
	onBefore(host, "dir /var/lib/gpuboot\ndir /etc/rancher\ndir /etc/rancher/k3s\nfile /etc/rancher/k3s/registries.yaml /var/lib/gpuboot/backup/x\nkept /var/lib/rancher/k3s /var/lib/rancher/k3s/agent\n")
	onEnable(host)
	hp, _ := a.plan.Host("s1")
	if err := a.install(t.Context(), hp, engine.Silent{}); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{BinaryPath: 0o755, configPath: 0o600, tokenPath: 0o600, agentTokenPath: 0o600, UnitPath(roleServer): 0o644, JournalPath: 0o600} {
		if got, owner, err := host.Stat(path); err != nil || got.Perm() != mode || owner != "root:root" && owner != "0:0" {
			t.Errorf("%s: mode %v owner %q error %v, want %v root:root", path, got, owner, err, mode)
		}
	}
	token, agent := host.Content(tokenPath), host.Content(agentTokenPath)
	if len(token) != 32 || token == agent {
		t.Errorf("tokens %q and %q", token, agent)
	}
	if got := a.Redactor.String("token " + token); strings.Contains(got, token) {
		t.Error("the redactor does not know the token")
	}
	var j Journal
	if err := json.Unmarshal([]byte(host.Content(JournalPath)), &j); err != nil {
		t.Fatal(err)
	}
	if !j.Founder || j.Cluster != "lab" || j.Started != "" || j.Binary.SHA256 != hp.Binary.SHA256 || j.Binary.Size != 10 {
		t.Errorf("journal %+v", j)
	}
	if strings.Contains(host.Content(JournalPath), token) {
		t.Error("the journal holds the token")
	}
	for _, path := range []string{BinaryPath, configPath, tokenPath, agentTokenPath} {
		if !j.Did(ActFile, path) {
			t.Errorf("the journal lacks %s", path)
		}
	}
	i := slices.IndexFunc(j.Acts, func(a Act) bool { return a.Kind == ActTree && a.Path == "/var/lib/rancher/k3s" })
	if i < 0 || !slices.Equal(j.Acts[i].Kept, []string{"/var/lib/rancher/k3s/agent"}) {
		t.Errorf("the journal does not keep what k3s's tree held: %+v", j.Acts)
	}
}

// A crash between any two writes must leave a journal that names what was
// written: the journal goes first.
func TestJournalIsWrittenBeforeWhatItNames(t *testing.T) {
	t.Parallel()
	a, host := rig(t, threeHosts)
	mkdirs(t, host, "/var/lib/gpuboot", "/etc/rancher/k3s", "/usr/local/bin", "/etc/systemd/system")
	onBefore(host, "dir /etc/rancher\n")
	host.DiskSpace(2 << 10) // the journal fits, the executable is tiny, the disk fills up later
	hp, _ := a.plan.Host("s1")
	hp.Write = append(hp.Write, wantFile{Path: "/etc/rancher/k3s/big", Mode: 0o600, Content: bytes.Repeat([]byte("x"), 4<<10)})
	if err := a.install(t.Context(), hp, engine.Silent{}); err == nil {
		t.Fatal("a full disk was no error")
	}
	var j Journal
	if err := json.Unmarshal([]byte(host.Content(JournalPath)), &j); err != nil {
		t.Fatal(err)
	}
	if !j.Did(ActFile, configPath) || j.Started != "" || j.Binary.SHA256 != "" {
		t.Errorf("journal after the failure: %+v", j)
	}
}

func TestAgentsGetNoServerToken(t *testing.T) {
	t.Parallel()
	a, host := rig(t, threeHosts)
	mkdirs(t, host, "/etc/rancher/k3s")
	a.tokens = &tokens{server: []byte("K10aa::server:sss"), agent: []byte("K10aa::node:nnn")}
	hp, _ := a.plan.Host("w1")
	if _, err := a.giveTokens(t.Context(), hp, engine.Silent{}); err != nil {
		t.Fatal(err)
	}
	if got := host.Content(tokenPath); got != "K10aa::node:nnn" {
		t.Errorf("the agent's token is %q", got)
	}
}

func TestJoiningServersGetBothTokens(t *testing.T) {
	t.Parallel()
	a, host := rig(t, threeServers)
	mkdirs(t, host, "/etc/rancher/k3s")
	a.tokens = &tokens{server: []byte("K10aa::server:sss"), agent: []byte("K10aa::node:nnn")}
	hp, _ := a.plan.Host("s2")
	if _, err := a.giveTokens(t.Context(), hp, engine.Silent{}); err != nil {
		t.Fatal(err)
	}
	if server, agent := host.Content(tokenPath), host.Content(agentTokenPath); server != "K10aa::server:sss" || agent != "nnn" {
		t.Errorf("tokens %q and %q", server, agent)
	}
}
