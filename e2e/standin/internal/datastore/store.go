// Package datastore runs the embedded etcd member of a server: new, joined as a learner, started again, or reset. It knows
// members and snapshots, nothing of Kubernetes.
package datastore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// Endpoint is the member on this host.
const Endpoint = "https://127.0.0.1:2379"

// Config says which member this host runs.
type Config struct {
	Dir         layout.Dir
	NodeName    string
	Address     string // the node IP, for peers and clients
	OpenMetrics bool   // metrics on the node IP too, not only on 127.0.0.1
	Log         Logger
}

// Logger is what the package says while it waits.
type Logger interface {
	Infof(format string, args ...any)
	Warnf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Store is a running member.
type Store struct {
	Config
	Name   string
	Client *clientv3.Client
	member *embed.Etcd
	closed chan struct{}
}

// Initialized tells whether this host has a member's data already.
func (c Config) Initialized() bool {
	_, err := os.Stat(c.Dir.Etcd("member/wal"))
	return err == nil
}

// Start runs a member that exists, or the first of a new cluster.
func (c Config) Start(ctx context.Context) (*Store, error) {
	name, err := c.name()
	if err != nil {
		return nil, err
	}
	return c.run(ctx, name, name+"="+c.peerURL(), embed.ClusterStateFlagNew, false)
}

func (c Config) run(ctx context.Context, name, cluster, state string, reset bool) (*Store, error) {
	conf, err := c.embedConfig(name, cluster, state)
	if err != nil {
		return nil, err
	}
	conf.ForceNewCluster = reset
	member, err := embed.StartEtcd(conf)
	if err != nil {
		return nil, fmt.Errorf("starting etcd: %w", err)
	}
	s := &Store{Config: c, Name: name, member: member, closed: make(chan struct{})}
	if s.Client, err = c.client(ctx, Endpoint); err != nil {
		member.Close()
		return nil, err
	}
	select {
	case <-member.Server.ReadyNotify():
		return s, nil
	case err := <-member.Err():
		return nil, fmt.Errorf("etcd ended while starting: %w", err)
	case <-ctx.Done():
		s.Close()
		return nil, ctx.Err()
	}
}

func (c Config) embedConfig(name, cluster, state string) (*embed.Config, error) {
	conf := embed.NewConfig()
	conf.Name, conf.Dir = name, c.Dir.Etcd()
	conf.InitialCluster, conf.ClusterState = cluster, state
	conf.InitialClusterToken = "etcd-cluster"
	conf.TickMs, conf.ElectionMs = 500, 5000 // k3s's, for slow disks
	conf.LogLevel, conf.LogOutputs = "error", []string{"stderr"}
	metrics := []string{"http://127.0.0.1:2381"}
	if c.OpenMetrics {
		metrics = append(metrics, "http://"+c.Address+":2381")
	}
	for _, f := range []struct {
		field *[]url.URL
		urls  []string
	}{
		{&conf.ListenClientUrls, []string{Endpoint, c.clientURL()}},
		{&conf.AdvertiseClientUrls, []string{c.clientURL()}},
		{&conf.ListenPeerUrls, []string{c.peerURL()}},
		{&conf.AdvertisePeerUrls, []string{c.peerURL()}},
		{&conf.ListenMetricsUrls, metrics},
	} {
		*f.field = nil // etcd's defaults go
		for _, raw := range f.urls {
			u, err := url.Parse(raw)
			if err != nil {
				return nil, fmt.Errorf("etcd address: %w", err)
			}
			*f.field = append(*f.field, *u)
		}
	}
	conf.ClientTLSInfo = c.tlsInfo("server-client", "server-ca")
	conf.PeerTLSInfo = c.tlsInfo("peer-server-client", "peer-ca")
	if err := os.MkdirAll(c.Dir.Etcd(), 0o700); err != nil {
		return nil, err
	}
	return conf, os.Chmod(c.Dir.Etcd(), 0o700)
}

func (c Config) tlsInfo(cert, ca string) transport.TLSInfo {
	return transport.TLSInfo{
		CertFile: c.Dir.TLS("etcd", cert+".crt"), KeyFile: c.Dir.TLS("etcd", cert+".key"),
		TrustedCAFile: c.Dir.TLS("etcd", ca+".crt"), ClientCertAuth: true,
	}
}

func (c Config) client(ctx context.Context, endpoints ...string) (*clientv3.Client, error) {
	cert, err := tls.LoadX509KeyPair(c.Dir.TLS("etcd/client.crt"), c.Dir.TLS("etcd/client.key"))
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(c.Dir.TLS("etcd/server-ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	return clientv3.New(clientv3.Config{
		Context: ctx, Endpoints: endpoints, DialTimeout: 2 * time.Second, Logger: zap.NewNop(),
		DialKeepAliveTime: 30 * time.Second, DialKeepAliveTimeout: 10 * time.Second,
		TLS: &tls.Config{Certificates: []tls.Certificate{cert}, RootCAs: pool},
	})
}

// name is made once and kept beside the data, so that a member that was removed comes back as another.
func (c Config) name() (string, error) {
	file := c.Dir.Etcd("name")
	if data, err := os.ReadFile(file); err == nil {
		return strings.TrimSpace(string(data)), nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(c.Dir.Etcd(), 0o700); err != nil {
		return "", err
	}
	name := c.NodeName + "-" + token.Random(4)
	return name, os.WriteFile(file, []byte(name), 0o600)
}

func (c Config) peerURL() string   { return "https://" + c.Address + ":2380" }
func (c Config) clientURL() string { return "https://" + c.Address + ":2379" }

// Wait waits until the member ends by itself. removed: because the cluster has removed it. Close makes it return too.
func (s *Store) Wait() (removed bool, err error) {
	select {
	case <-s.closed:
		return false, nil
	case err = <-s.member.Err():
	case <-s.member.Server.StopNotify():
	}
	select {
	case <-s.closed:
		return false, nil
	default:
		go s.member.Close() // refuses calls from now on: a member that was removed panics when it is asked for its status
		return err == nil, err
	}
}

// Close hands on leadership and stops the member with its files in order. Its listeners stay until the process ends or, after
// a reset, for nobody: closing them would wait for the API server's watches.
func (s *Store) Close() {
	close(s.closed)
	_ = s.Client.Close()
	s.member.Server.Stop()
}
