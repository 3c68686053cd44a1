package supervisor

import (
	"crypto/subtle"
	"crypto/x509"
	"net/http"
	"os"
	"slices"
	"strings"
)

// require lets a request through that has one of the roles.
func (s *Supervisor) require(next http.Handler, roles ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		groups, waiting := s.identify(r)
		switch {
		case waiting:
			refuse(w, http.StatusServiceUnavailable, "apiserver not ready")
		case groups == nil:
			refuse(w, http.StatusUnauthorized, "not authorized")
		case !slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(groups, role) }):
			refuse(w, http.StatusForbidden, "forbidden")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// identify gives the groups of whoever asks, nil for a stranger: by password, token or client certificate, whichever fits.
// waiting: only the API server could tell, and it is not there.
func (s *Supervisor) identify(r *http.Request) (groups []string, waiting bool) {
	if name, pass, ok := r.BasicAuth(); ok {
		want := s.User(name)
		if want != "" && subtle.ConstantTimeCompare([]byte(want), []byte(pass)) == 1 {
			return []string{map[string]string{"server": roleServer, "node": roleAgent}[name]}, false
		}
	}
	if _, groups = s.certificate(r); groups != nil {
		return groups, false
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		return nil, false
	}
	api := s.api.Load()
	if api == nil || !s.ready.Load() {
		return nil, true
	}
	answer, ok, err := api.Authenticator.AuthenticateRequest(r.Clone(r.Context()))
	if err != nil || !ok {
		return nil, false
	}
	return answer.User.GetGroups(), false
}

// certificate gives name and groups of a client certificate that this cluster has signed.
func (s *Supervisor) certificate(r *http.Request) (name string, groups []string) {
	if r.TLS == nil || len(r.TLS.PeerCertificates) == 0 {
		return "", nil
	}
	ca, err := os.ReadFile(s.Dir.TLS("client-ca.crt"))
	if err != nil {
		return "", nil
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	leaf := r.TLS.PeerCertificates[0]
	_, err = leaf.Verify(x509.VerifyOptions{Roots: pool, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	if err != nil {
		return "", nil
	}
	return leaf.Subject.CommonName, append([]string{}, leaf.Subject.Organization...)
}
