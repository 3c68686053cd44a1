package cluster

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

// SimulatedLabel is on every node, so that nobody takes one for real.
const SimulatedLabel = "gpuboot.dev/simulated"

// NodeSpec is what a kubelet registers its node with.
type NodeSpec struct {
	Name, IP, Version, Kernel string
	Server                    bool
	Labels                    map[string]string
	Taints                    []corev1.Taint
	CPUs                      int
	MemoryKB                  int64
}

var nodes = schema.GroupResource{Resource: "nodes"}

const notReadyTaint = "node.kubernetes.io/not-ready"

// Register makes a node, or says that an existing one has come back: its labels
// and taints then stay as they are.
func (c *Cluster) Register(n NodeSpec) error {
	if err := c.register(n); err != nil {
		return fmt.Errorf("registering node %s: %w", n.Name, err)
	}
	return nil
}

func (c *Cluster) register(n NodeSpec) error {
	there := false
	_, err := c.API.Store.Change(nodes, kubeapi.Key{Name: n.Name}, func(now map[string]any) (map[string]any, error) {
		if there = now != nil; !there {
			return nil, nil
		}
		return edit(now, func(node *corev1.Node) { c.fill(node, n) })
	})
	if err != nil || there {
		return err
	}
	node := c.fresh(n)
	c.fill(node, n)
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(node)
	if err == nil {
		_, err = c.API.Create(nodes.WithVersion("v1"), m)
	}
	return err
}

func (c *Cluster) fresh(n NodeSpec) *corev1.Node {
	node := &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}}
	node.Name = n.Name
	node.Labels = map[string]string{
		"kubernetes.io/hostname": n.Name, "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64",
		"beta.kubernetes.io/os": "linux", "node.kubernetes.io/instance-type": "k3s", "beta.kubernetes.io/instance-type": "k3s", SimulatedLabel: "true",
	}
	if n.Server {
		node.Labels["node-role.kubernetes.io/control-plane"] = "true"
		node.Labels["node-role.kubernetes.io/etcd"] = "true"
	}
	maps.Copy(node.Labels, n.Labels)
	node.Annotations = map[string]string{"k3s.io/hostname": n.Name, "k3s.io/internal-ip": n.IP}
	node.Spec.ProviderID = "k3s://" + n.Name
	node.Spec.Taints = append(slices.Clone(n.Taints), corev1.Taint{Key: notReadyTaint, Effect: corev1.TaintEffectNoSchedule})
	node.Status.Conditions = []corev1.NodeCondition{
		{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientMemory"},
		{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasNoDiskPressure"},
		{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientPID"},
		{Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "KubeletNotReady", LastHeartbeatTime: c.beat(n.Name),
			Message: "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"},
	}
	return node
}

// fill sets what a kubelet tells of its host.
func (c *Cluster) fill(node *corev1.Node, n NodeSpec) {
	node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: n.IP}, {Type: corev1.NodeHostName, Address: n.Name}}
	node.Status.NodeInfo = corev1.NodeSystemInfo{
		KubeletVersion: n.Version + "-simulated", KernelVersion: n.Kernel, OSImage: "Ubuntu 24.04.3 LTS (simulated)",
		ContainerRuntimeVersion: "containerd://2.2.9-simulated", OperatingSystem: "linux", Architecture: "amd64",
	}
	node.Status.Capacity = corev1.ResourceList{
		corev1.ResourceCPU: *resource.NewQuantity(int64(n.CPUs), resource.DecimalSI), corev1.ResourceMemory: *resource.NewQuantity(n.MemoryKB<<10, resource.BinarySI),
		corev1.ResourcePods: *resource.NewQuantity(110, resource.DecimalSI),
	}
	node.Status.Allocatable = node.Status.Capacity
}

// beat is the next heartbeat of a node: heartbeats have whole seconds on the
// wire, and each differs from the one before.
func (c *Cluster) beat(node string) metav1.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.now().Truncate(time.Second)
	if last := c.beats[node]; !at.After(last) {
		at = last.Add(time.Second)
	}
	c.beats[node] = at
	return metav1.NewTime(at)
}

// Condition sets a condition of a node that exists, with a new heartbeat.
func (c *Cluster) Condition(name string, kind corev1.NodeConditionType, status corev1.ConditionStatus, reason, message string) error {
	at := c.beat(name)
	_, err := c.API.Store.Change(nodes, kubeapi.Key{Name: name}, func(now map[string]any) (map[string]any, error) {
		if now == nil {
			return nil, nil // deleted: a kubelet registers only when it starts
		}
		return edit(now, func(node *corev1.Node) {
			set(node, corev1.NodeCondition{Type: kind, Status: status, Reason: reason, Message: message, LastHeartbeatTime: at, LastTransitionTime: at})
			if kind == corev1.NodeReady && status == corev1.ConditionTrue {
				node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == notReadyTaint })
			}
		})
	})
	if err != nil {
		return fmt.Errorf("setting condition %s of node %s: %w", kind, name, err)
	}
	return nil
}

func set(node *corev1.Node, want corev1.NodeCondition) {
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == want.Type {
			if c.Status == want.Status {
				want.LastTransitionTime = c.LastTransitionTime
			}
			*c = want
			return
		}
	}
	node.Status.Conditions = append(node.Status.Conditions, want)
}

// edit changes an object as the typed node it stands for.
func edit(m map[string]any, do func(*corev1.Node)) (map[string]any, error) {
	var node corev1.Node
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, &node); err != nil {
		return nil, err
	}
	do(&node)
	return runtime.DefaultUnstructuredConverter.ToUnstructured(&node)
}

// HasNode says whether a node object exists.
func (c *Cluster) HasNode(name string) bool {
	return c.API.Store.Get(nodes, kubeapi.Key{Name: name}) != nil
}
