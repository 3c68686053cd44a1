package kubeapi_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

func serve(t *testing.T) (*kubernetes.Clientset, *rest.Config) {
	t.Helper()
	srv := httptest.NewServer(kubeapi.New("v1.36.2+k3s1", time.Now))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	config := &rest.Config{Host: srv.URL, QPS: 1000, Burst: 1000}
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return set, config
}

func must[T any](t *testing.T) func(v T, err error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": name}}, Data: data}
}

func TestDiscoveryIsGoodEnoughForARESTMapper(t *testing.T) {
	t.Parallel()
	set, config := serve(t)
	groups, lists, err := set.Discovery().ServerGroupsAndResources()
	if err != nil || len(groups) < 10 || len(lists) < 10 {
		t.Fatalf("%d groups, %d lists, %v", len(groups), len(lists), err)
	}
	if v := must[*kubernetesVersion](t)(serverVersion(set)); v.major != "1" || v.minor != "36" {
		t.Errorf("version %+v", v)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(config)))
	for kind, scope := range map[schema.GroupKind]meta.RESTScopeName{
		{Group: "apps", Kind: "Deployment"}: meta.RESTScopeNameNamespace, {Kind: "Node"}: meta.RESTScopeNameRoot,
	} {
		m, err := mapper.RESTMapping(kind)
		if err != nil || m.Scope.Name() != scope {
			t.Errorf("%s: %+v, %v", kind, m, err)
		}
	}
}

type kubernetesVersion struct{ major, minor string }

func serverVersion(set *kubernetes.Clientset) (*kubernetesVersion, error) {
	v, err := set.Discovery().ServerVersion()
	if err != nil {
		return nil, err
	}
	return &kubernetesVersion{v.Major, v.Minor}, nil
}

func TestObjectsAreMadeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	ctx, cms := t.Context(), set.CoreV1().ConfigMaps("default")
	made := must[*corev1.ConfigMap](t)(cms.Create(ctx, configMap("a", map[string]string{"k": "1"}), metav1.CreateOptions{}))
	if made.UID == "" || made.ResourceVersion == "" || made.CreationTimestamp.IsZero() || made.Generation != 1 {
		t.Errorf("created: %+v", made.ObjectMeta)
	}
	if _, err := cms.Create(ctx, configMap("a", nil), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		t.Errorf("twice: %v", err)
	}
	if _, err := set.CoreV1().ConfigMaps("nowhere").Create(ctx, configMap("a", nil), metav1.CreateOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("in no namespace: %v", err)
	}
	old := made.DeepCopy()
	made.Data["k"] = "2"
	changed := must[*corev1.ConfigMap](t)(cms.Update(ctx, made, metav1.UpdateOptions{}))
	if changed.ResourceVersion == old.ResourceVersion || changed.UID != old.UID || changed.Generation != 2 {
		t.Errorf("updated: %+v", changed.ObjectMeta)
	}
	old.Data["k"] = "3"
	if _, err := cms.Update(ctx, old, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("from an old version: %v", err)
	}
	if err := cms.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := cms.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after deletion: %v", err)
	}
}

func TestStatusAndSpecAreChangedApart(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	ctx, deployments := t.Context(), set.AppsV1().Deployments("default")
	d := must[*appsv1.Deployment](t)(deployments.Create(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d"},
		Status: appsv1.DeploymentStatus{Replicas: 9}}, metav1.CreateOptions{}))
	if d.Status.Replicas != 0 || d.Spec.Replicas == nil || *d.Spec.Replicas != 1 {
		t.Errorf("created: %+v", d)
	}
	d.Status.ReadyReplicas = 1
	d = must[*appsv1.Deployment](t)(deployments.UpdateStatus(ctx, d, metav1.UpdateOptions{}))
	if d.Status.ReadyReplicas != 1 || d.Generation != 1 {
		t.Errorf("status: %+v", d)
	}
	d = must[*appsv1.Deployment](t)(deployments.Patch(ctx, "d", types.MergePatchType, []byte(`{"spec":{"paused":true},"status":{"readyReplicas":5}}`), metav1.PatchOptions{}))
	if d.Status.ReadyReplicas != 1 || !d.Spec.Paused || d.Generation != 2 {
		t.Errorf("spec: %+v", d)
	}
}

