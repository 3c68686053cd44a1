package server

import (
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/controlplane"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/pki"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// ensureAuthorities makes what all servers share, unless it is there: from disk, or from a server that was joined.
func (s Settings) ensureAuthorities() error {
	for _, a := range [][2]string{{"k3s-server-ca", "server-ca"}, {"k3s-client-ca", "client-ca"},
		{"k3s-request-header-ca", "request-header-ca"}, {"etcd-server-ca", "etcd/server-ca"}, {"etcd-peer-ca", "etcd/peer-ca"}} {
		if _, err := s.authority(a[0], a[1]); err != nil {
			return err
		}
	}
	if err := pki.EnsureKey(s.Dir.TLS("service.key")); err != nil {
		return err
	}
	psk := s.Dir.Cred("ipsec.psk")
	if _, err := os.Stat(psk); err == nil {
		return nil
	}
	return os.WriteFile(psk, []byte(token.Random(48)+"\n"), 0o600)
}

func (s Settings) authority(name, file string) (*pki.Authority, error) {
	return pki.EnsureAuthority(name, s.Dir.TLS(file+".crt"), s.Dir.TLS(file+".key"))
}

type leaf struct {
	ca, file, kubeconfig string
	spec                 pki.Spec
}

// ensureLeaves makes this server's own certificates and the kubeconfigs that use them.
func (s Settings) ensureLeaves() error {
	leaves, err := s.leaves()
	if err != nil {
		return err
	}
	for _, l := range leaves {
		ca, err := s.authority(l.ca, l.ca)
		if err != nil {
			return err
		}
		cert, key := s.Dir.TLS(l.file+".crt"), s.Dir.TLS(l.file+".key")
		if err := ca.EnsureLeaf(l.spec, cert, key); err != nil {
			return fmt.Errorf("making %s: %w", cert, err)
		}
		if l.kubeconfig == "" {
			continue
		}
		k := pki.Kubeconfig{URL: fmt.Sprintf("https://127.0.0.1:%d", controlplane.LocalPort), CA: s.Dir.TLS("server-ca.crt"), Cert: cert, Key: key}
		if err := k.Write(s.Dir.Cred(l.kubeconfig + ".kubeconfig")); err != nil {
			return err
		}
	}
	service, err := os.ReadFile(s.Dir.TLS("service.key"))
	if err != nil {
		return err
	}
	return os.WriteFile(s.Dir.TLS("service.current.key"), service, 0o600)
}

func (s Settings) leaves() ([]leaf, error) {
	dns, ips, err := s.servingNames()
	if err != nil {
		return nil, err
	}
	client := func(file, cn, kubeconfig string, orgs ...string) leaf {
		return leaf{"client-ca", file, kubeconfig, pki.Spec{CN: cn, Orgs: orgs, Client: true}}
	}
	etcd := append([]net.IP{net.IPv4(127, 0, 0, 1)}, s.IPs...)
	return []leaf{
		client("client-admin", "system:admin", "admin", "system:masters"),
		client("client-supervisor", "system:k3s-supervisor", "supervisor", "system:masters"),
		client("client-controller", "system:kube-controller-manager", "controller"),
		client("client-scheduler", "system:kube-scheduler", "scheduler"),
		client("client-kube-apiserver", "system:apiserver", "api-server", "system:masters"),
		client("client-kube-proxy", "system:kube-proxy", ""),
		client("client-k3s-controller", "system:k3s-controller", ""),
		client("client-k3s-cloud-controller", "k3s-cloud-controller-manager", "cloud-controller"),
		{"server-ca", "serving-kube-apiserver", "", pki.Spec{CN: "kube-apiserver", DNS: dns, IPs: ips, Server: true}},
		{"request-header-ca", "client-auth-proxy", "", pki.Spec{CN: "system:auth-proxy", Client: true}},
		{"etcd/server-ca", "etcd/client", "", pki.Spec{CN: "etcd-client", Client: true}},
		{"etcd/server-ca", "etcd/server-client", "", pki.Spec{CN: "etcd-server", IPs: etcd, DNS: []string{"localhost"}, Server: true, Client: true}},
		{"etcd/peer-ca", "etcd/peer-server-client", "", pki.Spec{CN: "etcd-peer", IPs: etcd, DNS: []string{"localhost"}, Server: true, Client: true}},
	}, nil
}

// servingNames are all names under which this server's API is reached.
func (s Settings) servingNames() ([]string, []net.IP, error) {
	service, err := control.ServiceIP(s.Control.ServiceIPRanges[0])
	if err != nil {
		return nil, nil, err
	}
	dns := []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc",
		"kubernetes.default.svc." + s.Control.ClusterDomain, "localhost", s.NodeName}
	ips := append([]net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, service}, s.IPs...)
	extra := append(append([]string{}, s.SANs...), s.Values.Strings("node-external-ip")...)
	if a := s.Values.String("advertise-address"); a != "" {
		extra = append(extra, a)
	}
	for _, san := range extra {
		if ip := net.ParseIP(strings.TrimSpace(san)); ip != nil {
			ips = append(ips, ip)
		} else {
			dns = append(dns, san)
		}
	}
	return dns, ips, nil
}
