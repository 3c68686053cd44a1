package kubeapi

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

// typeConverter knows the built-in kinds' schemas, made when first needed: it
// takes a tenth of a second.
func typeConverter() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
}

// fieldManager keeps account of who owns which field of a kind. Custom kinds
// have no schema here: their lists are replaced as a whole.
func (a *API) fieldManager(r resource, sub string) (*managedfields.FieldManager, error) {
	gvk := r.gvk()
	if scheme.Scheme.Recognizes(gvk) {
		return managedfields.NewDefaultFieldManager(a.types(), same{}, same{}, same{}, gvk, gvk.GroupVersion(), sub, nil)
	}
	return managedfields.NewDefaultCRDFieldManager(managedfields.NewDeducedTypeConverter(), same{}, same{}, same{}, gvk, gvk.GroupVersion(), sub, nil)
}

// apply is server-side apply.
func (a *API) apply(w http.ResponseWriter, q *request, data []byte) error {
	wanted, err := decode(data)
	if err != nil {
		return err
	}
	who := q.URL.Query().Get("fieldManager")
	if who == "" {
		return apierrors.NewBadRequest("fieldManager is required for apply patch")
	}
	fm, err := a.fieldManager(q.res, q.sub)
	if err != nil {
		return err
	}
	merge := func(now map[string]any) (map[string]any, error) {
		next, err := fm.Apply(&unstructured.Unstructured{Object: now}, &unstructured.Unstructured{Object: wanted}, who, q.URL.Query().Get("force") == "true")
		if err != nil {
			return nil, err
		}
		return next.(*unstructured.Unstructured).Object, nil
	}
	if a.Store.Get(q.res.GroupResource(), q.key()) != nil {
		return a.modify(w, q, merge)
	}
	return a.applyNew(w, q, merge)
}

// applyNew makes the object that is applied for the first time.
func (a *API) applyNew(w http.ResponseWriter, q *request, merge func(map[string]any) (map[string]any, error)) error {
	if q.res.Namespaced && a.Store.Get(schema.GroupResource{Resource: "namespaces"}, Key{Name: q.namespace}) == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, q.namespace)
	}
	fresh := map[string]any{"apiVersion": q.res.GroupVersion().String(), "kind": q.res.Kind, "metadata": map[string]any{"name": q.name}}
	if q.res.Namespaced {
		meta(fresh)["namespace"] = q.namespace
	}
	m, err := merge(fresh)
	if err != nil {
		return err
	}
	if dryRun(q) {
		a.prepare(q.res, m)
		writeJSON(w, http.StatusCreated, m)
		return nil
	}
	o, err := a.Create(q.res.GroupVersionResource, m)
	if err != nil {
		return err
	}
	writeRaw(w, http.StatusCreated, q.res.asServed(o))
	return nil
}

// record notes who changed an object's fields, where somebody applies it:
// objects that nobody applies need no account.
func (a *API) record(q *request, now, next map[string]any) error {
	if len(items(now, "metadata", "managedFields")) == 0 || q.Header.Get("Content-Type") == "application/apply-patch+yaml" {
		return nil
	}
	fm, err := a.fieldManager(q.res, q.sub)
	if err != nil {
		return err
	}
	who := q.URL.Query().Get("fieldManager")
	if who == "" {
		who = q.UserAgent()
	}
	out := fm.UpdateNoErrors(&unstructured.Unstructured{Object: copyOf(now)}, &unstructured.Unstructured{Object: copyOf(next)}, who)
	meta(next)["managedFields"] = meta(out.(*unstructured.Unstructured).Object)["managedFields"]
	return nil
}

// same converts and defaults nothing: there is one version of each kind.
type same struct{}

func (same) Convert(in, out, _ any) error {
	*out.(*unstructured.Unstructured) = *in.(*unstructured.Unstructured).DeepCopy()
	return nil
}

func (same) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}

func (same) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func (same) Default(runtime.Object) {}

func (same) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	return u, nil
}
