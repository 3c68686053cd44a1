package bootstrap

import (
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// remains lists what is still on a host of what gpuboot and k3s put there.
func remains(hp *HostPlan, f *facts.Facts) []string {
	var left []string
	if f.K3s.Processes {
		left = append(left, "k3s processes")
	}
	if f.K3s.Role != "" {
		left = append(left, "a k3s unit")
	}
	for _, a := range hp.Journal.Acts {
		if _, there := f.Files[a.Path]; there && a.Backup == "" && (a.Kind == ActFile || a.Kind == ActUnit) {
			left = append(left, a.Path)
		}
	}
	if len(f.Journal) > 0 {
		left = append(left, JournalPath)
	}
	for _, trace := range f.K3s.Own {
		was := trace == configDir && !hp.Journal.Did(ActDir, trace) // gpuboot did not make it
		if !was && !hp.Journal.kept(trace) {
			left = append(left, trace)
		}
	}
	return left
}

// RemainsError lists what `down` could not take away.
type RemainsError struct{ Left []string }

// Error lists it.
func (e *RemainsError) Error() string { return "still there: " + strings.Join(e.Left, ", ") }

// Hint says what usually helps.
func (e *RemainsError) Hint() string {
	return "a busy mount or a stuck process: look with `findmnt` and `ps`, or reboot the host, then run gpuboot down again"
}
