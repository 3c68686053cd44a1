package kubeapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// API serves a store.
type API struct {
	Store *Store
	// Version is what /version says, such as "v1.36.2+k3s1".
	Version string
	Now     func() time.Time

	builtin []resource
	types   func() managedfields.TypeConverter
	once    sync.Mutex
	next    int // for names and uids
}

// New makes an API with the namespaces that every cluster begins with.
func New(version string, now func() time.Time) *API {
	a := &API{Store: NewStore(), Version: version, Now: now, builtin: builtins()}
	a.types = sync.OnceValue(typeConverter)
	for _, ns := range []string{"default", "kube-system", "kube-public", "kube-node-lease"} {
		if _, err := a.Create(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, map[string]any{"metadata": map[string]any{"name": ns}}); err != nil {
			panic(err) // an empty store takes them
		}
	}
	return a
}

// request is one request, understood.
type request struct {
	*http.Request
	res       resource
	namespace string
	name, sub string
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := a.route(w, r)
	if err == nil {
		return
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	s := status.Status()
	s.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	writeJSON(w, int(s.Code), s)
}

func (a *API) route(w http.ResponseWriter, r *http.Request) error {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 2:
		return a.resource(w, r, schema.GroupVersion{Version: parts[1]}, parts[2:])
	case parts[0] == "apis" && len(parts) > 3:
		return a.resource(w, r, schema.GroupVersion{Group: parts[1], Version: parts[2]}, parts[3:])
	}
	return a.discovery(w, parts)
}

// resource answers a request below one group and version.
func (a *API) resource(w http.ResponseWriter, r *http.Request, gv schema.GroupVersion, path []string) error {
	q := &request{Request: r}
	if path[0] == "namespaces" && len(path) > 2 && !(len(path) == 3 && (path[2] == "status" || path[2] == "finalize")) {
		q.namespace, path = path[1], path[2:]
	}
	var ok bool
	if q.res, ok = a.find(gv, path[0]); !ok || len(path) > 3 {
		return notFound(r.URL.Path)
	}
	if len(path) > 1 {
		q.name = path[1]
	}
	if len(path) > 2 {
		q.sub = path[2]
	}
	if q.sub != "" && !q.res.has(q.sub) {
		return notFound(r.URL.Path)
	}
	return a.verb(w, q)
}

func notFound(path string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
		Message: "the server could not find the requested resource (" + path + ")"}}
}

func (a *API) verb(w http.ResponseWriter, q *request) error {
	switch {
	case q.sub != "" && q.sub != "status" && q.sub != "finalize":
		return a.sub(w, q)
	case q.Method == http.MethodGet && q.name == "" && q.URL.Query().Get("watch") == "true", q.Method == http.MethodGet && q.URL.Query().Get("watch") == "1":
		return a.watch(w, q)
	case q.Method == http.MethodGet && q.name == "":
		return a.list(w, q)
	case q.Method == http.MethodGet:
		return a.get(w, q)
	case q.Method == http.MethodPost && q.name == "":
		return a.create(w, q)
	case q.Method == http.MethodPut:
		return a.update(w, q)
	case q.Method == http.MethodPatch:
		return a.patch(w, q)
	case q.Method == http.MethodDelete && q.name == "":
		return a.deleteAll(w, q)
	case q.Method == http.MethodDelete:
		return a.delete(w, q)
	}
	return apierrors.NewMethodNotSupported(q.res.GroupResource(), q.Method)
}

func (q *request) key() Key { return Key{q.namespace, q.name} }

func (q *request) missing() error { return apierrors.NewNotFound(q.res.GroupResource(), q.name) }

// body reads an object from the request.
func (q *request) body() (map[string]any, error) {
	data, err := io.ReadAll(q.Body)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if bytes.HasPrefix(data, []byte("k8s\x00")) {
		return decodeProtobuf(data)
	}
	return decode(data)
}

// decodeProtobuf reads what typed clients send of built-in kinds. They take
// JSON in return.
func decodeProtobuf(data []byte) (map[string]any, error) {
	typed, gvk, err := scheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	m["apiVersion"], m["kind"] = gvk.GroupVersion().String(), gvk.Kind
	return m, nil
}

func decode(data []byte) (map[string]any, error) {
	data, err := yaml.YAMLToJSON(data) // JSON too is YAML
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	var m map[string]any
	if err := utiljson.Unmarshal(data, &m); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if m == nil {
		return nil, apierrors.NewBadRequest("the body holds no object")
	}
	return m, nil
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, fmt.Sprintf("writing the answer: %v", err), http.StatusInternalServerError)
		return
	}
	writeRaw(w, code, data)
}

func writeRaw(w http.ResponseWriter, code int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(data) // the client may be gone
}

func writeText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) // the client may be gone
}
