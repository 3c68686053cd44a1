package nodes

import (
	"context"
	"fmt"
	"slices"

	nodev1 "k8s.io/api/node/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// runtimeClasses are those of k3s's packaged manifest; they exist whether or not a node has the runtime.
func runtimeClasses() []string {
	return []string{"nvidia", "nvidia-experimental", "crun", "lunatic", "slight", "spin", "wws", "wasmedge", "wasmer", "wasmtime"}
}

// CreateObjects makes the objects that k3s deploys at start, those of them that the stand-in has: the runtime classes, unless
// "runtimes" is disabled, and the rights of the agents' own controller.
func CreateObjects(ctx context.Context, client kubernetes.Interface, disable []string) error {
	role := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "system:k3s-controller"},
		Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get", "list", "watch", "update", "patch"}},
			{APIGroups: []string{""}, Resources: []string{"nodes/status"}, Verbs: []string{"patch"}},
			{APIGroups: []string{""}, Resources: []string{"pods", "namespaces", "endpoints"}, Verbs: []string{"get", "list", "watch"}},
			{APIGroups: []string{"discovery.k8s.io"}, Resources: []string{"endpointslices"}, Verbs: []string{"get", "list", "watch"}},
			{APIGroups: []string{"networking.k8s.io"}, Resources: []string{"networkpolicies"}, Verbs: []string{"get", "list", "watch"}},
		},
	}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, role, metav1.CreateOptions{}); created(err) != nil {
		return fmt.Errorf("creating %s: %w", role.Name, err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: role.Name}},
	}
	if _, err := client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{}); created(err) != nil {
		return fmt.Errorf("creating binding %s: %w", role.Name, err)
	}
	if slices.Contains(disable, "runtimes") {
		return nil
	}
	for _, name := range runtimeClasses() {
		class := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Handler: name}
		if _, err := client.NodeV1().RuntimeClasses().Create(ctx, class, metav1.CreateOptions{}); created(err) != nil {
			return fmt.Errorf("creating runtime class %s: %w", name, err)
		}
	}
	return nil
}

func created(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
