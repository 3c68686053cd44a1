package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

type ownerRef = metav1.OwnerReference

func owner(apiVersion, kind, name string, uid types.UID) []ownerRef {
	yes := true
	return []ownerRef{{APIVersion: apiVersion, Kind: kind, Name: name, UID: uid, Controller: &yes, BlockOwnerDeletion: &yes}}
}

// hash tells one version of a template from another.
func hash(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "unreadable"
	}
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:5])
}

func number(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}

// deployments give each its ReplicaSet; an older one goes at once.
func (c *Controller) deployments() {
	sets := all[appsv1.ReplicaSet](c, kind("apps", "replicasets"))
	for _, d := range all[appsv1.Deployment](c, kind("apps", "deployments")) {
		name := d.Name + "-" + hash(d.Spec.Template)
		var status appsv1.DeploymentStatus
		found := false
		for _, rs := range sets {
			if len(rs.OwnerReferences) == 0 || rs.OwnerReferences[0].UID != d.UID {
				continue
			}
			if rs.Name != name || number(rs.Spec.Replicas) != number(d.Spec.Replicas) {
				_ = c.API.Remove(kind("apps", "replicasets").GroupResource(), kubeapi.Key{Namespace: rs.Namespace, Name: rs.Name}, true)
				continue
			}
			found = true
			status.Replicas, status.ReadyReplicas = rs.Status.Replicas, rs.Status.ReadyReplicas
		}
		if !found {
			c.newReplicaSet(d, name)
		}
		c.setStatus(kind("apps", "deployments"), d.Namespace, d.Name, deploymentStatus(d, status))
	}
}

func (c *Controller) newReplicaSet(d *appsv1.Deployment, name string) {
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: d.Namespace, Labels: maps.Clone(d.Spec.Template.Labels),
		Annotations: map[string]string{"deployment.kubernetes.io/revision": "1"}, OwnerReferences: owner("apps/v1", "Deployment", d.Name, d.UID)}}
	rs.Spec = appsv1.ReplicaSetSpec{Replicas: d.Spec.Replicas, Selector: d.Spec.Selector, Template: *d.Spec.Template.DeepCopy()}
	if rs.Spec.Template.Labels == nil {
		rs.Spec.Template.Labels = map[string]string{}
	}
	rs.Spec.Template.Labels[nameLabel] = d.Name
	c.create(kind("apps", "replicasets"), rs)
}

func deploymentStatus(d *appsv1.Deployment, s appsv1.DeploymentStatus) *appsv1.DeploymentStatus {
	want := number(d.Spec.Replicas)
	s.ObservedGeneration, s.UpdatedReplicas, s.AvailableReplicas = d.Generation, s.Replicas, s.ReadyReplicas
	s.UnavailableReplicas = max(0, want-s.ReadyReplicas)
	condition := func(kind appsv1.DeploymentConditionType, yes bool, reason string) appsv1.DeploymentCondition {
		status := corev1.ConditionFalse
		if yes {
			status = corev1.ConditionTrue
		}
		return appsv1.DeploymentCondition{Type: kind, Status: status, Reason: reason, LastUpdateTime: d.CreationTimestamp, LastTransitionTime: d.CreationTimestamp}
	}
	done := s.ReadyReplicas >= want && s.Replicas == want
	progress := "ReplicaSetUpdated"
	if done {
		progress = "NewReplicaSetAvailable"
	}
	s.Conditions = []appsv1.DeploymentCondition{condition(appsv1.DeploymentAvailable, done, "MinimumReplicasAvailable"), condition(appsv1.DeploymentProgressing, true, progress)}
	return &s
}

func (c *Controller) replicaSets() {
	pods := all[corev1.Pod](c, kind("", "pods"))
	for _, rs := range all[appsv1.ReplicaSet](c, kind("apps", "replicasets")) {
		mine := podsOf(pods, string(rs.UID))
		want := int(number(rs.Spec.Replicas))
		for i := len(mine); i < want; i++ {
			c.newPod(rs.Spec.Template, rs.Namespace, "", rs.Name+"-", owner("apps/v1", "ReplicaSet", rs.Name, rs.UID), "")
		}
		for i := want; i < len(mine); i++ {
			c.remove(mine[i])
		}
		c.setStatus(kind("apps", "replicasets"), rs.Namespace, rs.Name, &appsv1.ReplicaSetStatus{ObservedGeneration: rs.Generation,
			Replicas: int32(len(mine)), FullyLabeledReplicas: int32(len(mine)), ReadyReplicas: countReady(mine), AvailableReplicas: countReady(mine)})
	}
}

func (c *Controller) statefulSets() {
	pods := all[corev1.Pod](c, kind("", "pods"))
	for _, s := range all[appsv1.StatefulSet](c, kind("apps", "statefulsets")) {
		mine := podsOf(pods, string(s.UID))
		want := number(s.Spec.Replicas)
		if ready := countReady(mine); int(ready) == len(mine) && ready < want { // one after the other
			template := *s.Spec.Template.DeepCopy()
			label(&template, s.Name)
			c.newPod(template, s.Namespace, fmt.Sprintf("%s-%d", s.Name, ready), "", owner("apps/v1", "StatefulSet", s.Name, s.UID), "")
		}
		for i := int(want); i < len(mine); i++ {
			c.remove(mine[i])
		}
		revision := s.Name + "-" + hash(s.Spec.Template)
		n, ready := int32(len(mine)), countReady(mine)
		c.setStatus(kind("apps", "statefulsets"), s.Namespace, s.Name, &appsv1.StatefulSetStatus{ObservedGeneration: s.Generation, Replicas: n, ReadyReplicas: ready,
			AvailableReplicas: ready, CurrentReplicas: n, UpdatedReplicas: n, CurrentRevision: revision, UpdateRevision: revision})
	}
}

func label(t *corev1.PodTemplateSpec, workload string) {
	if t.Labels == nil {
		t.Labels = map[string]string{}
	}
	t.Labels[nameLabel] = workload
}

// newPod makes a pod of a template; with a node it is there already.
func (c *Controller) newPod(t corev1.PodTemplateSpec, namespace, name, prefix string, by []ownerRef, node string) {
	p := &corev1.Pod{ObjectMeta: *t.ObjectMeta.DeepCopy(), Spec: *t.Spec.DeepCopy()}
	p.Namespace, p.Name, p.GenerateName, p.OwnerReferences = namespace, name, prefix, by
	p.Spec.NodeName = node
	c.create(kind("", "pods"), p)
}
