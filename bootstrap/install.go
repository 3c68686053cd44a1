package bootstrap

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// install brings executable, configuration and unit to a host. The journal is
// written before anything it names, so that `down` finds all of it whatever
// happens in between.
func (a *applyRun) install(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	c := a.conn(hp)
	j, err := a.prepare(ctx, hp)
	if err != nil {
		return err
	}
	if hp.Install {
		if err := a.installBinary(ctx, hp, r); err != nil {
			return err
		}
		j.Binary = InstalledBinary{Version: a.plan.Version, SHA256: hp.Binary.SHA256, Size: hp.Binary.Size}
	}
	for _, w := range hp.Write {
		content := w.Content
		if w.Secret != secretNone {
			if !hp.Member.Founder {
				continue // the join step knows the token
			}
			if content, err = a.foundingToken(w.Secret); err != nil {
				return err
			}
		}
		r.Note("writing %s", w.Path)
		if err := writeFile(ctx, c, w.Path, w.Mode, content); err != nil {
			return fmt.Errorf("writing %s: %w", w.Path, err)
		}
	}
	if err := removeFiles(ctx, c, hp.Remove); err != nil {
		return err
	}
	if err := enableUnit(ctx, c, UnitName(hp.Member.Role)); err != nil {
		return err
	}
	return a.saveJournal(ctx, hp, j)
}

// prepare makes directories, saves what is about to be replaced, and journals
// all of it.
func (a *applyRun) prepare(ctx context.Context, hp *HostPlan) (Journal, error) {
	j := a.journal(hp.Host.Name)
	j.Cluster, j.Role = a.plan.Cluster, hp.Member.Role
	j.Founder, j.Join = hp.Member.Founder, hp.Member.Join
	j.NodeIP, j.Interface, j.Taints = hp.Member.NodeIP.String(), hp.Member.Interface, hp.Member.Taints

	before, err := readBefore(ctx, a.conn(hp), hp, j)
	if err != nil {
		return j, err
	}
	now := a.Now().UTC().Truncate(1e9)
	for _, act := range before.acts(hp) {
		if !j.Did(act.Kind, act.Path) {
			act.Time = now
			j.Acts = append(j.Acts, act)
		}
	}
	return j, a.saveJournal(ctx, hp, j)
}

func (a *applyRun) installBinary(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	src, err := release.ParseSource(a.req.Inventory.K3s.Source)
	if err != nil {
		return err
	}
	r.Note("fetching k3s %s", a.plan.Version)
	art, err := a.Releases.K3s(ctx, a.plan.Version, hp.Arch, src, func(done, total int64) { r.Progress(done, total, "B") })
	if err != nil {
		return fmt.Errorf("fetching k3s %s for %s: %w", a.plan.Version, hp.Arch, err)
	}
	if art.SHA256 != hp.Binary.SHA256 {
		return fmt.Errorf("k3s %s for %s has sha256 %s, the plan was made for %s: plan again", a.plan.Version, hp.Arch, art.SHA256, hp.Binary.SHA256)
	}
	hp.Binary.Size = art.Size
	f, err := art.Open() // verifies once more while it is read
	if err != nil {
		return fmt.Errorf("reading the fetched k3s: %w", err)
	}
	defer f.Close()
	r.Note("uploading k3s %s", a.plan.Version)
	file := remote.File{Path: BinaryPath, Mode: 0o755, Size: art.Size}
	if err := a.conn(hp).WriteFile(ctx, file, f, func(n int64) { r.Progress(n, art.Size, "B") }); err != nil {
		return fmt.Errorf("uploading %s: %w", BinaryPath, err)
	}
	return nil
}

func writeFile(ctx context.Context, c Conn, name string, mode fs.FileMode, content []byte) error {
	return c.WriteFile(ctx, remote.File{Path: name, Mode: mode, Size: int64(len(content))}, bytes.NewReader(content), nil)
}

func removeFiles(ctx context.Context, c Conn, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	if _, err := c.Run(ctx, remote.Cmd{Args: append([]string{"rm", "-f", "--"}, paths...), Root: true}); err != nil {
		return fmt.Errorf("removing %s: %w", strings.Join(paths, " "), err)
	}
	return nil
}

func enableUnit(ctx context.Context, c Conn, unit string) error {
	_, err := c.Run(ctx, remote.Cmd{Args: []string{"sh", "-c", `systemctl daemon-reload && systemctl enable --quiet "$1"`, "enable", unit}, Root: true})
	if err != nil {
		return fmt.Errorf("enabling %s: %w", unit, err)
	}
	return nil
}

