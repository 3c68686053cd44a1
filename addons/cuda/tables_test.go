package cuda

import (
	"strings"
	"testing"
	"time"
)

func TestBranchesClimb(t *testing.T) {
	t.Parallel()
	all := Branches()
	for i, b := range all {
		lowest, err := ParseDriver(b.Lowest)
		if err != nil || lowest.Branch != b.Branch {
			t.Errorf("branch %d: lowest driver %q: %v", b.Branch, b.Lowest, err)
		}
		if i > 0 && (b.Branch <= all[i-1].Branch || !all[i-1].CUDA.Less(b.CUDA)) {
			t.Errorf("branch %d with CUDA %s does not follow %d with %s", b.Branch, b.CUDA, all[i-1].Branch, all[i-1].CUDA)
		}
		if _, err := time.Parse("2006-01", b.Until); b.Until != "" && err != nil {
			t.Errorf("branch %d: %v", b.Branch, err)
		}
	}
}

func TestArchitecturesAreConsistent(t *testing.T) {
	t.Parallel()
	all := Architectures()
	for i, a := range all {
		if i > 0 && !all[i-1].Capability.Less(a.Capability) {
			t.Errorf("%s does not follow %s", a.Capability, all[i-1].Capability)
		}
		if a.First.IsZero() || a.LastMajor != 0 && a.LastMajor < a.First.Major {
			t.Errorf("%s: first CUDA %s, last major %d", a.Capability, a.First, a.LastMajor)
		}
		if (a.LastMajor == 0) != (a.LastBranch == 0) {
			t.Errorf("%s: dropped by CUDA after %d and by drivers after %d", a.Capability, a.LastMajor, a.LastBranch)
		}
	}
}

func TestProductsAreReachable(t *testing.T) {
	t.Parallel()
	for _, p := range Products() {
		name := strings.NewReplacer("#", "1", "%", "5", "*", "").Replace(p.Words)
		got, ok := FindProduct(name)
		if !ok || got.Capability != p.Capability {
			t.Errorf("%q is hidden behind %q (%s)", p.Words, got.Words, got.Capability)
		}
		if p.Lowest != "" {
			if _, err := ParseDriver(p.Lowest); err != nil {
				t.Errorf("%q: %v", p.Words, err)
			}
		}
		if _, ok := p.Architecture(); !ok && p.Class != Jetson {
			t.Errorf("%q: compute capability %s has no architecture", p.Words, p.Capability)
		}
	}
}

func TestEveryTableHasASource(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Sources() {
		seen[s.Table] = true
		if _, err := time.Parse(time.DateOnly, s.Read); err != nil || len(s.From) == 0 {
			t.Errorf("%s: read %q, from %q", s.Table, s.Read, s.From)
		}
		for _, from := range s.From {
			if !strings.HasPrefix(from, "https://") {
				t.Errorf("%s: %q is no address", s.Table, from)
			}
		}
	}
	for _, table := range []string{"Branches", "MinorFloor", "Architectures", "Products", "Forward"} {
		if !seen[table] {
			t.Errorf("%s has no source", table)
		}
	}
}
