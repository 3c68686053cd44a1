package bootstrap

import (
	"context"
	"net"
	"time"

	"github.com/gpuboot/gpuboot/inventory"
)

// Kube is what bootstrap needs of the Kubernetes API. addons/kube implements
// it with client-go.
type Kube interface {
	// Nodes lists the nodes, sorted by name.
	Nodes(ctx context.Context) ([]Node, error)
	// WatchNodes calls fn with all nodes at once and after every change, until
	// ctx ends or fn returns false. It survives the loss of the API server and
	// tells of it through lost, which may be nil.
	WatchNodes(ctx context.Context, fn func([]Node) bool, lost func(error)) error
	// PatchNode changes labels, annotations and taints of a node.
	PatchNode(ctx context.Context, name string, p NodePatch) error
	// DeleteNode removes a node; a node that is not there is no error.
	DeleteNode(ctx context.Context, name string) error
	// GPUPods counts the unfinished pods on a node that hold a GPU.
	GPUPods(ctx context.Context, node string) (int, error)
}

// DialFunc opens a connection as seen from a host.
type DialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// KubeFunc makes a [Kube] from a kubeconfig whose server is dialled through
// dial.
type KubeFunc func(kubeconfig []byte, dial DialFunc) (Kube, error)

// Node is what gpuboot reads of a Kubernetes node.
type Node struct {
	Name        string
	Labels      map[string]string
	Annotations map[string]string
	Taints      []inventory.Taint
	Roles       []string // from the node-role labels, sorted
	Version     string   // of the kubelet
	InternalIP  string
	Ready       bool
	// Reason is the Ready condition's message where the node is not ready.
	Reason string
	// Heartbeat is when the kubelet last posted its Ready condition.
	Heartbeat time.Time
	// Voter says that the node's etcd member votes (k3s's EtcdIsVoter
	// condition).
	Voter bool
}

// NodePatch is a change to a node. A nil label or annotation value removes
// the key. Taints replace the whole list when SetTaints is true.
type NodePatch struct {
	Labels      map[string]*string
	Annotations map[string]*string
	Taints      []inventory.Taint
	SetTaints   bool
}

// Empty says that there is nothing to change.
func (p NodePatch) Empty() bool {
	return len(p.Labels) == 0 && len(p.Annotations) == 0 && !p.SetTaints
}
