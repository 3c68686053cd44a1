package vfs

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"syscall"
)

// Create makes a file that replaces an older one and is filled by writing. It
// is there, empty, at once, as on a real host. Closing gives it its hash.
func (f *FS) Create(name string, mode fs.FileMode) (io.WriteCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name = clean(name)
	if err := f.parent("open", name); err != nil {
		return nil, err
	}
	n := &node{Info: Info{Path: name, Mode: mode.Perm(), Owner: root, MTime: f.now(), Sum: sum(nil)}}
	if old := f.nodes[name]; old != nil {
		if old.Dir {
			return nil, failed("open", name, syscall.EISDIR)
		}
		f.used -= old.Size
		n.Mode, n.Owner = old.Mode, old.Owner
	}
	f.nodes[name] = n
	f.changes++
	return &file{fs: f, node: n, hash: sha256.New()}, nil
}

type file struct {
	fs   *FS
	node *node
	hash hash.Hash
}

// Write adds to the file, as far as the disk has room.
func (w *file) Write(p []byte) (int, error) {
	w.fs.mu.Lock()
	defer w.fs.mu.Unlock()
	n := w.node
	if max := w.fs.limit; max > 0 && w.fs.used+int64(len(p)) > max {
		return 0, failed("write", n.Path, syscall.ENOSPC)
	}
	w.hash.Write(p)
	if room := keep - len(n.head); room > 0 {
		n.head = append(n.head, p[:min(room, len(p))]...)
	}
	n.Size += int64(len(p))
	w.fs.used += int64(len(p))
	return len(p), nil
}

// Close gives the file its time and hash.
func (w *file) Close() error {
	w.fs.mu.Lock()
	defer w.fs.mu.Unlock()
	w.node.MTime = w.fs.now()
	w.node.Sum = hex.EncodeToString(w.hash.Sum(nil))
	return nil
}
