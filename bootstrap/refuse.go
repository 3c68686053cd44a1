package bootstrap

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

// Refusal is a change gpuboot will not make, with the way out.
type Refusal struct {
	Host, Reason, Fix string
}

// Error is the refusal in one line.
func (r Refusal) Error() string {
	s := r.Reason
	if r.Host != "" {
		s = r.Host + ": " + s
	}
	if r.Fix != "" {
		s += " (" + r.Fix + ")"
	}
	return s
}

// Refusals are all reasons why nothing was written.
type Refusals []Refusal

// Error lists them, one a line.
func (rs Refusals) Error() string {
	lines := make([]string, 0, len(rs))
	for _, r := range rs {
		lines = append(lines, r.Error())
	}
	return strings.Join(lines, "\n")
}

func hintOf(err error) string {
	var h engine.Hinter
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

func readJournals(in Input) (map[string]Journal, Refusals) {
	journals := map[string]Journal{}
	var refused Refusals
	for _, h := range in.Inventory.Hosts {
		f, ok := in.Facts[h.Name]
		if !ok {
			continue
		}
		j, err := ParseJournal(f.Journal)
		if err != nil {
			refused = append(refused, Refusal{Host: h.Name, Reason: err.Error()})
			continue
		}
		if j.Known() && j.Cluster != in.Inventory.Name {
			refused = append(refused, Refusal{h.Name, fmt.Sprintf("belongs to gpuboot's cluster %q, this inventory is %q", j.Cluster, in.Inventory.Name),
				"take it out of that cluster first: gpuboot down --limit " + h.Name + " with the other inventory"})
		}
		journals[h.Name] = j
	}
	return journals, refused
}

// chooseSeed finds the server that others join: the one that began the cluster,
// another member where that one is gone, or a new one. A cluster is begun only when every server of the inventory was looked at and none runs one: a
// server that did not answer may hold it, and two clusters under one name are
// worse than none.
func chooseSeed(in Input, journals map[string]Journal) (string, Refusals) {
	var founders []string
	for _, s := range in.Inventory.Servers() {
		if journals[s.Name].Founder {
			founders = append(founders, s.Name)
		}
	}
	switch len(founders) {
	case 1:
		return founders[0], nil
	case 0:
	default:
		return "", Refusals{{Reason: "servers " + strings.Join(founders, " and ") + " each began a cluster of this name",
			Fix: "keep one: gpuboot down --limit the other, then gpuboot up"}}
	}
	for _, s := range in.Inventory.Servers() {
		if j := journals[s.Name]; j.Started != "" {
			return s.Name, nil // the founder left or is silent; any member can be joined
		}
	}
	for _, s := range in.Inventory.Servers() {
		if _, missing := in.Missing[s.Name]; missing {
			return "", Refusals{{Host: s.Name, Reason: "did not answer, and no other server knows the cluster: it may hold it already", Fix: "make it reachable, then run again"}}
		}
	}
	for _, s := range in.Inventory.Servers() {
		if in.wanted(s.Name) {
			return s.Name, nil
		}
	}
	return "", Refusals{{Reason: "there is no cluster yet and --limit names no server", Fix: "begin with a server: add one to --limit"}}
}

// refuseExisting keeps hosts out of a cluster that cannot be asked, or that is
// older than what they would run: a kubelet must never be newer than the API
// server (kubernetes.io/releases/version-skew-policy).
func refuseExisting(in Input) Refusals {
	if !in.Cluster.Answered {
		return Refusals{{Reason: fmt.Sprintf("the existing cluster's API did not answer: %v", orNone(in.Cluster.Err)), Fix: "check existing.kubeconfig: its server must be reachable from the hosts"}}
	}
	want, ok := minorOf(in.Version)
	for _, n := range in.Cluster.Nodes {
		have, known := minorOf(n.Version)
		if ok && known && slices.Contains(n.Roles, "control-plane") && want > have {
			return Refusals{{Reason: fmt.Sprintf("k3s %s is newer than the existing cluster's server %s, which runs %s", in.Version, n.Name, n.Version),
				Fix: fmt.Sprintf("set k3s.version to a 1.%d release", have)}}
		}
	}
	return nil
}

func (p *planner) refuseHost(h inventory.Host, f *facts.Facts) Refusals {
	var out Refusals
	in, j := p.Input, p.journals[h.Name]
	if j.Known() && j.Role != "" && j.Role != k3sRole(h.Role) {
		out = append(out, Refusal{h.Name, fmt.Sprintf("runs as k3s %s, the inventory makes it %s", j.Role, h.Role),
			"take it out first: gpuboot down --limit " + h.Name})
	}
	if _, ok := in.Binaries[f.Arch]; !ok {
		out = append(out, Refusal{h.Name, fmt.Sprintf("no k3s %s executable for architecture %q", in.Version, f.Arch), ""})
	}
	if r := refuseVersion(in, h, j.Binary.Version); r != nil {
		out = append(out, *r)
	}
	return out
}

// refuseVersion keeps Kubernetes's version skew rules: never back, one minor at
// a time (kubernetes.io/releases/version-skew-policy).
func refuseVersion(in Input, h inventory.Host, have string) *Refusal {
	if have == "" || have == in.Version {
		return nil
	}
	haveMinor, ok1 := minorOf(have)
	wantMinor, ok2 := minorOf(in.Version)
	switch {
	case !ok1 || !ok2:
		return nil
	case wantMinor < haveMinor:
		return &Refusal{h.Name, fmt.Sprintf("runs k3s %s, the inventory asks for the older %s", have, in.Version), "etcd's data cannot go back: set k3s.version to " + have + " or newer"}
	case h.Role.IsServer() && wantMinor > haveMinor+1:
		return &Refusal{h.Name, fmt.Sprintf("runs k3s %s, %s skips a minor version", have, in.Version), fmt.Sprintf("go through 1.%d first", haveMinor+1)}
	}
	return nil
}

// minorOf reads 36 from v1.36.2+k3s1.
func minorOf(version string) (int, bool) {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	if len(parts) < 3 || parts[0] != "1" {
		return 0, false
	}
	n, err := strconv.Atoi(parts[1])
	return n, err == nil
}
