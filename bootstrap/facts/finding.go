package facts

import (
	"cmp"
	"slices"

	"github.com/gpuboot/gpuboot/inventory"
)

// Severity says what a finding stops.
type Severity string

// The severities, worst first.
const (
	// Block means that nothing may be written anywhere.
	Block Severity = "block"
	// Warn means that the cluster may come up, but something will not work well.
	Warn Severity = "warn"
	// Info is worth knowing.
	Info Severity = "info"
)

func (s Severity) rank() int { return slices.Index([]Severity{Block, Warn, Info}, s) }

// Finding is one thing that is, or may become, wrong on a host.
type Finding struct {
	// ID is the rule's, see [Rules].
	ID       string
	Severity Severity
	// Host is the name in the inventory; "" for what concerns all.
	Host string
	// Summary says in one sentence what is wrong and what follows from it.
	Summary string
	// Evidence is what was seen on the host.
	Evidence string
	// Fix is a command to type on the host, a line of the inventory, or advice.
	Fix string
	// GpubootFixes says that gpuboot does it by itself.
	GpubootFixes bool
	// Mutual says that it concerns other hosts as much as Host: those that cannot
	// reach it.
	Mutual bool
}

// Check judges the facts of all hosts, by their names in the inventory.
// k3sVersion is the release to be installed, such as v1.36.2+k3s1. A host
// without facts is not judged. The findings are sorted: worst first, then by
// rule, then as the hosts stand in the inventory.
func Check(inv *inventory.Inventory, all map[string]*Facts, k3sVersion string) []Finding {
	s := newScene(inv, all, k3sVersion)
	var out []Finding
	for _, r := range rules() {
		for _, h := range s.run(r) {
			out = append(out, r.finding(h))
		}
	}
	place := map[string]int{"": -1}
	for i, h := range inv.Hosts {
		place[h.Name] = i
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(a.ID, b.ID),
			cmp.Compare(place[a.Host], place[b.Host]))
	})
	return out
}

// Blocking says whether any of the findings forbids to write.
func Blocking(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Block })
}

// Rule describes one check, for the documentation.
type Rule struct {
	ID string
	// Severity is the worst that the rule gives.
	Severity Severity
	// Meaning says what is checked and why.
	Meaning string
	// Fix is the general advice; a finding may carry a more exact one.
	Fix string
	// GpubootFixes says that gpuboot does it by itself.
	GpubootFixes bool
}

// Rules lists every check, sorted by id.
func Rules() []Rule {
	var out []Rule
	for _, r := range rules() {
		out = append(out, r.Rule)
	}
	slices.SortFunc(out, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