func TestEveryPatchTypeWorks(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	ctx, nodes := t.Context(), set.CoreV1().Nodes()
	must[*corev1.Node](t)(nodes.Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"},
		Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "a", Effect: "NoSchedule"}}}}, metav1.CreateOptions{}))
	for kind, patch := range map[types.PatchType]string{
		types.MergePatchType:          `{"metadata":{"labels":{"merge":"1"}}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/metadata/annotations","value":{"json":"1"}}]`,
		types.StrategicMergePatchType: `{"spec":{"podCIDR":"10.42.0.0/24"}}`,
	} {
		if _, err := nodes.Patch(ctx, "n", kind, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	n := must[*corev1.Node](t)(nodes.Get(ctx, "n", metav1.GetOptions{}))
	if n.Labels["merge"] != "1" || n.Annotations["json"] != "1" || n.Spec.PodCIDR == "" || len(n.Spec.Taints) != 1 {
		t.Errorf("%+v %+v", n.ObjectMeta, n.Spec)
	}
}

func TestServerSideApplyOwnsFields(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	ctx, cms := t.Context(), set.CoreV1().ConfigMaps("default")
	apply := func(who, body string, force bool) (*corev1.ConfigMap, error) {
		return cms.Patch(ctx, "c", types.ApplyPatchType, []byte(body), metav1.PatchOptions{FieldManager: who, Force: &force})
	}
	head := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":`
	must[*corev1.ConfigMap](t)(apply("one", head+`{"a":"1","b":"1"}}`, false))
	if _, err := apply("two", head+`{"a":"2"}}`, false); !apierrors.IsConflict(err) {
		t.Errorf("another's field: %v", err)
	}
	must[*corev1.ConfigMap](t)(apply("two", head+`{"a":"2"}}`, true))
	got := must[*corev1.ConfigMap](t)(apply("one", head+`{"c":"1"}}`, false))
	if got.Data["a"] != "2" || got.Data["c"] != "1" || got.Data["b"] != "" {
		t.Errorf("data %v", got.Data)
	}
	must[*corev1.ConfigMap](t)(cms.Patch(ctx, "c", types.MergePatchType, []byte(`{"data":{"d":"1"}}`), metav1.PatchOptions{FieldManager: "three"}))
	if _, err := apply("one", head+`{"c":"1","d":"2"}}`, false); !apierrors.IsConflict(err) {
		t.Errorf("a field that was patched: %v", err)
	}
}

func TestWatchesTellEveryChangeThroughSelectors(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	ctx, cms := t.Context(), set.CoreV1().ConfigMaps("default")
	list := must[*corev1.ConfigMapList](t)(cms.List(ctx, metav1.ListOptions{}))
	w := must[watch.Interface](t)(cms.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, LabelSelector: "app=a"}))
	defer w.Stop()
	must[*corev1.ConfigMap](t)(cms.Create(ctx, configMap("b", nil), metav1.CreateOptions{}))
	must[*corev1.ConfigMap](t)(cms.Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
	for _, patch := range []string{`{"data":{"x":"1"}}`, `{"metadata":{"labels":{"app":"z"}}}`, `{"metadata":{"labels":{"app":"a"}}}`} {
		must[*corev1.ConfigMap](t)(cms.Patch(ctx, "a", types.MergePatchType, []byte(patch), metav1.PatchOptions{}))
	}
	if err := cms.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []watch.EventType{watch.Added, watch.Modified, watch.Deleted, watch.Added, watch.Deleted}
	for i, kind := range want {
		e := next(t, w)
		if e.Type != kind || e.Object.(*corev1.ConfigMap).Name != "a" {
			t.Errorf("event %d: %s of %v, want %s", i, e.Type, e.Object, kind)
		}
	}
}

