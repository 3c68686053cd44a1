package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Samples of what real hosts print may lie beside the checkout. The tests with
// data of their own do not need them.
const samplesDir = "../../../shared/samples"

// samples reads all files of a kind whose names begin with a prefix.
func samples(t *testing.T, kind, prefix string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(samplesDir, kind, prefix+"*"))
	if err != nil || len(files) == 0 {
		t.Skipf("SKIPPED: no samples of real hosts in %s/%s", samplesDir, kind)
	}
	out := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(data)
	}
	return out
}

// ended makes a section that ended well.
func ended(body string) section { return section{body: body, status: "0"} }

func newFacts() *Facts {
	return &Facts{Files: map[string]FileFact{}, Units: map[string]Unit{}, Unknown: map[string]string{}, Raw: map[string]string{}}
}

func TestSamplesOSRelease(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "os-release", "") {
		if strings.HasPrefix(name, "dgx-release") {
			f := newFacts()
			if err := readDGX(f, ended(text)); err != nil || !strings.HasPrefix(f.OS.DGX, "DGX") {
				t.Errorf("%s: %q %v", name, f.OS.DGX, err)
			}
			continue
		}
		o := parseOSRelease(text)
		if o.ID == "" || o.PrettyName == "" || strings.ContainsAny(o.ID+o.VersionID, "\"' ") {
			t.Errorf("%s: %+v", name, o)
		}
		if o.VersionID == "" && name != "arch.txt" {
			t.Errorf("%s has no version: %+v", name, o)
		}
		strange := slices.Contains([]string{"alpine-3.22.txt", "cos.txt", "talos.txt"}, name)
		if knownOS(o) == strange {
			t.Errorf("%s: known is %v: %+v", name, knownOS(o), o)
		}
	}
}

func TestSamplesUname(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "uname", "release") {
		for _, release := range lines(text) {
			if major, _, ok := kernelVersion(release); !ok || major < 4 {
				t.Errorf("%s: %s gives %d %v", name, release, major, ok)
			}
		}
	}
}

func TestSamplesVirt(t *testing.T) {
	t.Parallel()
	want := map[string]string{"cgroup-v1-docker.txt": "docker", "cgroup-v1-k8s-pod.txt": "kubepods", "cgroup-v1-host.txt": "",
		"cgroup-v2-host.txt": "", "cgroup-v2-container.txt": "", "cgroup-lxc.txt": ""}
	for name, text := range samples(t, "virt", "cgroup") {
		if got := cgroupEngine(firstLine(text)); got != want[name] {
			t.Errorf("%s: %q, want %q", name, got, want[name])
		}
	}
	results := samples(t, "virt", "detect-virt-results")["detect-virt-results.txt"]
	containers := []string{"lxc", "docker", "podman", "systemd-nspawn", "rkt", "wsl", "openvz", "proot", "container-other"}
	for _, word := range lines(results) {
		if got := containerWord(parseDetectVirt(word)); got != slices.Contains(containers, word) {
			t.Errorf("%s is a container: %v", word, got)
		}
	}
	if got := parseDetectVirt(samples(t, "virt", "detect-virt-missing")["detect-virt-missing.txt"]); got != "" {
		t.Errorf("an error text is taken for %q", got)
	}
}

func TestSamplesDF(t *testing.T) {
	t.Parallel()
	all := samples(t, "disks", "df-")
	rows := parseDF(all["df-small-root-big-data.txt"])
	if len(rows) != 3 || rows[0].kind != "ext4" || rows[1].mount != "/var/lib/rancher" || rows[1].avail != 3809524318208 {
		t.Errorf("two disks: %+v", rows)
	}
	if rows = parseDF(all["df-overlay.txt"]); len(rows) != 2 || rows[1].mount != "/tmp" || rows[0].kind != "overlay" {
		t.Errorf("overlay: %+v", rows)
	}
	if rows = parseDF(all["df-inodes.txt"]); len(rows) != 1 || rows[0].size != 6553600 || rows[0].avail != 0 {
		t.Errorf("inodes: %+v", rows)
	}
	if rows = parseDF(all["df-single-root.txt"]); len(rows) != 3 {
		t.Errorf("one disk: %+v", rows)
	}
}

func TestSamplesLsblk(t *testing.T) {
	t.Parallel()
	blank := map[string]int{"lsblk-8-nvme-unformatted.json": 4, "lsblk-container.json": 1, "lsblk-lvm-root.json": 1, "lsblk-old-signatures.json": 1}
	for name, text := range samples(t, "disks", "lsblk-") {
		disks, err := parseLsblk(text)
		if strings.HasSuffix(name, ".txt") {
			if err == nil {
				t.Errorf("%s is no JSON, but was read: %+v", name, disks)
			}
			continue
		}
		if err != nil || len(disks) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		free := 0
		for _, d := range disks {
			if d.SizeBytes <= 0 || strings.Contains(d.Name, "/") {
				t.Errorf("%s: %+v", name, d)
			}
			if len(d.Signature) == 0 && len(d.Mounts) == 0 {
				free++
			}
		}
		if free != blank[name] {
			t.Errorf("%s: %d blank disks, want %d: %+v", name, free, blank[name], disks)
		}
	}
}

func TestSamplesPackageState(t *testing.T) {
	t.Parallel()
	f := newFacts()
	text := samples(t, "pkg-lock", "reboot-required")["reboot-required.txt"]
	_, packages, _ := strings.Cut(text, "\n")
	if err := readReboot(f, ended("required=yes\n"+packages)); err != nil || len(f.Packages.RebootFor) != 2 {
		t.Errorf("%+v %v", f.Packages, err)
	}
}
