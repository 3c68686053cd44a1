package kubeapi

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// sub answers the subresources other than status.
func (a *API) sub(w http.ResponseWriter, q *request) error {
	o := a.Store.Get(q.res.GroupResource(), q.key())
	if o == nil {
		return q.missing()
	}
	switch {
	case q.sub == "scale":
		return a.scale(w, q, o)
	case q.sub == "log" && q.Method == http.MethodGet:
		writeText(w, "This pod is simulated: nothing ran in it.\n")
		return nil
	case q.sub == "eviction" && q.Method == http.MethodPost:
		if err := a.Remove(schema.GroupResource{Resource: "pods"}, q.key(), true); err != nil {
			return err
		}
		writeJSON(w, http.StatusCreated, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success", "code": 201})
		return nil
	case q.sub == "token" && q.Method == http.MethodPost:
		writeJSON(w, http.StatusCreated, map[string]any{"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1",
			"status": map[string]any{"token": "simulated", "expirationTimestamp": "2099-01-01T00:00:00Z"}})
		return nil
	}
	return apierrors.NewMethodNotSupported(q.res.GroupResource(), q.Method)
}

// scale shows and sets spec.replicas.
func (a *API) scale(w http.ResponseWriter, q *request, o *Object) error {
	if q.Method == http.MethodPut {
		m, err := q.body()
		if err != nil {
			return err
		}
		replicas := object(m, "spec")["replicas"]
		q.sub = ""
		if o, err = a.Store.Change(q.res.GroupResource(), q.key(), func(now map[string]any) (map[string]any, error) {
			if now == nil {
				return nil, q.missing()
			}
			next := copyOf(now)
			object(next, "spec")["replicas"] = replicas
			return next, q.settle(now, next)
		}); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": o.Map["metadata"],
		"spec": map[string]any{"replicas": object(o.Map, "spec")["replicas"]}, "status": map[string]any{"replicas": object(o.Map, "status")["replicas"]}})
	return nil
}
