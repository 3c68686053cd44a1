package join

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/pki"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// supervisor is a server with a CA of its own that knows one password.
func supervisor(t *testing.T) (url string, ca []byte) {
	t.Helper()
	dir := t.TempDir()
	authority, err := pki.EnsureAuthority("test", filepath.Join(dir, "ca.crt"), filepath.Join(dir, "ca.key"))
	if err != nil {
		t.Fatal(err)
	}
	cert, key, err := authority.Issue(pki.Spec{CN: "server", IPs: []net.IP{net.IPv4(127, 0, 0, 1)}, Server: true})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/cacerts", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(authority.PEM) })
	mux.HandleFunc("/who", func(w http.ResponseWriter, r *http.Request) {
		user, pass, _ := r.BasicAuth()
		if pass != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"kind":"Status","message":"not authorized"}`))
			return
		}
		_, _ = w.Write([]byte(user + r.Header.Get("Extra")))
	})
	srv := httptest.NewUnstartedServer(mux)
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv.URL, authority.PEM
}

func TestAFullTokenPinsTheCA(t *testing.T) {
	t.Parallel()
	url, ca := supervisor(t)
	full := token.Token{CAHash: token.HashCA(ca), User: "server", Secret: "secret"}
	warn := func(w string) { t.Error("unexpected warning:", w) }
	s, err := Connect(t.Context(), url, full.String(), "node", warn)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), "/who", http.Header{"Extra": {"+"}}); string(got) != "node+" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	full.CAHash = strings.Repeat("ab", 32)
	_, err = Connect(t.Context(), url, full.String(), "node", warn)
	if err == nil || !strings.HasPrefix(err.Error(), "token CA hash does not match the Cluster CA certificate hash: "+full.CAHash+" != ") {
		t.Errorf("err = %v", err)
	}
}

func TestAShortTokenWarns(t *testing.T) {
	t.Parallel()
	url, _ := supervisor(t)
	warned := 0
	s, err := Connect(t.Context(), url+"/", "wrong", "server", func(string) { warned++ })
	if err != nil || warned != 1 {
		t.Fatalf("%d warnings, %v", warned, err)
	}
	_, err = s.Get(t.Context(), "/who", nil)
	var status *StatusError
	if !errors.As(err, &status) || status.Code != http.StatusUnauthorized || err.Error() != "not authorized" {
		t.Errorf("err = %v", err)
	}
}

func TestOnlyHTTPS(t *testing.T) {
	t.Parallel()
	_, err := Connect(t.Context(), "http://127.0.0.1:1", "secret", "node", func(string) {})
	if err == nil || err.Error() != "only https:// URLs are supported, invalid scheme: http://127.0.0.1:1" {
		t.Errorf("err = %v", err)
	}
}
