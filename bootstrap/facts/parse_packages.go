package facts

import (
	"fmt"
	"strings"
)

// readLocks reads "path pid program" lines of package locks that are held.
func readLocks(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		w := strings.Fields(line)
		if len(w) < 2 {
			return fmt.Errorf("lock line %q", line)
		}
		pid, _ := atoi(w[1])
		f.Packages.Locks = append(f.Packages.Locks, PackageLock{Path: w[0], PID: pid, Name: strings.Join(w[2:], " ")})
	}
	return nil
}

// readReboot reads the flag, then the packages that set it.
func readReboot(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		if line == "required=yes" {
			f.Packages.RebootRequired = true
			continue
		}
		f.Packages.RebootFor = append(f.Packages.RebootFor, line)
	}
	return nil
}
