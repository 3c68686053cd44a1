package vfs

import (
	"io/fs"
	"path"
	"strings"
	"syscall"
)

// parent says what is wrong with the folder that something is to be made in.
func (f *FS) parent(op, name string) error {
	switch n, ok := f.nodes[path.Dir(name)]; {
	case !ok:
		return failed(op, name, syscall.ENOENT)
	case !n.Dir:
		return failed(op, name, syscall.ENOTDIR)
	}
	return nil
}

// Mkdir makes a folder.
func (f *FS) Mkdir(name string, mode fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	name = clean(name)
	if f.nodes[name] != nil {
		return failed("mkdir", name, syscall.EEXIST)
	}
	if err := f.parent("mkdir", name); err != nil {
		return err
	}
	f.nodes[name] = &node{Info: Info{Path: name, Dir: true, Mode: mode.Perm(), Owner: root, MTime: f.now()}}
	f.changes++
	return nil
}

// MkdirAll makes a folder with its parents; one that is there is no error.
func (f *FS) MkdirAll(name string, mode fs.FileMode) error {
	if info, err := f.Stat(name); err == nil && info.Dir {
		return nil
	}
	if up := path.Dir(clean(name)); up != "/" {
		if err := f.MkdirAll(up, 0o755); err != nil {
			return err
		}
	}
	return f.Mkdir(name, mode)
}

// Write makes or replaces a file. Its folder must exist.
func (f *FS) Write(name string, data []byte, mode fs.FileMode) error {
	w, err := f.Create(name, mode)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

// Put is Write with the folders on the way.
func (f *FS) Put(name string, data []byte, mode fs.FileMode) error {
	if err := f.MkdirAll(path.Dir(clean(name)), 0o755); err != nil {
		return err
	}
	return f.Write(name, data, mode)
}

// Rename moves a file over another, or a folder to where nothing is.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	from, to = clean(from), clean(to)
	n, ok := f.nodes[from]
	if !ok {
		return failed("rename", from, syscall.ENOENT)
	}
	if err := f.parent("rename", to); err != nil {
		return err
	}
	if old := f.nodes[to]; old != nil {
		if old.Dir {
			return failed("rename", to, syscall.EISDIR)
		}
		f.used -= old.Size
	}
	for p, child := range f.nodes {
		if rest, below := strings.CutPrefix(p, from+"/"); below && n.Dir {
			delete(f.nodes, p)
			child.Path = to + "/" + rest
			f.nodes[child.Path] = child
		}
	}
	delete(f.nodes, from)
	n.Path = to
	f.nodes[to] = n
	f.changes++
	return nil
}

// Remove removes a file or an empty folder.
func (f *FS) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	name = clean(name)
	n, ok := f.nodes[name]
	if !ok {
		return failed("remove", name, syscall.ENOENT)
	}
	for p := range f.nodes {
		if n.Dir && strings.HasPrefix(p, name+"/") {
			return failed("remove", name, syscall.ENOTEMPTY)
		}
	}
	f.drop(name)
	return nil
}

// RemoveAll removes a file or folder with all in it; nothing there is fine.
func (f *FS) RemoveAll(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name = clean(name)
	for p := range f.nodes {
		if p == name || strings.HasPrefix(p, strings.TrimSuffix(name, "/")+"/") {
			f.drop(p)
		}
	}
}

func (f *FS) drop(name string) {
	f.used -= f.nodes[name].Size
	delete(f.nodes, name)
	f.changes++
}

// Chmod sets the permission bits.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	return f.change("chmod", name, func(n *node) { n.Mode = mode.Perm() })
}

// Chown sets the owner, "user:group".
func (f *FS) Chown(name, owner string) error {
	return f.change("chown", name, func(n *node) { n.Owner = owner })
}

func (f *FS) change(op, name string, do func(*node)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.nodes[clean(name)]
	if !ok {
		return failed(op, name, syscall.ENOENT)
	}
	do(n)
	f.changes++
	return nil
}
