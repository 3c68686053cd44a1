package bootstrap

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// stopScript ends k3s on a host; see its own comment.
//
//go:embed stop.sh
var stopScript string

// undoScript undoes a journal's acts, newest first, and the journal itself
// last, so that an interrupted `down` can be run again.
func undoScript(j Journal) string {
	var b strings.Builder
	b.WriteString("set -u\n")
	for _, a := range slices.Backward(j.Acts) {
		b.WriteString(undoLine(a))
	}
	fmt.Fprintf(&b, "systemctl daemon-reload\n")
	fmt.Fprintf(&b, "rm -rf -- %s\nrm -f -- %s\n", remote.Quote(backupDir), remote.Quote(JournalPath, lockPath))
	for _, a := range slices.Backward(j.Acts) {
		if a.Kind == ActDir {
			fmt.Fprintf(&b, "rmdir -- %s 2>/dev/null\n", remote.Quote(a.Path))
		}
	}
	b.WriteString("exit 0\n")
	return b.String()
}

func undoLine(a Act) string {
	p := remote.Quote(a.Path)
	switch {
	case a.Kind == ActDir:
		return "" // after everything else: only an empty one goes
	case a.Kind == ActTree:
		return undoTree(a)
	case a.Backup != "":
		return fmt.Sprintf("[ ! -e %[2]s ] || mv -f -- %[2]s %[1]s\n", p, remote.Quote(a.Backup))
	default:
		return fmt.Sprintf("rm -f -- %s\n", p)
	}
}

// undoTree removes a tree, or, where it held something before, all of it but
// that. --one-file-system semantics come from find's -xdev: a disk mounted
// below is never emptied.
func undoTree(a Act) string {
	p := remote.Quote(a.Path)
	if len(a.Kept) == 0 {
		return fmt.Sprintf("[ ! -e %[1]s ] || rm -rf --one-file-system -- %[1]s\n", p)
	}
	var keep strings.Builder
	for _, k := range a.Kept {
		fmt.Fprintf(&keep, " ! -path %s", remote.Quote(escapeGlob(k)))
	}
	return fmt.Sprintf("find %s -xdev -depth -mindepth 1%s -delete 2>/dev/null\n", p, keep.String())
}

// escapeGlob makes find's -path match a name literally.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

// lines is a writer that passes a command's output on, line by line.
type lines struct {
	each    func(line string)
	mu      sync.Mutex
	partial string
}

// Write takes output.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.partial + string(p)
	for {
		line, rest, whole := strings.Cut(text, "\n")
		if !whole {
			l.partial = line
			return len(p), nil
		}
		l.each(line)
		text = rest
	}
}
