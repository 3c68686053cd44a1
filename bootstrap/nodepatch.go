package bootstrap

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/gpuboot/gpuboot/inventory"
)

const (
	// PoolLabel holds a node's pool.
	PoolLabel = "gpuboot.dev/pool"
	// ManagedAnnotation lists the labels and taints that gpuboot set, so that
	// one that leaves the inventory leaves the node, and nobody else's does.
	ManagedAnnotation = "gpuboot.dev/managed"
)

// managed is the value of [ManagedAnnotation].
type managed struct {
	Labels []string `json:"labels,omitempty"`
	Taints []string `json:"taints,omitempty"` // key:Effect
}

// nodePatch is what turns a node into what the inventory says of its labels
// and taints, with one reason per change. It touches nothing that gpuboot did
// not set.
func nodePatch(h inventory.Host, n Node) (NodePatch, []string) {
	var old managed
	// An unreadable annotation counts as absent: gpuboot then removes nothing.
	_ = json.Unmarshal([]byte(n.Annotations[ManagedAnnotation]), &old)
	p := NodePatch{Labels: map[string]*string{}, Annotations: map[string]*string{}}
	want := desiredLabels(h)
	reasons := labelChanges(&p, want, old, n)
	taints, taintReasons := taintChanges(desiredTaints(h), old, n)
	if len(taintReasons) > 0 {
		p.Taints, p.SetTaints = taints, true
	}
	reasons = append(reasons, taintReasons...)

	now, _ := json.Marshal(managed{Labels: slices.Sorted(maps.Keys(want)), Taints: taintKeys(desiredTaints(h))})
	if value := string(now); n.Annotations[ManagedAnnotation] != value {
		p.Annotations[ManagedAnnotation] = &value
		if len(reasons) == 0 {
			reasons = append(reasons, "record which labels and taints are gpuboot's")
		}
	}
	return p, reasons
}

func desiredLabels(h inventory.Host) map[string]string {
	want := maps.Clone(h.Labels)
	if want == nil {
		want = map[string]string{}
	}
	if h.Pool != "" {
		want[PoolLabel] = h.Pool
	}
	return want
}

func labelChanges(p *NodePatch, want map[string]string, old managed, n Node) []string {
	var reasons []string
	for _, k := range slices.Sorted(maps.Keys(want)) {
		v := want[k]
		have, ok := n.Labels[k]
		switch {
		case !ok:
			reasons = append(reasons, fmt.Sprintf("label %s=%s is not set", k, v))
		case have != v:
			reasons = append(reasons, fmt.Sprintf("label %s is %q, inventory says %q", k, have, v))
		default:
			continue
		}
		p.Labels[k] = &v
	}
	for _, k := range old.Labels {
		_, wanted := want[k]
		_, there := n.Labels[k]
		if !wanted && there {
			p.Labels[k] = nil
			reasons = append(reasons, fmt.Sprintf("label %s left the inventory", k))
		}
	}
	return reasons
}

// taintChanges gives the node's whole new list of taints.
func taintChanges(want []inventory.Taint, old managed, n Node) ([]inventory.Taint, []string) {
	var out []inventory.Taint
	var reasons []string
	for _, t := range n.Taints {
		i := slices.IndexFunc(want, func(w inventory.Taint) bool { return taintKey(w) == taintKey(t) })
		switch {
		case i >= 0 && want[i].Value != t.Value:
			reasons = append(reasons, fmt.Sprintf("taint %s has value %q, inventory says %q", taintKey(t), t.Value, want[i].Value))
			out = append(out, want[i])
		case i < 0 && slices.Contains(old.Taints, taintKey(t)):
			reasons = append(reasons, fmt.Sprintf("taint %s left the inventory", taintKey(t)))
		default:
			out = append(out, t)
		}
	}
	for _, w := range want {
		if !slices.ContainsFunc(n.Taints, func(t inventory.Taint) bool { return taintKey(t) == taintKey(w) }) {
			out = append(out, w)
			reasons = append(reasons, fmt.Sprintf("taint %s is not set", w))
		}
	}
	return out, reasons
}

// taintKey identifies a taint: Kubernetes allows one per key and effect.
func taintKey(t inventory.Taint) string { return t.Key + ":" + t.Effect }

func taintKeys(taints []inventory.Taint) []string {
	out := make([]string, 0, len(taints))
	for _, t := range taints {
		out = append(out, taintKey(t))
	}
	slices.Sort(out)
	return out
}
