package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

// Follow does what the cluster's controllers do about nodes, until ctx ends: a
// deleted node's password and etcd member go, and a ready node loses the taint
// of one that is not, whoever wrote it back.
func (c *Cluster) Follow(ctx context.Context) {
	at := uint64(0)
	for {
		events, _, err := c.API.Store.Since(ctx, nodes, at)
		if err != nil {
			return
		}
		for _, e := range events {
			at = e.Version
			name := kubeapi.NameOf(e.Object)
			if e.Type == watch.Deleted {
				c.forget(name)
			} else {
				c.untaint(name)
			}
		}
		if len(events) == 0 { // behind: the history was cut
			_, at = c.API.Store.List(nodes, "")
		}
	}
}

func (c *Cluster) untaint(name string) {
	o := c.API.Store.Get(nodes, kubeapi.Key{Name: name})
	if o == nil || !needsUntaint(o.Map) {
		return
	}
	// A node that cannot be read is left alone.
	_ = c.Condition(name, corev1.NodeReady, corev1.ConditionTrue, "KubeletReady", "kubelet is posting ready status (simulated)")
}

// needsUntaint says whether a node is ready and tainted as not ready.
func needsUntaint(m map[string]any) bool {
	spec, _ := m["spec"].(map[string]any)
	taints, _ := spec["taints"].([]any)
	tainted := false
	for _, t := range taints {
		taint, _ := t.(map[string]any)
		tainted = tainted || taint["key"] == notReadyTaint
	}
	if !tainted {
		return false
	}
	status, _ := m["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	for _, x := range conditions {
		if condition, _ := x.(map[string]any); condition["type"] == string(corev1.NodeReady) && condition["status"] == string(corev1.ConditionTrue) {
			return true
		}
	}
	return false
}
