// Package workload makes the pods of a simulated cluster's workloads: what the
// controllers, the scheduler and the kubelets of a real one would do with
// Deployments, DaemonSets, StatefulSets and Jobs, as far as somebody who waits
// for them can see. Nothing runs in the pods. Updates roll at once, and there
// are no probes, volumes, affinities or preemption.
package workload

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

// start is how long a pod takes from its node to Ready.
const start = 3 * time.Second

// Controller keeps the workloads of one cluster.
type Controller struct {
	API *kubeapi.API
	// Wait lets simulated time pass; it is false when ctx ends first.
	Wait func(ctx context.Context, d time.Duration) bool
	// Broken says why the pods of a workload never become ready; "" lets them.
	Broken func(namespace, workload string) string
	// GPUs is how many a node has, for the device plugin to offer.
	GPUs func(node string) int

	mu       sync.Mutex
	starting map[kubeapi.Key]bool
	stuck    map[kubeapi.Key]bool // started, and broken
	work     sync.WaitGroup
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	c.starting, c.stuck = map[kubeapi.Key]bool{}, map[kubeapi.Key]bool{}
	defer c.work.Wait()
	for {
		changed := c.API.Store.AnyChange()
		c.pass(ctx)
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// pass brings everything one step further. What it changes makes another pass.
func (c *Controller) pass(ctx context.Context) {
	c.deployments()
	c.replicaSets()
	c.statefulSets()
	c.daemonSets()
	c.jobs()
	c.claims()
	c.pods(ctx)
	c.devices()
}

func kind(group, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
}

// all gives the objects of a kind as typed ones; what cannot be read is left
// out.
func all[T any](c *Controller, gvr schema.GroupVersionResource) []*T {
	objects, _ := c.API.Store.List(gvr.GroupResource(), "")
	out := make([]*T, 0, len(objects))
	for _, o := range objects {
		typed := new(T)
		if runtime.DefaultUnstructuredConverter.FromUnstructured(o.Map, typed) == nil {
			out = append(out, typed)
		}
	}
	return out
}

// create makes an object; one that is there already is left as it is.
func (c *Controller) create(gvr schema.GroupVersionResource, object any) {
	if m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object); err == nil {
		_, _ = c.API.Create(gvr, m)
	}
}

// setStatus writes a status that differs from what is there.
func (c *Controller) setStatus(gvr schema.GroupVersionResource, namespace, name string, status any) {
	want, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		return
	}
	_, _ = c.API.Store.Change(gvr.GroupResource(), kubeapi.Key{Namespace: namespace, Name: name}, func(now map[string]any) (map[string]any, error) {
		if now == nil {
			return nil, errGone
		}
		now["status"] = want
		return now, nil
	})
}

var errGone = errors.New("the object has gone")

// podsOf are the pods that an object owns, by name.
func podsOf(pods []*corev1.Pod, uid string) []*corev1.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(p *corev1.Pod) bool {
		return !slices.ContainsFunc(p.OwnerReferences, func(r ownerRef) bool { return string(r.UID) == uid })
	})
}

func isReady(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func countReady(pods []*corev1.Pod) int32 {
	n := int32(0)
	for _, p := range pods {
		if isReady(p) {
			n++
		}
	}
	return n
}

func (c *Controller) remove(p *corev1.Pod) {
	// Nothing else removes pods, and one that has gone is what is wanted.
	_ = c.API.Remove(kind("", "pods").GroupResource(), kubeapi.Key{Namespace: p.Namespace, Name: p.Name}, true)
}

// workloadOf is the name of what a pod belongs to: its own without the parts
// that controllers add.
func workloadOf(p *corev1.Pod) string {
	if name := p.Labels[nameLabel]; name != "" {
		return name
	}
	return strings.TrimSuffix(p.Name, "-0")
}

// nameLabel is put on pods for workloadOf; a real cluster has no such label.
const nameLabel = "gpuboot.dev/simulated-workload"
