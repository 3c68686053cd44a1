package facts

import (
	"fmt"
	"slices"
	"strings"
)

// readCgroup reads the probe's finding: the version, then either the line of
// controllers (v2) or the table of /proc/cgroups (v1).
func readCgroup(f *Facts, s section) error {
	v := values(s.body)
	switch v["version"] {
	case "2":
		f.CgroupVersion, f.CgroupControllers = 2, strings.Fields(v["controllers"])
		if len(f.CgroupControllers) == 0 {
			f.unknown("cgroup.controllers", "cgroup.controllers is empty")
		}
	case "1":
		f.CgroupVersion, f.CgroupControllers = 1, parseProcCgroups(s.body)
		if len(f.CgroupControllers) == 0 {
			return fmt.Errorf("no controller in /proc/cgroups: %s", evidence(s.body))
		}
	default:
		return fmt.Errorf("version %q", v["version"])
	}
	slices.Sort(f.CgroupControllers)
	return nil
}

// parseProcCgroups gives the enabled controllers of /proc/cgroups: lines of
// name, hierarchy, number of groups, enabled.
func parseProcCgroups(text string) []string {
	var out []string
	for _, line := range lines(text) {
		w := strings.Fields(line)
		if len(w) == 4 && !strings.HasPrefix(line, "#") && w[3] == "1" {
			out = append(out, w[0])
		}
	}
	return out
}
