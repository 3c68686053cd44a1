package supervisor

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/sirupsen/logrus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/pki"
)

// Headers in which an agent says who it is.
const (
	HeaderName     = "k3s-Node-Name"
	HeaderPassword = "k3s-Node-Password"
	HeaderIP       = "k3s-Node-IP"
)

func (s *Supervisor) servingKubelet(w http.ResponseWriter, r *http.Request) {
	spec := pki.Spec{Server: true, DNS: []string{"localhost"}, IPs: []net.IP{net.IPv4(127, 0, 0, 1)}}
	for text := range strings.SplitSeq(r.Header.Get(HeaderIP), ",") {
		if ip := net.ParseIP(strings.TrimSpace(text)); ip != nil {
			spec.IPs = append(spec.IPs, ip)
		}
	}
	s.issueForNode(w, r, "server-ca", func(node string) pki.Spec {
		spec.CN = node
		spec.DNS = append(spec.DNS, node)
		return spec
	})
}

func (s *Supervisor) clientKubelet(w http.ResponseWriter, r *http.Request) {
	s.issueForNode(w, r, "client-ca", func(node string) pki.Spec {
		return pki.Spec{CN: "system:node:" + node, Orgs: []string{groupNodes}, Client: true}
	})
}

// issueForNode checks that the node is the one that first used its name and sends it a new certificate.
func (s *Supervisor) issueForNode(w http.ResponseWriter, r *http.Request, ca string, spec func(node string) pki.Spec) {
	node, err := s.verifyNode(r)
	if err != nil {
		logrus.Errorf("Sending HTTP %d response to %s: unable to verify password for node %s: %v", err.Code, r.RemoteAddr, node, err)
		refuse(w, err.Code, err.Message)
		return
	}
	authority, loadErr := pki.LoadAuthority(s.Dir.TLS(ca+".crt"), s.Dir.TLS(ca+".key"))
	if loadErr != nil {
		refuse(w, http.StatusInternalServerError, loadErr.Error())
		return
	}
	cert, key, issueErr := authority.Issue(spec(node))
	if issueErr != nil {
		refuse(w, http.StatusInternalServerError, issueErr.Error())
		return
	}
	_, _ = w.Write(append(cert, key...))
}

func (s *Supervisor) verifyNode(r *http.Request) (string, *Refusal) {
	node, pass := strings.ToLower(r.Header.Get(HeaderName)), r.Header.Get(HeaderPassword)
	if node == "" || pass == "" {
		return node, &Refusal{http.StatusBadRequest, "node name and password have to be given"}
	}
	if name, groups := s.certificate(r); groups != nil && name != "system:node:"+node && r.Header.Get("Authorization") == "" {
		return node, &Refusal{http.StatusForbidden, "not authorized for node " + node}
	}
	api := s.api.Load()
	if api == nil || !s.ready.Load() {
		return node, s.verifyOwn(node, pass)
	}
	if err := ensurePassword(r.Context(), api.Client.CoreV1().Secrets(metav1.NamespaceSystem), node, pass); err != nil {
		return node, err
	}
	return node, nil
}

// verifyOwn serves this server's own kubelet before the API server is there: it can read the node's password file.
func (s *Supervisor) verifyOwn(node, pass string) *Refusal {
	want, err := os.ReadFile(layout.NodePassword)
	if node == s.NodeName && err == nil && strings.TrimSpace(string(want)) == pass {
		return nil
	}
	return &Refusal{http.StatusServiceUnavailable, "runtime core not ready"}
}

// apiServers lists where API servers answer, "address:port", for the load balancers of agents.
func (s *Supervisor) apiServers(r *http.Request) (any, error) {
	api := s.api.Load()
	if api == nil || !s.ready.Load() {
		return nil, &Refusal{http.StatusServiceUnavailable, "runtime core not ready"}
	}
	slices, err := api.Client.DiscoveryV1().EndpointSlices(metav1.NamespaceDefault).Get(r.Context(), "kubernetes", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	addresses := []string{}
	for _, e := range slices.Endpoints {
		for _, a := range e.Addresses {
			addresses = append(addresses, fmt.Sprintf("%s:%d", a, s.Control.HTTPSPort))
		}
	}
	return addresses, nil
}

func (s *Supervisor) dbInfo(r *http.Request) (any, error) {
	store := s.Store.Load()
	if store == nil || !s.Clustered {
		return nil, &Refusal{http.StatusBadRequest, datastore.ErrNoMembers.Error()}
	}
	return store.Members(r.Context()), nil
}
