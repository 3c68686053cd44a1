// Package server is `k3s server`: it prepares the cluster's secrets, runs etcd, the API server and its companions, serves the
// supervisor port and then starts this host's agent.
package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/hostinfo"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// Settings is `k3s server`'s configuration, resolved.
type Settings struct {
	Values      config.Values
	Dir         layout.Dir
	NodeName    string
	IPs         []net.IP
	Token       string // as given; "" on a first start without one
	AgentToken  string // "" means: the same as Token
	JoinURL     string
	ClusterInit bool
	Port        int
	SANs        []string
	Disable     []string
	Control     control.Config
}

// FromValues resolves the flags.
func FromValues(v config.Values) (Settings, error) {
	s := Settings{
		Values: v, Dir: layout.Dir(v.String("data-dir")), JoinURL: v.String("server"), ClusterInit: v.Bool("cluster-init"),
		Port: v.Int("https-listen-port"), SANs: v.Strings("tls-san"), Disable: v.Strings("disable"),
	}
	if v.String("datastore-endpoint") != "" {
		return s, errors.New("the stand-in has only embedded etcd; datastore-endpoint is not supported")
	}
	var err error
	if s.Token, err = secret(v, "token"); err != nil {
		return s, err
	}
	if s.AgentToken, err = secret(v, "agent-token"); err != nil {
		return s, err
	}
	if s.NodeName, err = hostinfo.Name(v.String("node-name"), nodeIDFile(v), func() string { return token.Random(4) }); err != nil {
		return s, err
	}
	if s.IPs, err = hostinfo.IPs(v.Strings("node-ip")); err != nil {
		return s, err
	}
	s.Control, err = controlConfig(v, s)
	return s, err
}

func nodeIDFile(v config.Values) string {
	if !v.Bool("with-node-id") {
		return ""
	}
	return layout.NodeDir + "/id"
}

// secret reads --<name> or --<name>-file.
func secret(v config.Values, name string) (string, error) {
	file := v.String(name + "-file")
	if v.String(name) != "" || file == "" {
		return v.String(name), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading %s-file: %w", name, err)
	}
	return strings.TrimSpace(string(data)), nil
}

func controlConfig(v config.Values, s Settings) (control.Config, error) {
	or := func(values []string, def string) []string {
		if len(values) == 0 {
			return []string{def}
		}
		return values
	}
	services := or(v.Strings("service-cidr"), "10.43.0.0/16")
	dns, err := control.DNSIP(services[0])
	if err != nil {
		return control.Config{}, fmt.Errorf("invalid service-cidr: %w", err)
	}
	return control.Config{
		Critical: control.Critical{
			ClusterDNSs:           or(v.Strings("cluster-dns"), dns.String()),
			ClusterIPRanges:       or(v.Strings("cluster-cidr"), "10.42.0.0/16"),
			ClusterDomain:         v.String("cluster-domain"),
			DisableCCM:            v.Bool("disable-cloud-controller"),
			DisableHelmController: v.Bool("disable-helm-controller"),
			DisableNPC:            v.Bool("disable-network-policy"),
			DisableServiceLB:      slices.Contains(s.Disable, "servicelb"),
			EncryptSecrets:        v.Bool("secrets-encryption"),
			EmbeddedRegistry:      v.Bool("embedded-registry"),
			FlannelBackend:        v.String("flannel-backend"),
			FlannelIPv6Masq:       v.Bool("flannel-ipv6-masq"),
			FlannelExternalIP:     v.Bool("flannel-external-ip"),
			EgressSelectorMode:    v.String("egress-selector-mode"),
			ServiceIPRanges:       services,
		},
		HTTPSPort:             s.Port,
		DisableKubeProxy:      v.Bool("disable-kube-proxy"),
		ServiceNodePortRange:  v.String("service-node-port-range"),
		SystemDefaultRegistry: v.String("system-default-registry"),
	}, nil
}
