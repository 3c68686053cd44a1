package facts

import (
	"errors"
	"slices"
	"strings"
)

func readOS(f *Facts, s section) error {
	f.OS = parseOSRelease(s.body)
	if f.OS.ID == "" {
		return errors.New("os-release has no ID")
	}
	return nil
}

func readDGX(f *Facts, s section) error {
	f.OS.DGX = shellVariables(s.body)["DGX_NAME"]
	return nil
}

// parseOSRelease reads /etc/os-release. A file without ID= is a "linux" by its
// specification; here it stays empty, because nothing can be built on it.
func parseOSRelease(text string) OS {
	v := shellVariables(text)
	return OS{
		ID:         strings.ToLower(v["ID"]),
		VersionID:  v["VERSION_ID"],
		PrettyName: v["PRETTY_NAME"],
		IDLike:     strings.Fields(strings.ToLower(v["ID_LIKE"])),
	}
}

// shellVariables reads the assignments of an os-release style file. Values may
// be bare, or quoted as a shell would read them.
func shellVariables(text string) map[string]string {
	out := map[string]string{}
	for _, line := range lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if k, v, ok := strings.Cut(line, "="); ok {
			out[k] = unquote(v)
		}
	}
	return out
}

// unquote takes shell quotes off a value; os-release(5) allows backslashes
// before $, ", \ and ` within double quotes.
func unquote(v string) string {
	if len(v) >= 2 && v[0] == '\'' && v[len(v)-1] == '\'' {
		return v[1 : len(v)-1]
	}
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\$`, `$`, "\\`", "`").Replace(v[1 : len(v)-1])
}

// Like says whether the distribution is id or descends from it.
func (o OS) Like(id string) bool {
	if o.ID == id {
		return true
	}
	return slices.Contains(o.IDLike, id)
}
