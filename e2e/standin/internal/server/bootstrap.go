package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sirupsen/logrus"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/bootdata"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
)

// ErrCritical is k3s's refusal of a server whose critical flags differ.
var ErrCritical = errors.New("critical configuration value mismatch between servers")

// prepared is a server whose secrets are in place; start runs its etcd member, which may wait for a quorum.
type prepared struct {
	password string
	start    func(context.Context) (*datastore.Store, error)
}

// prepare gets the cluster's secrets from where they are (the datastore on disk, a server to join, or nowhere yet) and makes
// this server's certificates.
func (s Settings) prepare(ctx context.Context) (prepared, error) {
	if _, err := s.store().Exhume(time.Now()); err != nil {
		return prepared{}, err
	}
	pass, err := s.password()
	if err != nil {
		return prepared{}, err
	}
	p := prepared{password: pass, start: s.store().Start}
	if s.store().Initialized() {
		err = s.fromDisk(ctx, pass)
	} else if s.JoinURL != "" {
		var via *join.Server
		via, err = s.fromServer(ctx)
		p.start = func(ctx context.Context) (*datastore.Store, error) { return s.store().Join(ctx, via) }
	} else {
		logrus.Info("Managed etcd cluster initializing")
	}
	if err != nil {
		return p, err
	}
	if err := s.ensureAuthorities(); err != nil {
		return p, err
	}
	if err := s.checkPin(); err != nil {
		return p, err
	}
	if s.user("server") == "" || s.JoinURL == "" {
		if err := s.writeUsers(pass); err != nil {
			return p, err
		}
	}
	return p, s.ensureLeaves()
}

func (s Settings) store() datastore.Config {
	return datastore.Config{Dir: s.Dir, NodeName: s.NodeName, Address: s.IPs[0].String(),
		OpenMetrics: s.Values.Bool("etcd-expose-metrics"), Log: logrus.StandardLogger()}
}

func (s Settings) fromDisk(ctx context.Context, pass string) error {
	logrus.Info("Managed etcd cluster bootstrap already complete and initialized")
	data, err := s.store().StoredBootstrap(pass)
	if errors.Is(err, bootdata.ErrNone) && s.JoinURL != "" {
		// A learner that died before the data had reached it: the server it joined still has them.
		_, err = s.fromServer(ctx)
		return err
	}
	if err != nil {
		return err
	}
	if err := bootdata.Write(s.Dir, data); err != nil || s.JoinURL == "" {
		return err
	}
	via, err := join.Connect(ctx, s.JoinURL, s.Token, "server", func(string) {})
	if err == nil {
		err = s.compare(ctx, via)
	}
	if errors.Is(err, ErrCritical) {
		return fmt.Errorf("failed to validate server configuration: %w", err)
	}
	return nil //nolint:nilerr // the other server may be down: a cluster has to start from cold
}

// fromServer takes the cluster's secrets from the server to join, after comparing the flags that have to be equal.
func (s Settings) fromServer(ctx context.Context) (*join.Server, error) {
	if s.Token == "" {
		return nil, errors.New("K3S_TOKEN is required to join a cluster")
	}
	logrus.Info("Managed etcd cluster not yet initialized")
	via, err := join.Connect(ctx, s.JoinURL, s.Token, "server", func(w string) { logrus.Warn(w) })
	if err != nil {
		return nil, fmt.Errorf("failed to validate token: %w", err)
	}
	data, err := via.Get(ctx, "/v1-k3s/server-bootstrap", nil)
	if err != nil {
		return nil, fmt.Errorf("failed to bootstrap cluster data: %w", err)
	}
	if err := s.compare(ctx, via); err != nil {
		return nil, fmt.Errorf("failed to validate server configuration: %w", err)
	}
	return via, bootdata.Write(s.Dir, data)
}

func (s Settings) compare(ctx context.Context, via *join.Server) error {
	answer, err := via.Get(ctx, "/v1-k3s/config", nil)
	if err != nil {
		return err
	}
	var theirs control.Config
	if err := json.Unmarshal(answer, &theirs); err != nil {
		return fmt.Errorf("reading the server's configuration: %w", err)
	}
	fields := s.Control.Mismatch(theirs.Critical)
	for _, f := range fields {
		logrus.Warnf("critical configuration mismatched: %s", f)
	}
	if len(fields) > 0 {
		return ErrCritical
	}
	return nil
}
