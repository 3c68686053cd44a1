package release

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// noList is the part of Origin that a plan must show: only the file vouches for itself.
const noList = ", no published list"

// local reads a k3s executable on this machine: the file itself, or the right one in a folder with the files of a
// release. A list of checksums beside it (sha256sum-<arch>.txt) must agree; without one the file's own digest counts.
func (s *Store) local(ctx context.Context, r request, progress func(done, total int64)) (Artefact, error) {
	path := r.src.Path
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, r.name)
		_, err = os.Stat(path)
	}
	if err != nil {
		return Artefact{}, localError(path, err)
	}
	if err := checkMachine(path, r.arch); err != nil {
		return Artefact{}, err
	}
	sum, size, err := s.digestOf(ctx, path, progress)
	if err != nil {
		return Artefact{}, fmt.Errorf("reading %s: %w", path, err)
	}
	art := r.artefact(sum, size)
	art.Path, art.Cached, art.Origin = path, true, "local file "+path
	return r.vouch(art)
}

// vouch holds a local file against the list of checksums beside it, if there is one.
func (r request) vouch(art Artefact) (Artefact, error) {
	listPath := filepath.Join(filepath.Dir(art.Path), r.list)
	data, err := os.ReadFile(listPath)
	if errors.Is(err, fs.ErrNotExist) {
		art.Origin += noList
		return art, nil
	}
	var want string
	if err == nil {
		want, err = pick(data, filepath.Base(art.Path), r.name)
	}
	if err != nil {
		return Artefact{}, &Error{Doing: "reading " + listPath, Class: ErrChecksum, Err: err,
			Advice: "take the list from the same release as the executable, or remove it if you built k3s yourself"}
	}
	if want != art.SHA256 {
		return Artefact{}, &Error{Doing: "checking " + art.Path, Class: ErrChecksum,
			Err: fmt.Errorf("sha256 is %s, %s says %s", art.SHA256, r.list, want)}
	}
	art.Origin += ", checked against " + r.list
	return art, nil
}

// checkMachine refuses a file that the hosts could not run.
func checkMachine(path, arch string) error {
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	f, err := elf.Open(path)
	if err != nil {
		var form *elf.FormatError
		if errors.As(err, &form) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return &Error{Doing: "reading " + path, Class: ErrSource, Err: errors.New("it is no Linux executable"),
				Advice: "k3s.source takes the k3s file of a release, not an archive or a script"}
		}
		return localError(path, err)
	}
	defer f.Close()
	if f.Machine != machines[arch] {
		return &Error{Doing: "reading " + path, Class: ErrArch, Err: fmt.Errorf("built for %s, the host needs %s", f.Machine, arch),
			Advice: "put k3s and k3s-arm64 into one folder and name the folder in k3s.source"}
	}
	return nil
}

func localError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Doing: "reading " + path, Class: ErrNotFound, Err: err,
			Advice: "k3s.source is read relative to the inventory's folder"}
	}
	return fmt.Errorf("reading the k3s executable: %w", err)
}
