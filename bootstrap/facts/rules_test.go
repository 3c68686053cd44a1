package facts

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

func (c ruleCase) judge(t *testing.T, found []Finding) {
	t.Helper()
	if c.want == "" {
		if len(found) != 0 {
			t.Fatalf("found %+v, want nothing", found)
		}
		return
	}
	if len(found) == 0 {
		t.Fatalf("found nothing, want %s", c.want)
	}
	f := found[0]
	if f.Severity != c.want {
		t.Errorf("severity %s, want %s: %+v", f.Severity, c.want, f)
	}
	if f.Summary == "" || f.Evidence == "" || f.Fix == "" {
		t.Errorf("a finding needs summary, evidence and fix: %+v", f)
	}
	if !strings.Contains(f.Evidence+"\n"+f.Summary+"\n"+f.Fix, c.evidence) {
		t.Errorf("%q is not in %+v", c.evidence, f)
	}
}

func TestHealthyHostsHaveNoFindings(t *testing.T) {
	t.Parallel()
	if found := newWorld().check(); len(found) != 0 {
		t.Errorf("healthy hosts have findings: %+v", found)
	}
}

// Each rule needs a case in which it speaks and one in which it is silent
// although something like it is there.
func TestEveryRuleHasCasesForAndAgainst(t *testing.T) {
	t.Parallel()
	cases := allRuleCases()
	for _, r := range Rules() {
		yes := slices.ContainsFunc(cases, func(c ruleCase) bool { return c.rule == r.ID && c.want != "" })
		no := slices.ContainsFunc(cases, func(c ruleCase) bool { return c.rule == r.ID && c.want == "" })
		if !yes || !no {
			t.Errorf("rule %s: a case for: %v, a case against: %v", r.ID, yes, no)
		}
	}
	for _, c := range cases {
		if !slices.ContainsFunc(Rules(), func(r Rule) bool { return r.ID == c.rule }) {
			t.Errorf("no rule has the id %s", c.rule)
		}
	}
}

func TestRulesAreDescribed(t *testing.T) {
	t.Parallel()
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range Rules() {
		if !kebab.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("id %q is not in kebab case, or there twice", r.ID)
		}
		seen[r.ID] = true
		if r.Meaning == "" || r.Fix == "" || r.Severity.rank() < 0 {
			t.Errorf("rule %s lacks meaning, fix or severity", r.ID)
		}
	}
}

func TestCheckSortsWorstFirstThenByRuleAndHost(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for _, f := range w.all {
		f.SwapBytes, f.CgroupVersion, f.Kernel = gib, 1, "5.3.18"
		f.CgroupControllers = []string{"memory", "pids"}
	}
	var got []string
	for _, f := range w.check() {
		got = append(got, string(f.Severity)+" "+f.ID+" "+f.Host)
	}
	want := []string{"block cgroup-v1 s1", "block cgroup-v1 w1", "warn kernel-too-old s1", "warn kernel-too-old w1",
		"info swap-active s1", "info swap-active w1"}
	if !slices.Equal(got, want) {
		t.Errorf("order is\n%s", strings.Join(got, "\n"))
	}
}

func TestCheckLeavesOutHostsWithoutFacts(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.all["w1"] = nil
	delete(w.all, "s1")
	w.all["stranger"] = healthy(7)
	if found := w.check(); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	if found := Check(&inventory.Inventory{}, nil, ""); len(found) != 0 {
		t.Errorf("found %+v without hosts", found)
	}
}

func TestBlocking(t *testing.T) {
	t.Parallel()
	if Blocking([]Finding{{Severity: Warn}, {Severity: Info}}) || !Blocking([]Finding{{Severity: Warn}, {Severity: Block}}) {
		t.Error("Blocking is wrong")
	}
}
