// Package supervisor answers on k3s's one public port: the supervisor's own paths here, everything else by the API server's
// handler chain with the client's TLS state, so that client certificates keep working.
package supervisor

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/client-go/kubernetes"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/bootdata"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// API is the API server once it has been built.
type API struct {
	Handler       http.Handler
	Authenticator authenticator.Request
	Client        kubernetes.Interface
}

// Supervisor serves one server's port.
type Supervisor struct {
	Dir         layout.Dir
	NodeName    string
	Control     control.Config
	User        func(name string) string // password of "server" or "node"
	SnapshotDir string
	Store       atomic.Pointer[datastore.Store]
	Clustered   bool // false: no etcd for others to join
	api         atomic.Pointer[API]
	ready       atomic.Bool
}

// Built passes requests on to the API server from now on.
func (s *Supervisor) Built(api *API) { s.api.Store(api) }

// Ready says that the API server answers.
func (s *Supervisor) Ready() { s.ready.Store(true) }

// Roles of the supervisor's paths.
const (
	roleAgent     = "k3s:agent"
	roleServer    = "k3s:server"
	groupNodes    = "system:nodes"
	groupMasters  = "system:masters"
	groupJoiners  = "system:bootstrappers"
	snapshotLimit = 2 * time.Minute // k3s gives up then
)

// Handler routes requests.
func (s *Supervisor) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/ping", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("pong")) })
	mux.Handle("/cacerts", file(s.Dir.TLS("server-ca.crt")))
	agent := func(path string, h http.Handler) {
		mux.Handle("/v1-k3s/"+path, s.require(h, roleAgent, roleServer, groupNodes, groupJoiners))
	}
	agent("server-ca.crt", file(s.Dir.TLS("server-ca.crt")))
	agent("client-ca.crt", file(s.Dir.TLS("client-ca.crt")))
	agent("config", s.answer(func(*http.Request) (any, error) { return s.Control, nil }))
	agent("client-kube-proxy.crt", pair(s.Dir.TLS("client-kube-proxy")))
	agent("client-k3s-controller.crt", pair(s.Dir.TLS("client-k3s-controller")))
	agent("serving-kubelet.crt", http.HandlerFunc(s.servingKubelet))
	agent("client-kubelet.crt", http.HandlerFunc(s.clientKubelet))
	agent("apiservers", s.answer(s.apiServers))
	agent("readyz", http.HandlerFunc(s.readyz))
	server := func(path string, h http.Handler) { mux.Handle(path, s.require(h, roleServer, groupMasters)) }
	server("/v1-k3s/server-bootstrap", http.HandlerFunc(s.bootstrap))
	server("/db/info", s.answer(s.dbInfo))
	server("/db/snapshot", s.answer(s.snapshot))
	mux.HandleFunc("/", s.kubernetes)
	return mux
}

// kubernetes is everything that is not the supervisor's. Before the API server is there, a stranger is told 401 and a member
// of the cluster 503, so an answering port is no ready API.
func (s *Supervisor) kubernetes(w http.ResponseWriter, r *http.Request) {
	if api := s.api.Load(); api != nil {
		api.Handler.ServeHTTP(w, r)
		return
	}
	if groups, _ := s.identify(r); groups == nil {
		refuse(w, http.StatusUnauthorized, "not authorized")
		return
	}
	refuse(w, http.StatusServiceUnavailable, "apiserver not ready")
}

func (s *Supervisor) readyz(w http.ResponseWriter, _ *http.Request) {
	if !s.ready.Load() {
		refuse(w, http.StatusInternalServerError, "runtime core not ready")
		return
	}
	_, _ = w.Write([]byte("ok"))
}

func (s *Supervisor) bootstrap(w http.ResponseWriter, _ *http.Request) {
	data, err := bootdata.Read(s.Dir)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

func (s *Supervisor) answer(ask func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := ask(r)
		var status *Refusal
		switch {
		case errors.As(err, &status):
			refuse(w, status.Code, status.Message)
		case err != nil:
			refuse(w, http.StatusInternalServerError, err.Error())
		default:
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(v)
		}
	})
}

// Refusal is an answer other than 200.
type Refusal struct {
	Code    int
	Message string
}

func (r *Refusal) Error() string { return r.Message }

func refuse(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Message: message, Code: int32(code),
	})
}

func file(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { send(w, path) })
}

// pair sends a certificate and its key.
func pair(base string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { send(w, base+".crt", base+".key") })
}

func send(w http.ResponseWriter, paths ...string) {
	var all []byte
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			refuse(w, http.StatusInternalServerError, err.Error())
			return
		}
		all = append(all, data...)
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = w.Write(all)
}
