// Package vfs is the file system of a simulated host: files and folders in
// memory with modes, owners and times, and a limit on the bytes they may have.
// It has no links, no devices and no permissions: whoever asks is root.
package vfs

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// keep is how much of a file's content is kept. What is larger is only hashed
// and counted: a thousand hosts with an executable each would not fit.
const keep = 32 << 10

// Info describes a file or folder.
type Info struct {
	Path  string
	Dir   bool
	Mode  fs.FileMode // permission bits
	Owner string      // "user:group"
	Size  int64
	MTime time.Time
	Sum   string // SHA-256 of a file's content, in hex
}

type node struct {
	Info
	head []byte // the first keep bytes
}

// FS is one host's files. Its methods may be called at the same time. Paths are
// absolute. Errors are the system's own numbers (ENOENT, ENOSPC and so on), as
// [fs.PathError].
type FS struct {
	now func() time.Time

	mu      sync.Mutex
	nodes   map[string]*node
	used    int64
	limit   int64 // 0 is no limit
	changes int64
}

// New makes a file system with a root folder.
func New(now func() time.Time) *FS {
	f := &FS{now: now, nodes: map[string]*node{}}
	f.nodes["/"] = &node{Info: Info{Path: "/", Dir: true, Mode: 0o755, Owner: root, MTime: now()}}
	return f
}

const root = "root:root"

// Limit makes writes fail like a full disk once files have n bytes together; 0
// ends that.
func (f *FS) Limit(n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limit = n
}

// Used is how many bytes files have together.
func (f *FS) Used() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.used
}

// Changes counts everything that was ever changed, so that equal counts mean
// that nothing was.
func (f *FS) Changes() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changes
}

func clean(name string) string { return path.Clean("/" + name) }

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// Stat describes a file or folder.
func (f *FS) Stat(name string) (Info, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.nodes[clean(name)]
	if !ok {
		return Info{}, failed("stat", name, syscall.ENOENT)
	}
	return n.Info, nil
}

// Exists says whether there is something at a path.
func (f *FS) Exists(name string) bool {
	_, err := f.Stat(name)
	return err == nil
}

// Read gives the content of a file, of a large one the beginning.
func (f *FS) Read(name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.nodes[clean(name)]
	switch {
	case !ok:
		return nil, failed("open", name, syscall.ENOENT)
	case n.Dir:
		return nil, failed("read", name, syscall.EISDIR)
	}
	return slices.Clone(n.head), nil
}

// List gives what lies in a folder, sorted by name.
func (f *FS) List(dir string) []Info { return f.find(dir, false) }

// Tree gives everything below a folder, parents before children.
func (f *FS) Tree(dir string) []Info { return f.find(dir, true) }

func (f *FS) find(dir string, deep bool) []Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	lead := strings.TrimSuffix(clean(dir), "/") + "/"
	var out []Info
	for p, n := range f.nodes {
		rest, ok := strings.CutPrefix(p, lead)
		if ok && rest != "" && (deep || !strings.Contains(rest, "/")) {
			out = append(out, n.Info)
		}
	}
	slices.SortFunc(out, func(a, b Info) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
