package facts

import (
	"errors"
	"slices"
	"strings"
)

// readMounts reads lines of /proc/self/mounts that the probe picked, and its
// count of those that belong to pods.
func readMounts(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		if n, ok := strings.CutPrefix(line, "# pods "); ok {
			f.K3s.PodMounts, _ = atoi(n)
			continue
		}
		if m, ok := parseMount(line); ok {
			f.Mounts = append(f.Mounts, m)
		}
	}
	if len(f.Mounts) == 0 {
		return errors.New("no mount table: " + evidence(s.body))
	}
	return nil
}

// parseMount reads "source path type options 0 0"; see fstab(5) for the octal
// escapes.
func parseMount(line string) (Mount, bool) {
	w := strings.Fields(line)
	if len(w) < 4 {
		return Mount{}, false
	}
	un := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	return Mount{Source: un.Replace(w[0]), Path: un.Replace(w[1]), Type: w[2], Options: strings.Split(w[3], ",")}, true
}

// Has says whether a mount option is set.
func (m Mount) Has(option string) bool { return slices.Contains(m.Options, option) }

// mountOf gives the mount that a path without symbolic links lies on. The last
// of two on one point hides the first.
func (f *Facts) mountOf(path string) (Mount, bool) {
	best, found := Mount{}, false
	for _, m := range f.Mounts {
		if within(path, m.Path) && len(m.Path) >= len(best.Path) {
			best, found = m, true
		}
	}
	return best, found
}

// within says whether path is dir or lies in it.
func within(path, dir string) bool {
	return dir == "/" || path == dir || strings.HasPrefix(path, dir+"/")
}
