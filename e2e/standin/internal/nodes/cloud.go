package nodes

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	cloudproviderapi "k8s.io/cloud-provider/api"
)

// adopt does what k3s's cloud controller does for a node: provider ID, instance type, addresses from the annotations that
// the agent set, and the end of the taint that keeps pods away until then.
func (k *Keeper) adopt(ctx context.Context, node *corev1.Node) error {
	if node.Annotations[annotationInternalIP] == "" {
		return nil // the agent has not said yet
	}
	if err := k.adoptAddresses(ctx, node); err != nil {
		return err
	}
	changed := false
	if node.Spec.ProviderID == "" {
		node.Spec.ProviderID, changed = "k3s://"+node.Name, true
	}
	for _, label := range []string{corev1.LabelInstanceTypeStable, corev1.LabelInstanceType} {
		if node.Labels[label] == "" {
			node.Labels[label], changed = "k3s", true
		}
	}
	before := len(node.Spec.Taints)
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == cloudproviderapi.TaintExternalCloudProvider
	})
	if !changed && len(node.Spec.Taints) == before {
		return nil
	}
	_, err := k.Client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

func (k *Keeper) adoptAddresses(ctx context.Context, node *corev1.Node) error {
	var want []corev1.NodeAddress
	add := func(kind corev1.NodeAddressType, annotation string) {
		for a := range strings.SplitSeq(node.Annotations[annotation], ",") {
			if a != "" {
				want = append(want, corev1.NodeAddress{Type: kind, Address: a})
			}
		}
	}
	add(corev1.NodeInternalIP, annotationInternalIP)
	add(corev1.NodeExternalIP, annotationExternalIP)
	add(corev1.NodeHostName, annotationHostname)
	if slices.Equal(node.Status.Addresses, want) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"addresses": want}})
	if err != nil {
		return err
	}
	updated, err := k.Client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	if err == nil {
		*node = *updated
	}
	return err
}
