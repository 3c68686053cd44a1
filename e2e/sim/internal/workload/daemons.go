package workload

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

// daemonSets put a pod on every node that fits.
func (c *Controller) daemonSets() {
	sets := all[appsv1.DaemonSet](c, kind("apps", "daemonsets"))
	if len(sets) == 0 {
		return
	}
	pods, nodes := all[corev1.Pod](c, kind("", "pods")), all[corev1.Node](c, kind("", "nodes"))
	for _, d := range sets {
		mine := podsOf(pods, string(d.UID))
		template := *d.Spec.Template.DeepCopy()
		label(&template, d.Name)
		template.Annotations = map[string]string{"gpuboot.dev/simulated-template": hash(d.Spec.Template)}
		want := int32(0)
		for _, n := range nodes {
			i := slices.IndexFunc(mine, func(p *corev1.Pod) bool { return p.Spec.NodeName == n.Name })
			switch fits := selects(&template.Spec, n) && tolerates(&template.Spec, n, true); {
			case fits && i < 0:
				want++
				c.newPod(template, d.Namespace, d.Name+"-"+hash(n.Name), "", owner("apps/v1", "DaemonSet", d.Name, d.UID), n.Name)
			case fits && mine[i].Annotations["gpuboot.dev/simulated-template"] != template.Annotations["gpuboot.dev/simulated-template"], !fits && i >= 0:
				c.remove(mine[i]) // the next pass makes the new one
			case fits:
				want++
			}
		}
		n, ready := int32(len(mine)), countReady(mine)
		c.setStatus(kind("apps", "daemonsets"), d.Namespace, d.Name, &appsv1.DaemonSetStatus{ObservedGeneration: d.Generation, DesiredNumberScheduled: want,
			CurrentNumberScheduled: n, UpdatedNumberScheduled: n, NumberReady: ready, NumberAvailable: ready, NumberUnavailable: max(0, want-ready)})
	}
}

// jobs run their pods to the end.
func (c *Controller) jobs() {
	pods := all[corev1.Pod](c, kind("", "pods"))
	for _, j := range all[batchv1.Job](c, kind("batch", "jobs")) {
		mine := podsOf(pods, string(j.UID))
		template := *j.Spec.Template.DeepCopy()
		label(&template, j.Name)
		for i := len(mine); i < int(number(j.Spec.Completions)); i++ {
			c.newPod(template, j.Namespace, "", j.Name+"-", owner("batch/v1", "Job", j.Name, j.UID), "")
		}
		status := batchv1.JobStatus{StartTime: &j.CreationTimestamp}
		for _, p := range mine {
			if p.Status.Phase == corev1.PodSucceeded {
				status.Succeeded++
			} else {
				status.Active++
			}
		}
		if status.Succeeded >= number(j.Spec.Completions) {
			at := j.CreationTimestamp
			status.CompletionTime = &at
			status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue, LastProbeTime: at, LastTransitionTime: at}}
		}
		c.setStatus(kind("batch", "jobs"), j.Namespace, j.Name, &status)
	}
}

// claims are bound at once.
func (c *Controller) claims() {
	for _, p := range all[corev1.PersistentVolumeClaim](c, kind("", "persistentvolumeclaims")) {
		if p.Status.Phase != corev1.ClaimBound {
			c.setStatus(kind("", "persistentvolumeclaims"), p.Namespace, p.Name, &corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound,
				AccessModes: p.Spec.AccessModes, Capacity: p.Spec.Resources.Requests})
		}
	}
}

// gpu is the resource that NVIDIA's device plugin offers.
const gpu corev1.ResourceName = "nvidia.com/gpu"

// devices offer a node's GPUs where a device plugin is ready on it.
func (c *Controller) devices() {
	for _, p := range all[corev1.Pod](c, kind("", "pods")) {
		if !strings.Contains(workloadOf(p), "device-plugin") || !isReady(p) {
			continue
		}
		n := c.GPUs(p.Spec.NodeName)
		_, _ = c.API.Store.Change(kind("", "nodes").GroupResource(), kubeapi.Key{Name: p.Spec.NodeName}, func(now map[string]any) (map[string]any, error) {
			var node corev1.Node
			if now == nil || n == 0 {
				return now, nil
			}
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(now, &node); err != nil {
				return nil, err
			}
			node.Status.Capacity[gpu], node.Status.Allocatable[gpu] = *resource.NewQuantity(int64(n), resource.DecimalSI), *resource.NewQuantity(int64(n), resource.DecimalSI)
			return runtime.DefaultUnstructuredConverter.ToUnstructured(&node)
		})
	}
}

// selects says whether a pod's node selector fits.
func selects(spec *corev1.PodSpec, n *corev1.Node) bool {
	for k, v := range spec.NodeSelector {
		if n.Labels[k] != v {
			return false
		}
	}
	return true
}

// tolerates says whether a pod may be on a node with its taints. A daemon
// tolerates those of the node's own troubles.
func tolerates(spec *corev1.PodSpec, n *corev1.Node, daemon bool) bool {
	for _, t := range n.Spec.Taints {
		if t.Effect == corev1.TaintEffectPreferNoSchedule || daemon && strings.HasPrefix(t.Key, "node.kubernetes.io/") {
			continue
		}
		if !slices.ContainsFunc(spec.Tolerations, func(o corev1.Toleration) bool { return tolerated(o, t) }) {
			return false
		}
	}
	return true
}

func tolerated(o corev1.Toleration, t corev1.Taint) bool {
	if o.Effect != "" && o.Effect != t.Effect || o.Key != "" && o.Key != t.Key {
		return false
	}
	return o.Operator == corev1.TolerationOpExists || o.Key != "" && o.Value == t.Value
}
