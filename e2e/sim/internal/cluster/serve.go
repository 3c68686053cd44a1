package cluster

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// Server is the API as one server host serves it.
type Server struct {
	cluster *Cluster
	name    string
	http    *http.Server
	work    sync.WaitGroup

	mu    sync.Mutex
	ready bool
}

// Serve begins to serve a cluster's API through a listener, with a certificate
// for the names given. Until SetReady it answers only what k3s answers while
// its API server is not up.
func (c *Cluster) Serve(name string, ln net.Listener, names []string) (*Server, error) {
	config, err := c.tlsConfig(names)
	if err != nil {
		return nil, err
	}
	s := &Server{cluster: c, name: name}
	s.http = &http.Server{Handler: s, TLSConfig: config, ErrorLog: log.New(io.Discard, "", 0)} // cut connections are part of the game
	s.work.Go(func() { _ = s.http.Serve(tls.NewListener(ln, config)) })
	return s, nil
}

// SetReady says that the API server is up.
func (s *Server) SetReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = true
}

// Close ends the API on this host with all its connections.
func (s *Server) Close() {
	_ = s.http.Close() // it only reports the listener's error
	s.work.Wait()
}

// ServeHTTP sorts requests by their credentials and by what is up.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/cacerts":
		_, _ = w.Write(s.cluster.CACerts())
		return
	case "/ping":
		_, _ = io.WriteString(w, "pong")
		return
	}
	s.mu.Lock()
	ready := s.ready
	s.mu.Unlock()
	in, _ := s.cluster.Member(s.name)
	switch {
	case len(r.TLS.PeerCertificates) == 0:
		refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
	case !ready, !in:
		refuse(w, http.StatusServiceUnavailable, "ServiceUnavailable", "apiserver not ready")
	case !s.cluster.Quorum():
		refuse(w, http.StatusServiceUnavailable, "ServiceUnavailable", "etcdserver: no leader")
	default:
		s.cluster.API.ServeHTTP(w, r)
	}
}

// refuse answers with a Status, as the API server does.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"code":%d}`, message, reason, code)
}
