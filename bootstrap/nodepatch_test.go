package bootstrap

import (
	"slices"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

func TestNodePatchTouchesOnlyItsOwn(t *testing.T) {
	t.Parallel()
	h := inventory.Host{Name: "w1", Pool: "gpu", Role: inventory.RoleWorker, Labels: map[string]string{"tier": "gold"},
		Taints: []inventory.Taint{{Key: "dedicated", Value: "ml", Effect: "NoSchedule"}}}
	n := Node{Name: "w1",
		Labels:      map[string]string{"tier": "silver", "old": "x", "somebody": "y", PoolLabel: "gpu"},
		Annotations: map[string]string{ManagedAnnotation: `{"labels":["gpuboot.dev/pool","old","tier"],"taints":["gone:NoExecute"]}`},
		Taints: []inventory.Taint{
			{Key: "gone", Effect: "NoExecute"},
			{Key: "theirs", Effect: "NoSchedule"}}}
	p, reasons := nodePatch(h, n)
	if len(p.Labels) != 2 || *p.Labels["tier"] != "gold" || p.Labels["old"] != nil {
		t.Errorf("labels %v", p.Labels)
	}
	want := []inventory.Taint{{Key: "theirs", Effect: "NoSchedule"}, {Key: "dedicated", Value: "ml", Effect: "NoSchedule"}}
	if !p.SetTaints || !slices.Equal(p.Taints, want) {
		t.Errorf("taints %v", p.Taints)
	}
	if len(reasons) != 4 {
		t.Errorf("reasons %q", reasons)
	}
	// Applied, nothing is left to do.
	n.Labels = map[string]string{"tier": "gold", "somebody": "y", PoolLabel: "gpu"}
	n.Annotations[ManagedAnnotation] = *p.Annotations[ManagedAnnotation]
	n.Taints = p.Taints
	if p, reasons := nodePatch(h, n); !p.Empty() || len(reasons) > 0 {
		t.Errorf("still %v %q", p, reasons)
	}
}

func TestControlPlaneIsTaintedUnlessItWorks(t *testing.T) {
	t.Parallel()
	server := inventory.Host{Role: inventory.RoleServer}
	if got := taintStrings(desiredTaints(server)); !slices.Equal(got, []string{"node-role.kubernetes.io/control-plane=:NoSchedule"}) {
		t.Errorf("server: %v", got)
	}
	both := inventory.Host{Role: inventory.RoleBoth}
	if got := desiredTaints(both); len(got) != 0 {
		t.Errorf("both: %v", got)
	}
}

func TestUnreadableAnnotationRemovesNothing(t *testing.T) {
	t.Parallel()
	n := Node{Labels: map[string]string{"a": "b"}, Annotations: map[string]string{ManagedAnnotation: "not json"}}
	p, _ := nodePatch(inventory.Host{Role: inventory.RoleWorker}, n)
	if len(p.Labels) != 0 {
		t.Errorf("labels %v", p.Labels)
	}
}
