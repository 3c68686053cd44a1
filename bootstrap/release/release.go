// Package release knows where k3s executables come from and proves that what came is what was meant.
//
// It holds the pinned versions, builds the addresses of a release's files, reads its list of checksums, fetches the
// executable once into a cache, and writes down what it saw in a lock file beside the inventory: from then on another
// digest for the same version stops the run.
//
// It does not install anything, does not talk to hosts, and never asks a channel server which version is the newest.
package release

import (
	"errors"
	"fmt"
	"regexp"
)

// An Artefact is one file of a release for one architecture.
type Artefact struct {
	Name    string // file name in the release: "k3s" or "k3s-arm64"
	Version string // release tag, such as "v1.36.5+k3s1"
	Arch    string // Go's name: "amd64" or "arm64"
	SHA256  string // 64 lower-case hex digits
	Size    int64  // bytes; -1 when the server did not say (only from Peek)
	Path    string // the local file whose content had this digest; empty from Peek
	// Origin says in words that fit a plan line where the bytes come from. A local file without a list of checksums
	// says so here, because then nobody but the file itself vouches for the digest.
	Origin string
	Cached bool // the cache already had it: nothing was downloaded
}

// tagForm is the form of a k3s release tag or of the version of a development build. It allows no slash and no leading
// dot, so a tag can be part of a path or an address without further care.
var tagForm = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?\+k3s[0-9A-Za-z.-]*$`)

// CheckTag says whether a version looks like a k3s release tag. It does not say that such a release exists.
func CheckTag(version string) error {
	if tagForm.MatchString(version) {
		return nil
	}
	return &Error{Doing: fmt.Sprintf("reading the k3s version %q", version), Class: ErrTag,
		Advice: "write the whole release tag, for example k3s.version: " + Default}
}

// fileNames gives the names of the executable and of the list of checksums in a release.
func fileNames(arch string) (binary, list string, err error) {
	switch arch {
	case "amd64":
		return "k3s", "sha256sum-amd64.txt", nil
	case "arm64":
		return "k3s-arm64", "sha256sum-arm64.txt", nil
	}
	return "", "", &Error{Doing: fmt.Sprintf("choosing a k3s executable for %q", arch), Class: ErrArch,
		Err: errors.New("k3s is taken for amd64 and arm64")}
}
