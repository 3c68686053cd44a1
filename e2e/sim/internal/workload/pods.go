package workload

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

// pods finds nodes for those without one, and starts those with one.
func (c *Controller) pods(ctx context.Context) {
	pods := all[corev1.Pod](c, kind("", "pods"))
	var nodes []*corev1.Node
	for _, p := range pods {
		if p.Status.Phase != corev1.PodPending {
			continue
		}
		if p.Spec.NodeName != "" {
			c.begin(ctx, p)
			continue
		}
		if nodes == nil {
			nodes = all[corev1.Node](c, kind("", "nodes"))
		}
		c.schedule(p, pods, nodes)
	}
}

// schedule gives a pod the node with the fewest pods among those that fit, or
// says that there is none.
func (c *Controller) schedule(p *corev1.Pod, pods []*corev1.Pod, nodes []*corev1.Node) {
	load, gpus := map[string]int{}, map[string]int64{}
	for _, o := range pods {
		load[o.Spec.NodeName]++
		if o.Status.Phase != corev1.PodSucceeded {
			gpus[o.Spec.NodeName] += wants(o)
		}
	}
	best := ""
	for _, n := range nodes {
		free := n.Status.Allocatable.Name(gpu, "").Value() - gpus[n.Name]
		if !nodeReady(n) || n.Spec.Unschedulable || !selects(&p.Spec, n) || !tolerates(&p.Spec, n, false) || wants(p) > free {
			continue
		}
		if best == "" || load[n.Name] < load[best] {
			best = n.Name
		}
	}
	c.edit(p, func(now *corev1.Pod) {
		if now.Spec.NodeName = best; best == "" {
			condition(now, corev1.PodScheduled, false, "Unschedulable", fmt.Sprintf("0/%d nodes are available (simulated)", len(nodes)))
		}
	})
}

// wants is how many GPUs a pod asks for.
func wants(p *corev1.Pod) int64 {
	n := int64(0)
	for i := range p.Spec.Containers {
		n += p.Spec.Containers[i].Resources.Limits.Name(gpu, "").Value()
	}
	return n
}

func nodeReady(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// begin starts a pod beside the passes, once.
func (c *Controller) begin(ctx context.Context, p *corev1.Pod) {
	key := kubeapi.Key{Namespace: p.Namespace, Name: p.Name}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.starting[key] || c.stuck[key] && c.Broken(p.Namespace, workloadOf(p)) != "" {
		return
	}
	delete(c.stuck, key)
	c.starting[key] = true
	c.work.Go(func() {
		if !c.Wait(ctx, start) {
			return
		}
		why := c.Broken(p.Namespace, workloadOf(p))
		c.mu.Lock()
		delete(c.starting, key)
		if why != "" {
			c.stuck[key] = true
		}
		c.mu.Unlock()
		c.started(p, why)
	})
}

// started makes a pod Running and Ready, or done, or says why it is neither.
func (c *Controller) started(p *corev1.Pod, why string) {
	c.edit(p, func(now *corev1.Pod) {
		at := now.CreationTimestamp
		now.Status.StartTime, now.Status.Phase = &at, corev1.PodRunning
		condition(now, corev1.PodScheduled, true, "", "")
		state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}
		switch {
		case why != "":
			now.Status.Phase = corev1.PodPending
			state = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: why}}
		case now.Spec.RestartPolicy != corev1.RestartPolicyAlways:
			now.Status.Phase = corev1.PodSucceeded
			state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: at, FinishedAt: at}}
		}
		ready := now.Status.Phase == corev1.PodRunning
		condition(now, corev1.PodInitialized, true, "", "")
		condition(now, corev1.ContainersReady, ready, "", why)
		condition(now, corev1.PodReady, ready, "", why)
		now.Status.ContainerStatuses = nil
		for _, k := range now.Spec.Containers {
			now.Status.ContainerStatuses = append(now.Status.ContainerStatuses, corev1.ContainerStatus{Name: k.Name, Image: k.Image, Ready: ready, Started: &ready, State: state})
		}
	})
}

// edit changes a pod that is still there.
func (c *Controller) edit(p *corev1.Pod, do func(*corev1.Pod)) {
	_, _ = c.API.Store.Change(kind("", "pods").GroupResource(), kubeapi.Key{Namespace: p.Namespace, Name: p.Name}, func(now map[string]any) (map[string]any, error) {
		var pod corev1.Pod
		if now == nil {
			return nil, errGone
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(now, &pod); err != nil {
			return nil, err
		}
		do(&pod)
		return runtime.DefaultUnstructuredConverter.ToUnstructured(&pod)
	})
}

func condition(p *corev1.Pod, kind corev1.PodConditionType, yes bool, reason, message string) {
	want := corev1.PodCondition{Type: kind, Status: corev1.ConditionFalse, Reason: reason, Message: message, LastTransitionTime: metav1.NewTime(p.CreationTimestamp.Time)}
	if yes {
		want.Status = corev1.ConditionTrue
	}
	for i := range p.Status.Conditions {
		if p.Status.Conditions[i].Type == kind {
			p.Status.Conditions[i] = want
			return
		}
	}
	p.Status.Conditions = append(p.Status.Conditions, want)
}
