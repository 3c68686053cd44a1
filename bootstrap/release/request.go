package release

import "strings"

// request is one checked question: which file of which release from where.
type request struct {
	name, list    string
	version, arch string
	src           Source
}

func newRequest(version, arch string, src Source) (request, error) {
	if err := CheckTag(version); err != nil {
		return request{}, err
	}
	name, list, err := fileNames(arch)
	if err != nil {
		return request{}, err
	}
	return request{name: name, list: list, version: version, arch: arch, src: src}, nil
}

// key is equal for two requests that may share one download.
func (r request) key() string {
	return strings.Join([]string{r.name, r.version, r.arch, string(r.src.Kind), r.src.URL, r.src.Path}, "\x00")
}

// entry is a lock entry with only the key filled.
func (r request) entry() lockEntry {
	return lockEntry{Name: r.name, Version: r.version, Arch: r.arch}
}

// artefact is the answer as far as it is known before the file is here.
func (r request) artefact(sum string, size int64) Artefact {
	return Artefact{Name: r.name, Version: r.version, Arch: r.arch, SHA256: sum, Size: size,
		Origin: r.src.Origin(r.version, r.name)}
}

func entryOf(a Artefact) lockEntry {
	return lockEntry{Name: a.Name, Version: a.Version, Arch: a.Arch, SHA256: a.SHA256, Size: a.Size, Origin: a.Origin}
}
