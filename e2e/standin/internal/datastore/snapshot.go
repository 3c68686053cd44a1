package datastore

import (
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	clientsnapshot "go.etcd.io/etcd/client/v3/snapshot"
	"go.etcd.io/etcd/etcdutl/v3/snapshot"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// Snapshot is one file in the folder for snapshots.
type Snapshot struct {
	Name      string    `json:"name"`
	Location  string    `json:"location"`
	Size      int64     `json:"size"`
	CreatedAt time.Time `json:"createdAt"`
}

// Save writes a snapshot named <base>-<node>-<unix time>. It needs a quorum, as k3s's does: without one it waits for ctx.
func (s *Store) Save(ctx context.Context, dir, base string, now time.Time) (Snapshot, error) {
	if _, err := s.Client.MemberList(ctx); err != nil {
		return Snapshot{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Snapshot{}, err
	}
	name := fmt.Sprintf("%s-%s-%d", base, s.NodeName, now.Unix())
	path := filepath.Join(dir, name)
	conf := clientv3.Config{Endpoints: []string{Endpoint}, DialTimeout: 5 * time.Second, Logger: zap.NewNop()}
	info := s.tlsInfo("client", "server-ca")
	info.ClientCertAuth = false
	var err error
	var clientTLS *tls.Config
	if clientTLS, err = info.ClientConfig(); err != nil {
		return Snapshot{}, err
	}
	conf.TLS = clientTLS
	if _, err := clientsnapshot.SaveWithVersion(ctx, zap.NewNop(), conf, path); err != nil {
		return Snapshot{}, fmt.Errorf("saving snapshot: %w", err)
	}
	stat, err := os.Stat(path)
	if err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Name: name, Location: "file://" + path, Size: stat.Size(), CreatedAt: now}, nil
}

// Reset makes this member the only one of a new cluster, from a snapshot if one is named, and stops again.
func (c Config) Reset(ctx context.Context, snapshotFile string, now time.Time) error {
	if snapshotFile != "" {
		if err := c.restore(snapshotFile, now); err != nil {
			return fmt.Errorf("restoring %s: %w", snapshotFile, err)
		}
	}
	name, err := c.name()
	if err != nil {
		return err
	}
	s, err := c.run(ctx, name, name+"="+c.peerURL(), embed.ClusterStateFlagNew, true)
	if err != nil {
		return err
	}
	s.Close()
	return nil
}

func (c Config) restore(file string, now time.Time) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	if _, err := os.Stat(c.Dir.Etcd()); err == nil {
		if err := os.Rename(c.Dir.Etcd(), fmt.Sprintf("%s-old-%d", c.Dir.Etcd(), now.Unix())); err != nil {
			return err
		}
	}
	name := c.NodeName + "-" + fmt.Sprintf("%08x", uint32(now.Unix()))
	err := snapshot.NewV3(zap.NewNop()).Restore(snapshot.RestoreConfig{
		SnapshotPath: file, Name: name, OutputDataDir: c.Dir.Etcd(), PeerURLs: []string{c.peerURL()},
		InitialCluster: name + "=" + c.peerURL(), InitialClusterToken: "etcd-cluster",
	})
	if err != nil {
		return err
	}
	return os.WriteFile(c.Dir.Etcd("name"), []byte(name), 0o600)
}
