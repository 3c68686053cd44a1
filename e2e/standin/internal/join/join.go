// Package join is the client side of a server's supervisor port: it fetches and pins the cluster's CA by the token, and asks
// for configuration and certificates. It decides nothing about retries.
package join

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// ErrUntrusted warns that a token without a CA hash pins nothing; the text is k3s's.
var ErrUntrusted = errors.New("Cluster CA certificate is not trusted by the host CA bundle, but the token does not include a CA hash. " +
	"Use the full token from the server's node-token file to enable Cluster CA validation.")

// Server is a supervisor port whose CA is known.
type Server struct {
	URL   string
	CA    []byte // PEM
	Token token.Token
	Cert  *tls.Certificate // client certificate of a node that has joined before; may be nil
}

// Connect fetches the CA and checks it against the token's hash. user is put into a token without one. warn gets
// ErrUntrusted's text when the token has no hash.
func Connect(ctx context.Context, rawURL, rawToken, user string, warn func(string)) (*Server, error) {
	t, err := token.Parse(rawToken)
	if err != nil {
		return nil, err
	}
	if t.Bootstrap == "" && t.User == "" || user == "node" {
		t.User = user
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("Invalid server url, failed to parse: %s: %w", rawURL, err)
	}
	if u.Scheme != "https" {
		return nil, fmt.Errorf("only https:// URLs are supported, invalid scheme: %s", rawURL)
	}
	s := &Server{URL: strings.TrimRight(u.String(), "/"), Token: t}
	if s.CA, err = s.fetchCA(ctx); err != nil {
		return nil, err
	}
	if t.CAHash == "" {
		warn(ErrUntrusted.Error())
	} else if got := token.HashCA(s.CA); got != t.CAHash {
		return nil, fmt.Errorf("token CA hash does not match the Cluster CA certificate hash: %s != %s", t.CAHash, got)
	}
	return s, nil
}

func (s *Server) fetchCA(ctx context.Context) ([]byte, error) {
	anyone := &http.Client{Timeout: requestTimeout, Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // the CA is what is being fetched; its hash is compared
	}}
	ca, err := do(ctx, anyone, http.MethodGet, s.URL+"/cacerts", nil, nil)
	if err != nil {
		return nil, fmt.Errorf("failed to get CA certs: %w", err)
	}
	check := Server{URL: s.URL, CA: ca}
	if _, err := do(ctx, check.client(requestTimeout), http.MethodGet, s.URL+"/cacerts", nil, nil); err != nil {
		return nil, fmt.Errorf("CA cert validation failed: %w", err)
	}
	return ca, nil
}

const requestTimeout = 10 * time.Second

func (s *Server) client(timeout time.Duration) *http.Client {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.CA)
	conf := &tls.Config{RootCAs: pool}
	if s.Cert != nil {
		conf.Certificates = []tls.Certificate{*s.Cert}
	}
	return &http.Client{Timeout: timeout, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: conf}}
}

// Get asks for a path with the token's credentials.
func (s *Server) Get(ctx context.Context, path string, header http.Header) ([]byte, error) {
	return do(ctx, s.client(requestTimeout), http.MethodGet, s.URL+path, s.auth(header), nil)
}

// Post sends body to a path and waits for the answer as long as timeout.
func (s *Server) Post(ctx context.Context, path string, body []byte, timeout time.Duration) ([]byte, error) {
	return do(ctx, s.client(timeout), http.MethodPost, s.URL+path, s.auth(nil), body)
}

func (s *Server) auth(header http.Header) http.Header {
	h := header.Clone()
	if h == nil {
		h = http.Header{}
	}
	req := http.Request{Header: h}
	if s.Token.Bootstrap != "" {
		h.Set("Authorization", "Bearer "+s.Token.Bootstrap)
	} else {
		req.SetBasicAuth(s.Token.User, s.Token.Secret)
	}
	return h
}

// StatusError is a server's refusal; its text is the server's message.
type StatusError struct {
	Code    int
	Message string
}

func (e *StatusError) Error() string { return e.Message }

func do(ctx context.Context, c *http.Client, method, target string, header http.Header, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return nil, fmt.Errorf("reading the answer of %s: %w", target, err)
	}
	if resp.StatusCode/100 != 2 {
		var status struct{ Message string }
		if json.Unmarshal(answer, &status) != nil || status.Message == "" {
			status.Message = fmt.Sprintf("%s: %s", target, resp.Status)
		}
		return nil, &StatusError{resp.StatusCode, status.Message}
	}
	return answer, nil
}
