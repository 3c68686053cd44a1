package kubeapi

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resource is a kind of objects as discovery tells of it.
type resource struct {
	schema.GroupVersionResource
	Kind       string
	Singular   string
	Short      []string
	Namespaced bool
	Subs       []string // subresources
	custom     bool
}

func (r resource) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
}

func (r resource) has(sub string) bool { return slices.Contains(r.Subs, sub) }

// builtin is a line for each kind: group/version, plural, kind, n for
// namespaced or c for the whole cluster, subresources, short names. "-" is
// none. Only kinds that k3s has at the version gpuboot installs.
const builtin = `
v1 nodes Node c status no
v1 namespaces Namespace c status,finalize ns
v1 pods Pod n status,log,eviction,binding po
v1 services Service n status svc
v1 endpoints Endpoints n - ep
v1 configmaps ConfigMap n - cm
v1 secrets Secret n - -
v1 serviceaccounts ServiceAccount n token sa
v1 events Event n - ev
v1 persistentvolumes PersistentVolume c status pv
v1 persistentvolumeclaims PersistentVolumeClaim n status pvc
v1 replicationcontrollers ReplicationController n status,scale rc
v1 resourcequotas ResourceQuota n status quota
v1 limitranges LimitRange n - limits
v1 podtemplates PodTemplate n - -
apps/v1 deployments Deployment n status,scale deploy
apps/v1 daemonsets DaemonSet n status ds
apps/v1 statefulsets StatefulSet n status,scale sts
apps/v1 replicasets ReplicaSet n status,scale rs
apps/v1 controllerrevisions ControllerRevision n - -
batch/v1 jobs Job n status -
batch/v1 cronjobs CronJob n status cj
rbac.authorization.k8s.io/v1 roles Role n - -
rbac.authorization.k8s.io/v1 rolebindings RoleBinding n - -
rbac.authorization.k8s.io/v1 clusterroles ClusterRole c - -
rbac.authorization.k8s.io/v1 clusterrolebindings ClusterRoleBinding c - -
networking.k8s.io/v1 networkpolicies NetworkPolicy n - netpol
networking.k8s.io/v1 ingresses Ingress n status ing
networking.k8s.io/v1 ingressclasses IngressClass c - -
storage.k8s.io/v1 storageclasses StorageClass c - sc
storage.k8s.io/v1 csidrivers CSIDriver c - -
storage.k8s.io/v1 csinodes CSINode c - -
storage.k8s.io/v1 volumeattachments VolumeAttachment c status -
scheduling.k8s.io/v1 priorityclasses PriorityClass c - pc
node.k8s.io/v1 runtimeclasses RuntimeClass c - -
policy/v1 poddisruptionbudgets PodDisruptionBudget n status pdb
autoscaling/v2 horizontalpodautoscalers HorizontalPodAutoscaler n status hpa
coordination.k8s.io/v1 leases Lease n - -
discovery.k8s.io/v1 endpointslices EndpointSlice n - -
events.k8s.io/v1 events Event n - ev
certificates.k8s.io/v1 certificatesigningrequests CertificateSigningRequest c status,approval csr
admissionregistration.k8s.io/v1 validatingwebhookconfigurations ValidatingWebhookConfiguration c - -
admissionregistration.k8s.io/v1 mutatingwebhookconfigurations MutatingWebhookConfiguration c - -
admissionregistration.k8s.io/v1 validatingadmissionpolicies ValidatingAdmissionPolicy c status -
admissionregistration.k8s.io/v1 validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding c - -
apiextensions.k8s.io/v1 customresourcedefinitions CustomResourceDefinition c status crd,crds
apiregistration.k8s.io/v1 apiservices APIService c status -
authorization.k8s.io/v1 selfsubjectaccessreviews SelfSubjectAccessReview c - -
authorization.k8s.io/v1 subjectaccessreviews SubjectAccessReview c - -
`

func builtins() []resource {
	var out []resource
	for line := range strings.Lines(builtin) {
		w := strings.Fields(line)
		if len(w) != 6 {
			continue
		}
		gv, _ := schema.ParseGroupVersion(w[0])
		out = append(out, resource{GroupVersionResource: gv.WithResource(w[1]), Kind: w[2], Singular: strings.ToLower(w[2]),
			Namespaced: w[3] == "n", Subs: list(w[4]), Short: list(w[5])})
	}
	return out
}

func list(word string) []string {
	if word == "-" {
		return nil
	}
	return strings.Split(word, ",")
}

var crdKind = schema.GroupResource{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"}

// resources are the built-in kinds and those that definitions have made.
func (a *API) resources() []resource {
	out := slices.Clone(a.builtin)
	crds, _ := a.Store.List(crdKind, "")
	for _, crd := range crds {
		out = append(out, customOf(crd.Map)...)
	}
	return out
}

// customOf gives a resource for each served version of a definition.
func customOf(crd map[string]any) []resource {
	names := object(crd, "spec", "names")
	r := resource{Kind: text(names, "kind"), Singular: text(names, "singular"), custom: true}
	r.Group, r.Resource = text(crd, "spec", "group"), text(names, "plural")
	r.Namespaced = text(crd, "spec", "scope") == "Namespaced"
	for _, s := range items(names, "shortNames") {
		if word, ok := s.(string); ok {
			r.Short = append(r.Short, word)
		}
	}
	var out []resource
	for _, v := range items(crd, "spec", "versions") {
		version, ok := v.(map[string]any)
		if served, _ := version["served"].(bool); !ok || !served {
			continue
		}
		one := r
		one.Version = text(version, "name")
		for _, sub := range []string{"status", "scale"} {
			if _, ok := object(version, "subresources")[sub]; ok {
				one.Subs = append(one.Subs, sub)
			}
		}
		out = append(out, one)
	}
	return out
}

// find gives the resource of a path.
func (a *API) find(gv schema.GroupVersion, plural string) (resource, bool) {
	for _, r := range a.builtin {
		if r.GroupVersion() == gv && r.Resource == plural {
			return r, true
		}
	}
	for _, r := range a.resources() {
		if r.GroupVersion() == gv && r.Resource == plural {
			return r, true
		}
	}
	return resource{}, false
}

// describe is a resource and its subresources for discovery.
func (r resource) describe() []metav1.APIResource {
	verbs := metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	if strings.HasSuffix(r.Resource, "accessreviews") {
		verbs = metav1.Verbs{"create"}
	}
	out := []metav1.APIResource{{Name: r.Resource, SingularName: r.Singular, Namespaced: r.Namespaced, Kind: r.Kind, Verbs: verbs, ShortNames: r.Short}}
	for _, sub := range r.Subs {
		out = append(out, metav1.APIResource{Name: r.Resource + "/" + sub, Namespaced: r.Namespaced, Kind: r.Kind, Verbs: metav1.Verbs{"get", "patch", "update"}})
	}
	return out
}
