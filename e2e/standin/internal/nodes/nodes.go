// Package nodes is what a server does to Node objects: addresses and provider ID (k3s's embedded cloud controller), roles,
// etcd membership, and cleaning up after a Node that was deleted.
package nodes

import (
	"context"
	"time"

	"github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/supervisor"
)

// Keeper watches nodes from one server.
type Keeper struct {
	Client    kubernetes.Interface
	NodeName  string // this server's
	Address   string
	Store     *datastore.Store
	Clustered bool
	Cloud     bool // act as cloud controller
}

// Annotations that k3s puts on nodes.
const (
	annotationInternalIP  = "k3s.io/internal-ip"
	annotationExternalIP  = "k3s.io/external-ip"
	annotationHostname    = "k3s.io/hostname"
	annotationEtcdName    = "etcd.k3s.cattle.io/node-name"
	annotationEtcdAddress = "etcd.k3s.cattle.io/node-address"
)

// Run watches until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	factory := informers.NewSharedInformerFactory(k.Client, time.Minute)
	informer := factory.Core().V1().Nodes().Informer()
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{ // fails only on a stopped informer
		AddFunc:    func(o any) { k.tend(ctx, o) },
		UpdateFunc: func(_, o any) { k.tend(ctx, o) },
		DeleteFunc: func(o any) { k.forget(ctx, o) },
	})
	factory.Start(ctx.Done())
	<-ctx.Done()
}

func (k *Keeper) tend(ctx context.Context, obj any) {
	node, ok := obj.(*corev1.Node)
	if !ok {
		return
	}
	if k.Cloud {
		k.warn(k.adopt(ctx, node.DeepCopy()), "set addresses of node", node.Name)
	}
	if node.Name == k.NodeName {
		k.warn(k.markServer(ctx, node.DeepCopy()), "label node", node.Name)
		if k.Clustered {
			k.warn(k.reportVoter(ctx, node), "report etcd membership of node", node.Name)
		}
	}
}

// warn leaves the next try to the next update of the node, which comes within a minute; conflicts between servers are normal.
func (k *Keeper) warn(err error, what, node string) {
	if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		logrus.Warnf("Failed to %s %s: %v", what, node, err)
	}
}

// forget drops what a deleted Node leaves behind: its password, and its etcd member unless that is this very server.
func (k *Keeper) forget(ctx context.Context, obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	node, ok := obj.(*corev1.Node)
	if !ok {
		return
	}
	secrets := k.Client.CoreV1().Secrets(metav1.NamespaceSystem)
	err := secrets.Delete(ctx, supervisor.PasswordSecret(node.Name), metav1.DeleteOptions{})
	k.warn(err, "delete the password of node", node.Name)
	name, address := node.Annotations[annotationEtcdName], node.Annotations[annotationEtcdAddress]
	if !k.Clustered || name == "" || name == k.Store.Name {
		return
	}
	go k.removeMember(ctx, node.Name, name, address)
}

const (
	retryRemove = time.Second
	removeLimit = 2 * time.Minute
)

// removeMember tries again while etcd refuses, as it does when a member has been connected for a few seconds only. It stops
// when a Node says that it is this member after all.
func (k *Keeper) removeMember(ctx context.Context, nodeName, name, address string) {
	ctx, cancel := context.WithTimeout(ctx, removeLimit)
	defer cancel()
	for {
		err := k.Store.Remove(ctx, name, address)
		if err == nil {
			return
		}
		logrus.Warnf("Failed to remove etcd member %s: %v", name, err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(retryRemove):
		}
		node, err := k.Client.CoreV1().Nodes().Get(ctx, nodeName, metav1.GetOptions{})
		if err == nil && node.Annotations[annotationEtcdName] == name {
			return
		}
	}
}
