package release

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// lockFormat is the only form of the lock file that this program reads or writes.
const lockFormat = 1

const lockAbout = "Digests of what gpuboot installed. From now on another digest for the same version stops the run. " +
	"Keep this file beside the inventory and under version control."

// lockFile is the content of the lock file: JSON, because the standard library reads it strictly.
type lockFile struct {
	About     string      `json:"about"`
	Format    int         `json:"format"`
	Artefacts []lockEntry `json:"artefacts"`
}

// lockEntry is one artefact as it was first seen. Name, version and arch are its key; the source is not: the same
// version from another source must be the same bytes.
type lockEntry struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Arch      string `json:"arch"`
	SHA256    string `json:"sha256"`
	Size      int64  `json:"size"`
	Origin    string `json:"origin"`
	FirstSeen string `json:"firstSeen"` // day in UTC, 2006-01-02
}

// key orders and identifies entries.
func (e lockEntry) key() string { return e.Name + "\x00" + e.Version + "\x00" + e.Arch }

// readLock reads a lock file. No file, or no path, is an empty lock.
func readLock(path string) (lockFile, error) {
	empty := lockFile{About: lockAbout, Format: lockFormat}
	if path == "" {
		return empty, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return lockFile{}, fmt.Errorf("reading the lock file: %w", err)
	}
	lock, err := parseLock(data)
	if err != nil {
		return lockFile{}, &Error{Doing: "reading " + path, Class: ErrLock, Err: err,
			Advice: "repair it or take it from version control; without it digests are recorded anew"}
	}
	return lock, nil
}

// parseLock reads the content of a lock file and refuses everything that this program could not write again whole.
func parseLock(data []byte) (lockFile, error) {
	var head struct{ Format int }
	if err := json.Unmarshal(data, &head); err != nil {
		return lockFile{}, err
	}
	if head.Format != lockFormat {
		return lockFile{}, fmt.Errorf("format %d, and this gpuboot knows only %d", head.Format, lockFormat)
	}
	var lock lockFile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&lock); err != nil {
		return lockFile{}, err
	}
	seen := map[string]bool{}
	for _, e := range lock.Artefacts {
		if !isDigest(e.SHA256) {
			return lockFile{}, fmt.Errorf("%s %s %s: %q is no sha256", e.Name, e.Version, e.Arch, shorten(e.SHA256))
		}
		if seen[e.key()] {
			return lockFile{}, fmt.Errorf("%s %s %s stands there twice", e.Name, e.Version, e.Arch)
		}
		seen[e.key()] = true
	}
	return lock, nil
}

// find gives the entry with the key of the wanted one.
func (l lockFile) find(want lockEntry) (lockEntry, bool) {
	for _, e := range l.Artefacts {
		if e.key() == want.key() {
			return e, true
		}
	}
	return lockEntry{}, false
}

// write replaces the lock file in one step; readers see the old content or the new.
func (l lockFile) write(path string) error {
	l.About = lockAbout
	slices.SortFunc(l.Artefacts, func(a, b lockEntry) int { return cmp.Compare(a.key(), b.key()) })
	data, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer os.Remove(tmp.Name()) // nothing is left there after the rename
	_, err = tmp.Write(append(data, '\n'))
	// It holds no secret, and colleagues read it from version control.
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
