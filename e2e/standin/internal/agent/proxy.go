package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/sirupsen/logrus"
	proxyapp "k8s.io/kubernetes/cmd/kube-proxy/app"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/kubeargs"
)

// runProxy runs kube-proxy once the API server is ready. Its command ends with the process only.
func (s Settings) runProxy(ctx context.Context, srv *join.Server, conf control.Config) error {
	for {
		_, err := srv.Get(ctx, "/v1-k3s/readyz", nil)
		if err == nil {
			break
		}
		logrus.Infof("Waiting to retrieve kube-proxy configuration; server is not ready: %v", err)
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
	cmd := proxyapp.NewProxyCommand()
	cmd.SetArgs(kubeargs.Merge(map[string]string{
		"cluster-cidr":                      conf.ClusterIPRanges[0],
		"conntrack-max-per-core":            "0",
		"conntrack-tcp-timeout-close-wait":  "0s",
		"conntrack-tcp-timeout-established": "0s",
		"healthz-bind-address":              "127.0.0.1",
		"hostname-override":                 s.NodeName,
		"kubeconfig":                        s.Dir.Agent("kubeproxy.kubeconfig"),
		"proxy-mode":                        "iptables",
	}, s.Values.Strings("kube-proxy-arg")))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.ExecuteContext(ctx); err != nil {
		return fmt.Errorf("kube-proxy exited: %w", err)
	}
	return nil
}
