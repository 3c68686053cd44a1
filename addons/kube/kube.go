// Package kube speaks to the Kubernetes API with client-go, through
// connections that somebody else opens. It implements what package bootstrap
// needs of nodes, and knows kubeconfig files. It never reads the user's
// environment or home.
package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/inventory"
)

// requestTimeout bounds one request to the API. A watch has its own bound.
const requestTimeout = 15 * time.Second

// Client is one cluster's API.
type Client struct {
	set kubernetes.Interface
	// watches is a second client without a timeout, which would end watches.
	watches kubernetes.Interface
}

var _ bootstrap.Kube = (*Client)(nil)

// New makes a client from a kubeconfig; its server is dialled through dial, as
// seen from the host at the other end.
func New(kubeconfig []byte, dial bootstrap.DialFunc) (*Client, error) {
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	if dial != nil {
		config.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) { return dial(ctx, network, addr) }
	}
	config.QPS = -1 // no throttling on our side: a run asks little for each host, and the server has its own fairness
	watches, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a Kubernetes client: %w", err)
	}
	config.Timeout = requestTimeout
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a Kubernetes client: %w", err)
	}
	return &Client{set: set, watches: watches}, nil
}

// Nodes lists the nodes, sorted by name.
func (c *Client) Nodes(ctx context.Context) ([]bootstrap.Node, error) {
	list, err := c.set.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("listing nodes: %w", err)
	}
	return convertAll(list.Items), nil
}

func convertAll(items []corev1.Node) []bootstrap.Node {
	out := make([]bootstrap.Node, 0, len(items))
	for i := range items {
		out = append(out, convert(&items[i]))
	}
	slices.SortFunc(out, func(a, b bootstrap.Node) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// rolePrefix begins the labels that name a node's roles.
const rolePrefix = "node-role.kubernetes.io/"

// voterCondition is how k3s says that a node's etcd member votes
// (pkg/etcd of k3s-io/k3s).
const voterCondition = "EtcdIsVoter"

func convert(n *corev1.Node) bootstrap.Node {
	out := bootstrap.Node{Name: n.Name, Labels: n.Labels, Annotations: n.Annotations, Version: n.Status.NodeInfo.KubeletVersion}
	for _, t := range n.Spec.Taints {
		out.Taints = append(out.Taints, inventory.Taint{Key: t.Key, Value: t.Value, Effect: string(t.Effect)})
	}
	for key := range n.Labels {
		if role, ok := strings.CutPrefix(key, rolePrefix); ok {
			out.Roles = append(out.Roles, role)
		}
	}
	slices.Sort(out.Roles)
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeInternalIP && out.InternalIP == "" {
			out.InternalIP = a.Address
		}
	}
	for _, c := range n.Status.Conditions {
		switch c.Type {
		case corev1.NodeReady:
			out.Ready = c.Status == corev1.ConditionTrue
			out.Heartbeat = c.LastHeartbeatTime.Time
			out.Reason = c.Message
		case voterCondition:
			out.Voter = c.Status == corev1.ConditionTrue
		}
	}
	return out
}

// PatchNode changes labels, annotations and taints. Labels and annotations are
// merged by the API server, so that nobody else's are touched.
func (c *Client) PatchNode(ctx context.Context, name string, p bootstrap.NodePatch) error {
	type meta struct {
		Labels      map[string]*string `json:"labels,omitempty"`
		Annotations map[string]*string `json:"annotations,omitempty"`
	}
	body := map[string]any{"metadata": meta{p.Labels, p.Annotations}}
	if p.SetTaints {
		taints := []corev1.Taint{}
		for _, t := range p.Taints {
			taints = append(taints, corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)})
		}
		body["spec"] = map[string]any{"taints": taints}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("writing the patch of node %s: %w", name, err)
	}
	_, err = c.set.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{FieldManager: "gpuboot"})
	return err
}

// DeleteNode removes a node; one that is not there is no error.
func (c *Client) DeleteNode(ctx context.Context, name string) error {
	err := c.set.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting node %s: %w", name, err)
	}
	return nil
}

// GPUPods counts the unfinished pods on a node that ask for a GPU of any
// vendor's device plugin.
func (c *Client) GPUPods(ctx context.Context, node string) (int, error) {
	pods, err := c.set.CoreV1().Pods("").List(ctx, metav1.ListOptions{
		FieldSelector: "spec.nodeName=" + node + ",status.phase!=Succeeded,status.phase!=Failed"})
	if err != nil {
		return 0, fmt.Errorf("listing pods of node %s: %w", node, err)
	}
	count := 0
	for i := range pods.Items {
		if holdsGPU(&pods.Items[i]) {
			count++
		}
	}
	return count, nil
}

// gpuResources are the name prefixes of GPU resources: NVIDIA's whole, shared
// and MIG devices, AMD's and Intel's.
func gpuResources() []string {
	return []string{"nvidia.com/gpu", "nvidia.com/mig-", "amd.com/gpu", "gpu.intel.com/"}
}

func holdsGPU(pod *corev1.Pod) bool {
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		for name := range container.Resources.Limits {
			for _, prefix := range gpuResources() {
				if strings.HasPrefix(string(name), prefix) {
					return true
				}
			}
		}
	}
	return false
}