// k3sTrees are the directories that k3s fills while it runs.
func k3sTrees(dataDir string) []string {
	return []string{dataDir, "/var/lib/kubelet", "/usr/libexec/kubernetes", "/etc/rancher/node", "/var/lib/cni", "/run/k3s", "/run/flannel"}
}

// backupDir holds what gpuboot replaced.
const backupDir = "/var/lib/gpuboot/backup"

// keptLimit is how many entries of an older tree a journal lists.
const keptLimit = 1000

// before is what stood on a host before gpuboot's first change.
type before struct {
	madeDirs []string            // directories that did not exist
	saved    map[string]string   // replaced file -> its backup
	kept     map[string][]string // tree -> what it holds
}

// beforeScript makes directories, saves files and lists trees, and says what it
// found: `dir PATH` for one it made, `file PATH BACKUP` for one it saved, `kept
// TREE PATH` for what a tree held. Arguments: -d DIRS -f FILES -t TREES.
const beforeScript = `set -eu; umask 022; kind=
for a; do
  case $a in -d|-f|-t) kind=$a; continue;; esac
  case $kind in
  -d) [ -d "$a" ] || { mkdir "$a"; echo "dir $a"; };;
  -f) if [ -e "$a" ]; then b="` + backupDir + `$a"; mkdir -p -m 0700 "` + backupDir + `"; mkdir -p "$(dirname "$b")"; [ -e "$b" ] || cp -a "$a" "$b"; echo "file $a $b"; fi;;
  -t) [ ! -d "$a" ] || find "$a" -mindepth 1 | head -n 1000 | while IFS= read -r p; do printf 'kept %s %s\n' "$a" "$p"; done;;
  esac
done`

// readBefore looks and saves once: what an earlier run journalled is not looked
// at again, since it is gpuboot's by now.
func readBefore(ctx context.Context, c Conn, hp *HostPlan, j Journal) (before, error) {
	args := []string{"sh", "-c", beforeScript, "before", "-d"}
	args = append(args, "/var/lib/gpuboot", "/usr/local/bin", "/etc/rancher", configDir, path.Dir(dataDir(hp.Host)))
	args = append(args, "-f")
	for _, p := range hp.paths() {
		if !j.Did(ActFile, p) && !j.Did(ActUnit, p) {
			args = append(args, p)
		}
	}
	args = append(args, "-t")
	for _, t := range k3sTrees(dataDir(hp.Host)) {
		if !j.Did(ActTree, t) {
			args = append(args, t)
		}
	}
	res, err := c.Run(ctx, remote.Cmd{Args: args, Root: true})
	if err != nil {
		return before{}, fmt.Errorf("making directories and saving files that are to be replaced: %w", err)
	}
	return parseBefore(string(res.Stdout)), nil
}

// paths are all files that gpuboot, or k3s outside its own trees, writes on a
// host; gpuboot's journal is not among them.
func (hp *HostPlan) paths() []string {
	out := []string{BinaryPath}
	if hp.Member.Role == roleServer {
		out = append(out, kubeconfigPath)
	}
	for _, f := range hp.Files {
		out = append(out, f.Path)
	}
	return out
}

func parseBefore(out string) before {
	b := before{saved: map[string]string{}, kept: map[string][]string{}}
	for line := range strings.Lines(out) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		first, second, _ := strings.Cut(rest, " ")
		switch kind {
		case "dir":
			b.madeDirs = append(b.madeDirs, rest)
		case "file":
			b.saved[first] = second
		case "kept":
			b.kept[first] = append(b.kept[first], second)
		}
	}
	return b
}

// acts are the journal's entries for everything gpuboot and k3s are about to
// touch, in the order they happen.
func (b before) acts(hp *HostPlan) []Act {
	var out []Act
	for _, d := range b.madeDirs {
		out = append(out, Act{Kind: ActDir, Path: d})
	}
	unit := UnitPath(hp.Member.Role)
	for _, p := range hp.paths() {
		if p != unit {
			out = append(out, Act{Kind: ActFile, Path: p, Backup: b.saved[p]})
		}
	}
	for _, t := range k3sTrees(dataDir(hp.Host)) {
		if len(b.kept[t]) < keptLimit { // a fuller tree is not gpuboot's to empty
			out = append(out, Act{Kind: ActTree, Path: t, Kept: b.kept[t]})
		}
	}
	return append(out, Act{Kind: ActUnit, Path: unit, Backup: b.saved[unit]})
}
