package facts

import (
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/inventory"
)

// rule is a Rule with its test: of one host, or of all together.
type rule struct {
	Rule
	host func(c hostCase) []hit
	all  func(s *scene) []hit
	// mutual is Finding.Mutual.
	mutual bool
}

// hit is what a test found. Empty fields are those of the rule.
type hit struct {
	host     string
	severity Severity
	summary  string
	evidence string
	fix      string
}

// one is a single hit of a host's test.
func one(summary, evidence string) []hit { return []hit{{summary: summary, evidence: evidence}} }

func (r rule) finding(h hit) Finding {
	f := Finding{ID: r.ID, Severity: h.severity, Host: h.host, Summary: h.summary, Evidence: h.evidence, Fix: h.fix,
		GpubootFixes: r.GpubootFixes, Mutual: r.mutual}
	if f.Severity == "" {
		f.Severity = r.Severity
	}
	if f.Fix == "" {
		f.Fix = r.Fix
	}
	return f
}

// scene is all that rules look at.
type scene struct {
	inv *inventory.Inventory
	// hosts are those with facts, in the order of the inventory.
	hosts []hostCase
	// minor is the minor version of Kubernetes to be installed.
	minor     int
	version   string // the k3s to be installed, as it was given
	addresses *AddressPlan
}

// hostCase is one host in its scene.
type hostCase struct {
	*scene
	host inventory.Host
	f    *Facts
}

// newestMinor stands for a k3s version that is not given or not understood.
const newestMinor = 1 << 10

func newScene(inv *inventory.Inventory, all map[string]*Facts, k3sVersion string) *scene {
	s := &scene{inv: inv, minor: minorOf(k3sVersion), version: k3sVersion}
	known := map[string]*Facts{}
	for _, h := range inv.Hosts {
		if f := all[h.Name]; f != nil {
			s.hosts = append(s.hosts, hostCase{scene: s, host: h, f: f})
			known[h.Name] = f
		}
	}
	s.addresses = PlanAddresses(known, strings.Contains(inv.Network.PodCIDR, ":"))
	return s
}

// minorOf reads 36 from v1.36.2+k3s1.
func minorOf(version string) int {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) < 3 || parts[0] != "1" {
		return newestMinor
	}
	n, ok := atoi(parts[1])
	if !ok {
		return newestMinor
	}
	return n
}

func (s *scene) run(r rule) []hit {
	var out []hit
	if r.all != nil {
		out = r.all(s)
	}
	if r.host == nil {
		return out
	}
	for _, c := range s.hosts {
		for _, h := range r.host(c) {
			h.host = c.host.Name
			out = append(out, h)
		}
	}
	return out
}

// read says whether all these sections were read: a rule must not take a gap
// for a zero.
func (c hostCase) read(sections ...string) bool {
	return !slices.ContainsFunc(sections, func(s string) bool { _, gap := c.f.Unknown[s]; return gap })
}

// promised says whether the inventory counts on GPUs of the host.
func (c hostCase) promised() bool { return c.host.GPUs != nil && c.host.GPUs.Count > 0 }

// gpuFault is the severity of what keeps GPUs from working: it blocks where the
// inventory promises GPUs, as `up` could only fail after all the work.
func (c hostCase) gpuFault() Severity {
	if c.promised() {
		return Block
	}
	return Warn
}

// option says whether a k3s key of the host holds a value, alone or in a list.
func (c hostCase) option(key, value string) bool {
	switch v := c.host.K3sConfig[key].(type) {
	case string:
		return v == value
	case bool:
		return value == "true" && v
	case []any:
		return slices.Contains(v, any(value))
	case []string:
		return slices.Contains(v, value)
	}
	return false
}

// text gives a k3s key of the host that holds one text, else "".
func (c hostCase) text(key string) string {
	s, _ := c.host.K3sConfig[key].(string)
	return s
}

// dataDir is where k3s keeps its data on this host.
func (c hostCase) dataDir() string {
	if d := c.text("data-dir"); strings.HasPrefix(d, "/") {
		return d
	}
	return "/var/lib/rancher/k3s"
}
