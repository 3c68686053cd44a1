package kubeapi

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func copyOf(m map[string]any) map[string]any { return runtime.DeepCopyJSON(m) }

func byName(name string) fields.Selector { return fields.OneTermEqualSelector("metadata.name", name) }

func dryRun(q *request) bool { return q.URL.Query().Get("dryRun") == "All" }

// Create stores a new object for what acts within the cluster; its name and
// namespace are in its metadata.
func (a *API) Create(gvr schema.GroupVersionResource, m map[string]any) (*Object, error) {
	r, ok := a.find(gvr.GroupVersion(), gvr.Resource)
	if !ok {
		return nil, notFound(gvr.String())
	}
	a.prepare(r, m)
	key := Key{text(m, "metadata", "namespace"), text(m, "metadata", "name")}
	return a.Store.Change(r.GroupResource(), key, func(now map[string]any) (map[string]any, error) {
		if now != nil {
			return nil, apierrors.NewAlreadyExists(r.GroupResource(), key.Name)
		}
		return m, nil
	})
}

func (a *API) create(w http.ResponseWriter, q *request) error {
	m, err := q.body()
	if err != nil {
		return err
	}
	if answer, ok := review(q.res, m); ok {
		writeJSON(w, http.StatusCreated, answer)
		return nil
	}
	md := meta(m)
	if q.res.Namespaced {
		md["namespace"] = q.namespace
		if a.Store.Get(schema.GroupResource{Resource: "namespaces"}, Key{Name: q.namespace}) == nil {
			return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, q.namespace)
		}
	}
	if text(m, "metadata", "name") == "" && text(m, "metadata", "generateName") == "" {
		return apierrors.NewBadRequest("name or generateName is required")
	}
	if q.res.has("status") && q.res.Resource != "nodes" { // the kubelet registers with its status
		delete(m, "status")
	}
	delete(md, "resourceVersion")
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

// prepare gives a new object what the server gives it.
func (a *API) prepare(r resource, m map[string]any) {
	a.once.Lock()
	a.next++
	serial := a.next
	a.once.Unlock()
	md := meta(m)
	if prefix := text(m, "metadata", "generateName"); text(m, "metadata", "name") == "" && prefix != "" {
		md["name"] = prefix + fmt.Sprintf("s%04x", serial)
	}
	md["uid"] = fmt.Sprintf("51515151-0000-4000-8000-%012x", serial) // recognisably not a real one
	md["creationTimestamp"] = a.Now().UTC().Format(time.RFC3339)
	md["generation"] = int64(1)
	m["apiVersion"], m["kind"] = r.GroupVersion().String(), r.Kind
	defaults(r, m, serial)
}

func (a *API) update(w http.ResponseWriter, q *request) error {
	m, err := q.body()
	if err != nil {
		return err
	}
	return a.modify(w, q, func(map[string]any) (map[string]any, error) { return m, nil })
}

// modify is every change of an object that exists: change makes the wanted one
// from the present one.
func (a *API) modify(w http.ResponseWriter, q *request, change func(now map[string]any) (map[string]any, error)) error {
	var seen *Object
	o, err := a.Store.Change(q.res.GroupResource(), q.key(), func(now map[string]any) (map[string]any, error) {
		if now == nil {
			return nil, q.missing()
		}
		next, err := change(copyOf(now))
		if err != nil {
			return nil, err
		}
		if err := q.settle(now, next); err != nil {
			return nil, err
		}
		if err := a.record(q, now, next); err != nil {
			return nil, err
		}
		if seen, err = pack(copyOf(next), 0); err != nil || dryRun(q) {
			return now, err
		}
		if text(next, "metadata", "deletionTimestamp") != "" && len(items(next, "metadata", "finalizers")) == 0 {
			return nil, nil // the last finalizer has gone
		}
		return next, nil
	})
	if err != nil {
		return err
	}
	if o == nil || dryRun(q) {
		o = seen
	}
	writeRaw(w, http.StatusOK, q.res.asServed(o))
	return nil
}

// settle keeps what a client must not change, and counts generations.
func (q *request) settle(now, next map[string]any) error {
	md, old := meta(next), meta(now)
	if v := text(next, "metadata", "resourceVersion"); v != "" && v != text(now, "metadata", "resourceVersion") {
		return apierrors.NewConflict(q.res.GroupResource(), q.name, fmt.Errorf("the object has been modified; please apply your changes to the latest version and try again"))
	}
	if q.sub == "status" {
		status := next["status"]
		clear(next)
		maps.Copy(next, copyOf(now))
		next["status"] = status
		return nil
	}
	if q.res.has("status") {
		delete(next, "status")
		if status, ok := now["status"]; ok {
			next["status"] = status
		}
	}
	for _, field := range []string{"uid", "creationTimestamp", "deletionTimestamp", "generation", "namespace", "name"} {
		delete(md, field)
		if v, ok := old[field]; ok {
			md[field] = v
		}
	}
	next["apiVersion"], next["kind"] = now["apiVersion"], now["kind"]
	if !reflect.DeepEqual(content(now), content(next)) {
		n, _ := old["generation"].(int64)
		md["generation"] = n + 1
	}
	return nil
}

// content is what a change of raises the generation.
func content(m map[string]any) map[string]any {
	out := maps.Clone(m)
	delete(out, "metadata")
	delete(out, "status")
	return out
}

func (a *API) delete(w http.ResponseWriter, q *request) error {
	policy := deletePolicy(q)
	o := a.Store.Get(q.res.GroupResource(), q.key())
	if o == nil {
		return q.missing()
	}
	if !dryRun(q) {
		if err := a.Remove(q.res.GroupResource(), q.key(), policy != "Orphan"); err != nil {
			return err
		}
	}
	writeRaw(w, http.StatusOK, q.res.asServed(o))
	return nil
}

func deletePolicy(q *request) string {
	if p := q.URL.Query().Get("propagationPolicy"); p != "" {
		return p
	}
	m, err := q.body()
	if err != nil { // deleting needs no body
		return ""
	}
	return text(m, "propagationPolicy")
}

func (a *API) deleteAll(w http.ResponseWriter, q *request) error {
	sel, err := newSelector(q.URL.Query())
	if err != nil {
		return err
	}
	all, version := a.Store.List(q.res.GroupResource(), q.namespace)
	for _, o := range all {
		if sel.matches(o) {
			if err := a.Remove(q.res.GroupResource(), Key{text(o.Map, "metadata", "namespace"), text(o.Map, "metadata", "name")}, true); err != nil {
				return err
			}
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"kind": q.res.Kind + "List", "apiVersion": q.res.GroupVersion().String(),
		"metadata": map[string]any{"resourceVersion": strconv.FormatUint(version, 10)}, "items": []any{}})
	return nil
}
