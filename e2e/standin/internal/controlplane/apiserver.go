package controlplane

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/kubeargs"
)

// APIServer is an API server that has been built and can run.
type APIServer struct {
	Handler       http.Handler // the whole chain, authentication included; it wants the connection's TLS state
	Authenticator authenticator.Request
	run           func(context.Context) error
}

// Run serves until ctx ends.
func (a *APIServer) Run(ctx context.Context) error { return a.run(ctx) }

func (s Settings) newAPIServer() (func(context.Context) (*APIServer, error), error) {
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	opts := options.NewServerRunOptions()
	if err := parse("kube-apiserver", opts.Flags(), kubeargs.Merge(s.apiServerArgs(), s.APIServerArgs)); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (*APIServer, error) { return s.buildAPIServer(ctx, opts) }, nil
}

func (s Settings) buildAPIServer(ctx context.Context, opts *options.ServerRunOptions) (*APIServer, error) {
	completed, err := opts.Complete(ctx)
	if err != nil {
		return nil, err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return nil, utilerrors.NewAggregate(errs)
	}
	conf, err := app.NewConfig(completed)
	if err != nil {
		return nil, err
	}
	serving := *conf.KubeAPIs.ControlPlane.Generic.SecureServing
	serving.Listener = advertised{serving.Listener, s.HTTPSPort}
	conf.KubeAPIs.ControlPlane.Generic.SecureServing = &serving
	ready, err := conf.Complete()
	if err != nil {
		return nil, err
	}
	chain, err := app.CreateServerChain(ready)
	if err != nil {
		return nil, fmt.Errorf("building kube-apiserver: %w", err)
	}
	prepared, err := chain.PrepareRun()
	if err != nil {
		return nil, err
	}
	return &APIServer{
		Handler:       chain.GenericAPIServer.Handler,
		Authenticator: conf.KubeAPIs.ControlPlane.Generic.Authentication.Authenticator,
		run:           prepared.Run,
	}, nil
}

// advertised tells the controller that publishes the "kubernetes" service the port that agents use; the API server's own
// listener is private. (k3s patches Kubernetes for a flag that says so.)
type advertised struct {
	net.Listener
	port int
}

func (a advertised) Addr() net.Addr {
	addr := *a.Listener.Addr().(*net.TCPAddr)
	addr.Port = a.port
	return &addr
}

func (s Settings) apiServerArgs() map[string]string {
	issuer := "https://kubernetes.default.svc." + s.ClusterDomain
	return map[string]string{
		"advertise-address":                  s.AdvertiseAddress,
		"allow-privileged":                   "true",
		"anonymous-auth":                     "false",
		"api-audiences":                      issuer + ",k3s",
		"authorization-mode":                 "Node,RBAC",
		"bind-address":                       "127.0.0.1",
		"secure-port":                        strconv.Itoa(LocalPort),
		"client-ca-file":                     s.Dir.TLS("client-ca.crt"),
		"enable-admission-plugins":           "NodeRestriction",
		"enable-aggregator-routing":          "true",
		"enable-bootstrap-token-auth":        "true",
		"etcd-servers":                       datastore.Endpoint,
		"etcd-cafile":                        s.Dir.TLS("etcd/server-ca.crt"),
		"etcd-certfile":                      s.Dir.TLS("etcd/client.crt"),
		"etcd-keyfile":                       s.Dir.TLS("etcd/client.key"),
		"kubelet-certificate-authority":      s.Dir.TLS("server-ca.crt"),
		"kubelet-client-certificate":         s.Dir.TLS("client-kube-apiserver.crt"),
		"kubelet-client-key":                 s.Dir.TLS("client-kube-apiserver.key"),
		"kubelet-preferred-address-types":    "InternalIP,ExternalIP,Hostname",
		"profiling":                          "false",
		"proxy-client-cert-file":             s.Dir.TLS("client-auth-proxy.crt"),
		"proxy-client-key-file":              s.Dir.TLS("client-auth-proxy.key"),
		"requestheader-allowed-names":        "system:auth-proxy",
		"requestheader-client-ca-file":       s.Dir.TLS("request-header-ca.crt"),
		"requestheader-extra-headers-prefix": "X-Remote-Extra-",
		"requestheader-group-headers":        "X-Remote-Group",
		"requestheader-username-headers":     "X-Remote-User",
		"service-account-issuer":             issuer,
		"service-account-key-file":           s.Dir.TLS("service.key"),
		"service-account-signing-key-file":   s.Dir.TLS("service.current.key"),
		"service-cluster-ip-range":           s.ServiceCIDR,
		"service-node-port-range":            s.ServiceNodePortRange,
		"storage-backend":                    "etcd3",
		"tls-cert-file":                      s.Dir.TLS("serving-kube-apiserver.crt"),
		"tls-private-key-file":               s.Dir.TLS("serving-kube-apiserver.key"),
	}
}
