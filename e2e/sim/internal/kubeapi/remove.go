package kubeapi

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Remove deletes an object: at once, or, where it has finalizers, by marking
// it. What it owns goes with it if dependents is true, and so does what lies in
// a namespace.
func (a *API) Remove(gr schema.GroupResource, key Key, dependents bool) error {
	uid, gone := "", false
	_, err := a.Store.Change(gr, key, func(now map[string]any) (map[string]any, error) {
		if now == nil {
			return nil, nil
		}
		uid = text(now, "metadata", "uid")
		if len(items(now, "metadata", "finalizers")) == 0 {
			gone = true
			return nil, nil
		}
		if md := meta(now); md["deletionTimestamp"] == nil {
			md["deletionTimestamp"] = a.Now().UTC().Format(time.RFC3339)
			md["deletionGracePeriodSeconds"] = int64(0)
		}
		return now, nil
	})
	if err != nil || !gone {
		return err
	}
	if gr == (schema.GroupResource{Resource: "namespaces"}) {
		return a.removeWhere(func(o *Object) bool { return text(o.Map, "metadata", "namespace") == key.Name })
	}
	if !dependents {
		return nil
	}
	return a.removeWhere(func(o *Object) bool { return owned(o.Map, uid) })
}

func owned(m map[string]any, uid string) bool {
	for _, r := range items(m, "metadata", "ownerReferences") {
		if ref, ok := r.(map[string]any); ok && text(ref, "uid") == uid {
			return true
		}
	}
	return false
}

// removeWhere removes the objects of every kind that pick says yes to.
func (a *API) removeWhere(pick func(*Object) bool) error {
	done := map[schema.GroupResource]bool{}
	for _, r := range a.resources() {
		gr := r.GroupResource()
		if done[gr] {
			continue
		}
		done[gr] = true
		all, _ := a.Store.List(gr, "")
		for _, o := range all {
			if !pick(o) {
				continue
			}
			if err := a.Remove(gr, Key{text(o.Map, "metadata", "namespace"), text(o.Map, "metadata", "name")}, true); err != nil {
				return err
			}
		}
	}
	return nil
}
