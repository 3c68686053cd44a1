package agent

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/sirupsen/logrus"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/pki"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/supervisor"
)

// k3s's waits: each loop goes on until the agent is stopped.
const (
	retryConnect = 2 * time.Second
	retryConfig  = 5 * time.Second // with jitter up to twice that
)

// connect waits until the server answers with a CA that fits the token.
func (s Settings) connect(ctx context.Context, url string) (*join.Server, error) {
	for {
		srv, err := s.tryConnect(ctx, url)
		if err == nil {
			return srv, nil
		}
		logrus.Errorf("Failed to validate connection to cluster at %s: %v", s.ServerURL, err)
		if err := pause(ctx, retryConnect); err != nil {
			return nil, err
		}
	}
}

func (s Settings) tryConnect(ctx context.Context, url string) (*join.Server, error) {
	text, err := s.Token()
	if err != nil {
		return nil, err
	}
	srv, err := join.Connect(ctx, url, text, "node", func(w string) { logrus.Warn(w) })
	if err != nil {
		return nil, err
	}
	if cert, err := tls.LoadX509KeyPair(s.Dir.Agent("client-kubelet.crt"), s.Dir.Agent("client-kubelet.key")); err == nil {
		srv.Cert = &cert
	}
	return srv, nil
}

// fetch waits until the server has given configuration and certificates.
func (s Settings) fetch(ctx context.Context, srv *join.Server, apiURL string) (control.Config, error) {
	for {
		conf, err := s.tryFetch(ctx, srv, apiURL)
		if err == nil {
			return conf, nil
		}
		logrus.Infof("Waiting to retrieve agent configuration; server is not ready: %v", err)
		if err := pause(ctx, retryConfig+time.Duration(rand.Int64N(int64(retryConfig)))); err != nil {
			return conf, err
		}
	}
}

func (s Settings) tryFetch(ctx context.Context, srv *join.Server, apiURL string) (control.Config, error) {
	var conf control.Config
	data, err := srv.Get(ctx, "/v1-k3s/config", nil)
	if err == nil {
		err = json.Unmarshal(data, &conf)
	}
	if err != nil {
		return conf, fmt.Errorf("failed to retrieve configuration from server: %w", err)
	}
	pass, err := password()
	if err != nil {
		return conf, err
	}
	header := http.Header{}
	header.Set(supervisor.HeaderName, s.NodeName)
	header.Set(supervisor.HeaderPassword, pass)
	header.Set(supervisor.HeaderIP, s.addresses())
	for _, name := range []string{"client-ca", "server-ca"} {
		data, err := srv.Get(ctx, "/v1-k3s/"+name+".crt", nil)
		if err != nil {
			return conf, fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(s.Dir.Agent(name+".crt"), data, 0o600); err != nil {
			return conf, err
		}
	}
	for _, name := range []string{"serving-kubelet", "client-kubelet", "client-kube-proxy", "client-k3s-controller"} {
		if err := s.fetchPair(ctx, srv, name, header); err != nil {
			return conf, err
		}
	}
	return conf, s.writeKubeconfigs(apiURL)
}

func (s Settings) fetchPair(ctx context.Context, srv *join.Server, name string, header http.Header) error {
	data, err := srv.Get(ctx, "/v1-k3s/"+name+".crt", header)
	var status *join.StatusError
	if errors.As(err, &status) && status.Code == http.StatusForbidden {
		return fmt.Errorf("Node password rejected, duplicate hostname or contents of '%s' may not match server node-passwd entry, "+
			"try enabling a unique node name with the --with-node-id flag", layout.NodePassword)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Dir.Agent(name+".crt"), err)
	}
	cert, key, err := pki.Split(data)
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.Dir.Agent(name+".crt"), cert, 0o600); err != nil {
		return err
	}
	return os.WriteFile(s.Dir.Agent(name+".key"), key, 0o600)
}

func (s Settings) writeKubeconfigs(apiURL string) error {
	for file, cert := range map[string]string{"kubelet": "client-kubelet", "kubeproxy": "client-kube-proxy", "k3scontroller": "client-k3s-controller"} {
		k := pki.Kubeconfig{URL: apiURL, CA: s.Dir.Agent("server-ca.crt"), Cert: s.Dir.Agent(cert + ".crt"), Key: s.Dir.Agent(cert + ".key")}
		if err := k.Write(s.Dir.Agent(file + ".kubeconfig")); err != nil {
			return err
		}
	}
	return nil
}

func (s Settings) addresses() string {
	var all []string
	for _, ip := range s.IPs {
		all = append(all, ip.String())
	}
	return strings.Join(append(all, s.Values.Strings("node-external-ip")...), ",")
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
