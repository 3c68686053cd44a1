package kube

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttest "k8s.io/client-go/testing"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/inventory"
)

func node(name string, ready bool) *corev1.Node {
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"node-role.kubernetes.io/etcd": "true", "node-role.kubernetes.io/control-plane": "true", "keep": "me"}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "a", Value: "b", Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{
			Addresses: []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: name}, {Type: corev1.NodeInternalIP, Address: "10.0.0.1"}},
			NodeInfo:  corev1.NodeSystemInfo{KubeletVersion: "v1.36.2+k3s1"},
			Conditions: []corev1.NodeCondition{
				{Type: corev1.NodeReady, Status: status, Message: "kubelet says so", LastHeartbeatTime: metav1.NewTime(time.Unix(100, 0))},
				{Type: "EtcdIsVoter", Status: corev1.ConditionTrue}}},
	}
}

func client(objects ...runtime.Object) (*Client, *fake.Clientset) {
	set := fake.NewClientset(objects...)
	return &Client{set: set, watches: set}, set
}

func TestNodesAreReadWhole(t *testing.T) {
	t.Parallel()
	c, _ := client(node("b", false), node("a", true))
	nodes, err := c.Nodes(t.Context())
	if err != nil || len(nodes) != 2 || nodes[0].Name != "a" {
		t.Fatalf("%v %v", nodes, err)
	}
	a := nodes[0]
	if !a.Ready || !a.Voter || a.InternalIP != "10.0.0.1" || a.Version != "v1.36.2+k3s1" || a.Heartbeat.Unix() != 100 ||
		!slices.Equal(a.Roles, []string{"control-plane", "etcd"}) || !slices.Equal(a.Taints, []inventory.Taint{{Key: "a", Value: "b", Effect: "NoSchedule"}}) {
		t.Errorf("%+v", a)
	}
	if nodes[1].Ready || nodes[1].Reason != "kubelet says so" {
		t.Errorf("%+v", nodes[1])
	}
}

func TestPatchTouchesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	c, set := client(node("a", true))
	gold := "gold"
	err := c.PatchNode(t.Context(), "a", bootstrap.NodePatch{Labels: map[string]*string{"tier": &gold}, Annotations: map[string]*string{"gpuboot.dev/managed": &gold}})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := set.CoreV1().Nodes().Get(t.Context(), "a", metav1.GetOptions{})
	if got.Labels["tier"] != "gold" || got.Labels["keep"] != "me" || len(got.Spec.Taints) != 1 {
		t.Errorf("%v %v", got.Labels, got.Spec.Taints)
	}
	if err := c.PatchNode(t.Context(), "a", bootstrap.NodePatch{Labels: map[string]*string{"tier": nil}, SetTaints: true}); err != nil {
		t.Fatal(err)
	}
	got, _ = set.CoreV1().Nodes().Get(t.Context(), "a", metav1.GetOptions{})
	if _, there := got.Labels["tier"]; there || len(got.Spec.Taints) != 0 {
		t.Errorf("%v %v", got.Labels, got.Spec.Taints)
	}
}

func TestDeletingAnAbsentNodeIsFine(t *testing.T) {
	t.Parallel()
	c, _ := client()
	if err := c.DeleteNode(t.Context(), "nobody"); err != nil {
		t.Error(err)
	}
}

func TestGPUPodsAreCounted(t *testing.T) {
	t.Parallel()
	pod := func(name, res string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "x"}, Spec: corev1.PodSpec{NodeName: "a", Containers: []corev1.Container{{
			Name: "c", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceName(res): resource.MustParse("1")}}}}}}
	}
	c, _ := client(pod("1", "nvidia.com/gpu"), pod("2", "nvidia.com/gpu.shared"), pod("3", "nvidia.com/mig-1g.10gb"), pod("4", "cpu"), pod("5", "amd.com/gpu"))
	if n, err := c.GPUPods(t.Context(), "a"); n != 4 || err != nil {
		t.Errorf("%d %v", n, err)
	}
}

func TestWatchTellsEveryChange(t *testing.T) {
	t.Parallel()
	c, set := client(node("a", false))
	seen := make(chan []bootstrap.Node, 10)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- c.WatchNodes(ctx, func(n []bootstrap.Node) bool { seen <- n; return len(n) != 1 || !n[0].Ready }, nil)
	}()
	if first := <-seen; len(first) != 1 || first[0].Ready {
		t.Fatalf("%v", first)
	}
	if _, err := set.CoreV1().Nodes().Update(ctx, node("a", true), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the watch ended with %v", err)
	}
}

// An API server that restarts ends watches and refuses lists for a while.
func TestWatchOutlivesTheAPIServer(t *testing.T) {
	t.Parallel()
	c, set := client(node("a", true))
	fail := 2
	set.PrependReactor("list", "nodes", func(clienttest.Action) (bool, runtime.Object, error) {
		if fail > 0 {
			fail--
			return true, nil, errors.New("connection refused")
		}
		return false, nil, nil
	})
	lost := 0
	err := c.WatchNodes(t.Context(), func(n []bootstrap.Node) bool { return false }, func(error) { lost++ })
	if err != nil || lost != 2 {
		t.Errorf("error %v, lost %d times", err, lost)
	}
}