func next(t *testing.T, w watch.Interface) watch.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	select {
	case e := <-w.ResultChan():
		return e
	case <-ctx.Done():
		t.Fatal("no event came")
		return watch.Event{}
	}
}

func TestInformersSync(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	must[*corev1.ConfigMap](t)(set.CoreV1().ConfigMaps("default").Create(t.Context(), configMap("a", nil), metav1.CreateOptions{}))
	factory := informers.NewSharedInformerFactory(set, 0)
	lister := factory.Core().V1().ConfigMaps().Lister()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	factory.Start(ctx.Done())
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			t.Errorf("%v did not sync", kind)
		}
	}
	if _, err := lister.ConfigMaps("default").Get("a"); err != nil {
		t.Error(err)
	}
	cancel()
	factory.Shutdown()
}

func TestDefinitionsMakeKinds(t *testing.T) {
	t.Parallel()
	set, config := serve(t)
	ctx, client := t.Context(), dynamic.NewForConfigOrDie(config)
	crd := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "policies.test.dev"},
		"spec": map[string]any{"group": "test.dev", "scope": "Cluster", "names": map[string]any{"kind": "Policy", "plural": "policies", "singular": "policy"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}}}}}}}
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	policies := schema.GroupVersionResource{Group: "test.dev", Version: "v1", Resource: "policies"}
	policy := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "test.dev/v1", "kind": "Policy", "metadata": map[string]any{"name": "p"}, "spec": map[string]any{"x": int64(1)}}}
	if _, err := client.Resource(policies).Create(ctx, policy, metav1.CreateOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("before its definition: %v", err)
	}
	must[*unstructured.Unstructured](t)(client.Resource(crds).Create(ctx, crd, metav1.CreateOptions{}))
	must[*unstructured.Unstructured](t)(client.Resource(policies).Create(ctx, policy, metav1.CreateOptions{}))
	got := must[*unstructured.Unstructured](t)(client.Resource(policies).Apply(ctx, "p", &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "test.dev/v1", "kind": "Policy", "metadata": map[string]any{"name": "p"}, "spec": map[string]any{"y": "z"}}}, metav1.ApplyOptions{FieldManager: "t"}))
	if x, _, _ := unstructured.NestedInt64(got.Object, "spec", "x"); x != 1 {
		t.Errorf("applied: %v", got.Object)
	}
	resources, err := set.Discovery().ServerResourcesForGroupVersion("test.dev/v1")
	if err != nil || !slices.ContainsFunc(resources.APIResources, func(r metav1.APIResource) bool { return r.Name == "policies/status" }) {
		t.Errorf("discovery: %+v, %v", resources, err)
	}
}

func TestWhatIsOwnedGoesWithItsOwner(t *testing.T) {
	t.Parallel()
	set, _ := serve(t)
	ctx, cms := t.Context(), set.CoreV1().ConfigMaps("default")
	owner := must[*corev1.ConfigMap](t)(cms.Create(ctx, configMap("owner", nil), metav1.CreateOptions{}))
	child := configMap("child", nil)
	child.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: owner.UID}}
	must[*corev1.ConfigMap](t)(cms.Create(ctx, child, metav1.CreateOptions{}))
	held := configMap("held", nil)
	held.Finalizers = []string{"test.dev/wait"}
	must[*corev1.ConfigMap](t)(cms.Create(ctx, held, metav1.CreateOptions{}))
	for _, name := range []string{"owner", "held"} {
		if err := cms.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	left := must[*corev1.ConfigMapList](t)(cms.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name!=kube-root-ca.crt"}))
	if len(left.Items) != 1 || left.Items[0].Name != "held" || left.Items[0].DeletionTimestamp == nil {
		t.Fatalf("left: %v", left.Items)
	}
	must[*corev1.ConfigMap](t)(cms.Patch(ctx, "held", types.JSONPatchType, []byte(`[{"op":"remove","path":"/metadata/finalizers"}]`), metav1.PatchOptions{}))
	if _, err := cms.Get(ctx, "held", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after its finalizer: %v", err)
	}
}
