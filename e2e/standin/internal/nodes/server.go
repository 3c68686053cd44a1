package nodes

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
)

// markServer gives this server's Node its roles and says which etcd member it is.
func (k *Keeper) markServer(ctx context.Context, node *corev1.Node) error {
	changed := false
	set := func(m map[string]string, key, value string) {
		if m[key] != value {
			m[key], changed = value, true
		}
	}
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	if node.Annotations == nil {
		node.Annotations = map[string]string{}
	}
	set(node.Labels, "node-role.kubernetes.io/control-plane", "true")
	if k.Clustered {
		set(node.Labels, "node-role.kubernetes.io/etcd", "true")
		set(node.Annotations, annotationEtcdName, k.Store.Name)
		set(node.Annotations, annotationEtcdAddress, k.Address)
	}
	if !changed {
		return nil
	}
	_, err := k.Client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

// The node condition by which k3s tells whether a server's etcd member votes.
const conditionVoter corev1.NodeConditionType = "EtcdIsVoter"

func (k *Keeper) reportVoter(ctx context.Context, node *corev1.Node) error {
	want := corev1.NodeCondition{Type: conditionVoter, Status: corev1.ConditionTrue, Reason: "MemberNotLearner",
		Message: "Node is a voting member of the etcd cluster", LastTransitionTime: metav1.Now(), LastHeartbeatTime: metav1.Now()}
	if !k.Store.Voter() {
		want.Status, want.Reason, want.Message = corev1.ConditionFalse, "MemberIsLearner", "Node has not been promoted to voting member of the etcd cluster"
	}
	for _, c := range node.Status.Conditions {
		if c.Type == conditionVoter && c.Status == want.Status {
			return nil
		}
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": []corev1.NodeCondition{want}}})
	if err != nil {
		return err
	}
	_, err = k.Client.CoreV1().Nodes().Patch(ctx, node.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// WatchVoter looks at the membership by itself until ctx ends, because a promotion changes no Node.
func (k *Keeper) WatchVoter(ctx context.Context) {
	tick := time.NewTicker(datastore.PromoteEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if node, err := k.Client.CoreV1().Nodes().Get(ctx, k.NodeName, metav1.GetOptions{}); err == nil {
				k.warn(k.reportVoter(ctx, node), "report etcd membership of node", node.Name)
			}
		}
	}
}
