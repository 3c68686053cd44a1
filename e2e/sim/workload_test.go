package sim_test

import (
	"context"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/gpuboot/gpuboot/e2e/sim"
)

// client speaks to the cluster's API through the SSH connection of a server, as
// addons will.
func (r *rig) client(server string) *kubernetes.Clientset {
	r.t.Helper()
	h, _ := r.request().Inventory.Host(server)
	conn, err := r.boot.Dial(r.context(), h)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	data, err := conn.ReadFile(r.context(), "/etc/rancher/k3s/k3s.yaml")
	if err != nil {
		r.t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(data)
	if err != nil {
		r.t.Fatal(err)
	}
	config.Dial, config.QPS = conn.DialContext, -1
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		r.t.Fatal(err)
	}
	return set
}

// until watches until an event satisfies done.
func (r *rig) until(what string, w watch.Interface, err error, done func(watch.Event) bool) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	defer w.Stop()
	ctx, cancel := context.WithTimeout(r.context(), time.Minute)
	defer cancel()
	for {
		select {
		case e, open := <-w.ResultChan():
			if !open {
				r.t.Fatalf("the watch ended before %s", what)
			}
			if done(e) {
				return
			}
		case <-ctx.Done():
			r.t.Fatalf("never came: %s", what)
		}
	}
}

func template(name string, gpus int64) corev1.PodTemplateSpec {
	c := corev1.Container{Name: "main", Image: "registry.test/" + name + ":1"}
	if gpus > 0 {
		c.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI)}
	}
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": name}}, Spec: corev1.PodSpec{Containers: []corev1.Container{c}}}
}

func selectorOf(name string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
}

// What Helm and kubectl wait for comes true: a device plugin on every node, GPUs
// that it offers, a job that asks for them, a deployment.
func TestWorkloadsBecomeReady(t *testing.T) {
	t.Parallel()
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(3, 1)})
	r.mustUp()
	set, ctx, all := r.client("gpu-1"), r.context(), metav1.ListOptions{}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "cuda"}, Spec: batchv1.JobSpec{Template: template("cuda", 8)}}
	job.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyNever
	if _, err := set.BatchV1().Jobs("default").Create(ctx, job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pods, err := set.CoreV1().Pods("default").Watch(ctx, all)
	r.until("a pod that no node has GPUs for", pods, err, func(e watch.Event) bool {
		p, _ := e.Object.(*corev1.Pod)
		return len(p.Status.Conditions) == 1 && p.Status.Conditions[0].Reason == corev1.PodReasonUnschedulable
	})
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "nvidia-device-plugin"}, Spec: appsv1.DaemonSetSpec{Selector: selectorOf("dp"), Template: template("dp", 0)}}
	if _, err := set.AppsV1().DaemonSets("kube-system").Create(ctx, ds, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	daemons, err := set.AppsV1().DaemonSets("kube-system").Watch(ctx, all)
	r.until("a daemon on three nodes", daemons, err, func(e watch.Event) bool {
		d, _ := e.Object.(*appsv1.DaemonSet)
		return d.Status.DesiredNumberScheduled == 3 && d.Status.NumberReady == 3 && d.Status.ObservedGeneration == d.Generation
	})
	jobs, err := set.BatchV1().Jobs("default").Watch(ctx, all)
	r.until("the end of the job", jobs, err, func(e watch.Event) bool {
		j, _ := e.Object.(*batchv1.Job)
		return len(j.Status.Conditions) == 1 && j.Status.Conditions[0].Type == batchv1.JobComplete
	})
	r.unchanged() // none of it concerns gpuboot
}

func TestWorkloadsThatDoNotBecomeReady(t *testing.T) {
	t.Parallel()
	why := "manifest unknown (simulated)"
	broken := sim.Fault{Kind: sim.PodsNotReady, Workload: "default/web", Text: why}
	r := newRig(t, sim.Options{Hosts: sim.GPUHosts(1, 1), Faults: []sim.Fault{broken}})
	r.mustUp()
	set, ctx, all := r.client("gpu-1"), r.context(), metav1.ListOptions{}
	two := int32(2)
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.DeploymentSpec{Replicas: &two, Selector: selectorOf("web"), Template: template("web", 0)}}
	if _, err := set.AppsV1().Deployments("default").Create(ctx, d, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pods, err := set.CoreV1().Pods("default").Watch(ctx, all)
	r.until("a pod that waits for its image", pods, err, func(e watch.Event) bool {
		p, _ := e.Object.(*corev1.Pod)
		s := p.Status.ContainerStatuses
		return len(s) == 1 && s[0].State.Waiting != nil && s[0].State.Waiting.Message == why && !s[0].Ready
	})
	broken.Text = ""
	r.fleet.Inject(broken)
	if err := set.CoreV1().Pods("default").DeleteCollection(ctx, metav1.DeleteOptions{}, all); err != nil {
		t.Fatal(err)
	}
	deployments, err := set.AppsV1().Deployments("default").Watch(ctx, all)
	r.until("two replicas", deployments, err, func(e watch.Event) bool {
		d, _ := e.Object.(*appsv1.Deployment)
		return d.Status.ReadyReplicas == 2 && d.Status.AvailableReplicas == 2
	})
}
