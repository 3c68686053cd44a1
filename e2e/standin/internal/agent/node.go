package agent

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func (s Settings) client(kubeconfig string) (kubernetes.Interface, error) {
	conf, err := clientcmd.BuildConfigFromFlags("", s.Dir.Agent(kubeconfig+".kubeconfig"))
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(conf)
}

// configureNode waits for the Node that the kubelet registers and says on it what the server's cloud controller has to know.
// Labels of the configuration are set again, so that they follow a change; taints are only set at registration.
func (s Settings) configureNode(ctx context.Context) error {
	client, err := s.client("kubelet")
	if err != nil {
		return err
	}
	said := ""
	for {
		node, err := client.CoreV1().Nodes().Get(ctx, s.NodeName, metav1.GetOptions{})
		if err == nil {
			if !s.describe(node) {
				return nil
			}
			if _, err = client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err == nil {
				logrus.Infof("Annotations and labels have been set successfully on node: %s", s.NodeName)
				return nil
			}
		}
		if !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) && err.Error() != said {
			said = err.Error() // once is enough
			logrus.Infof("Failed to set annotations and labels on node %s: %v", s.NodeName, err)
		}
		if err := pause(ctx, 300*time.Millisecond); err != nil {
			return err
		}
	}
}

func (s Settings) describe(node *corev1.Node) bool {
	labels, annotations := maps.Clone(node.Labels), maps.Clone(node.Annotations)
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	if node.Annotations == nil {
		node.Annotations = map[string]string{}
	}
	for _, l := range s.Values.Strings("node-label") {
		key, value, _ := strings.Cut(l, "=")
		node.Labels[key] = value
	}
	node.Annotations["k3s.io/internal-ip"] = joinIPs(s.IPs)
	node.Annotations["k3s.io/hostname"] = s.NodeName
	if outside := s.Values.Strings("node-external-ip"); len(outside) > 0 {
		node.Annotations["k3s.io/external-ip"] = strings.Join(outside, ",")
	} else {
		delete(node.Annotations, "k3s.io/external-ip")
	}
	return !maps.Equal(labels, node.Labels) || !maps.Equal(annotations, node.Annotations)
}

// waitPodRange waits until the controller manager has given the node its range of pod addresses.
func (s Settings) waitPodRange(ctx context.Context) error {
	client, err := s.client("k3scontroller")
	if err != nil {
		return err
	}
	for said := false; ; {
		node, err := client.CoreV1().Nodes().Get(ctx, s.NodeName, metav1.GetOptions{})
		if err == nil && node.Spec.PodCIDR != "" {
			return nil
		}
		if !said {
			logrus.Infof("Waiting for node %s CIDR to be assigned", s.NodeName)
			said = true
		}
		if err := pause(ctx, 300*time.Millisecond); err != nil {
			return fmt.Errorf("waiting for the pod range: %w", err)
		}
	}
}
