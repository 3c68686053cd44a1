package datastore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"go.etcd.io/etcd/server/v3/embed"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
)

// Members is the answer of /db/info, in k3s's form.
type Members struct {
	Members []*etcdserverpb.Member `json:"members"`
}

// ErrNoMembers says that the server that was asked has no etcd to join (k3s: it runs on another datastore).
var ErrNoMembers = errors.New("etcd disabled")

const (
	// PromoteEvery is how often the leader looks after learners. k3s waits 15 s; the shorter wait only shortens tests.
	PromoteEvery = 2 * time.Second
	// learnerMaxStall is how long a learner may make no progress before it is removed, as in k3s.
	learnerMaxStall = 5 * time.Minute
	retryJoin       = time.Second
	callTimeout     = 20 * time.Second
)

// Join adds this host to the cluster of the server as a learner and runs it. It retries each second while other members are
// still joining or unhealthy, as k3s does.
func (c Config) Join(ctx context.Context, via *join.Server) (*Store, error) {
	for {
		name, cluster, err := c.addLearner(ctx, via)
		if err == nil {
			c.Log.Infof("Starting etcd to join cluster with members %s", cluster)
			return c.run(ctx, name, cluster, embed.ClusterStateFlagExisting, false)
		}
		if !errors.Is(err, rpctypes.ErrTooManyLearners) && !errors.Is(err, rpctypes.ErrUnhealthy) &&
			!errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("joining etcd: %w", err)
		}
		c.Log.Infof("Waiting for other members to finish joining etcd cluster: %v", err)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(retryJoin):
		}
	}
}

func (c Config) addLearner(ctx context.Context, via *join.Server) (name, cluster string, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := via.Get(ctx, "/db/info", nil)
	if err != nil {
		return "", "", err
	}
	var known Members
	if err := json.Unmarshal(answer, &known); err != nil {
		return "", "", fmt.Errorf("reading the list of etcd members: %w", err)
	}
	client, err := c.client(ctx, votersOf(known)...)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = client.Close() }()
	if name, err = c.name(); err != nil {
		return "", "", err
	}
	list, err := client.MemberList(ctx)
	if err != nil {
		return "", "", err
	}
	cluster, there := c.initialCluster(list.Members, name)
	if !there {
		c.Log.Infof("Adding member %s=%s to etcd cluster [%s]", name, c.peerURL(), cluster)
		if _, err := client.MemberAddAsLearner(ctx, []string{c.peerURL()}); err != nil {
			return "", "", err
		}
		cluster += "," + name + "=" + c.peerURL()
	}
	return name, cluster, nil
}

func votersOf(known Members) []string {
	var urls []string
	for _, m := range known.Members {
		if !m.IsLearner {
			urls = append(urls, m.ClientURLs...)
		}
	}
	return urls
}

// initialCluster gives etcd's list of members and whether this host is one, with its name or not yet started.
func (c Config) initialCluster(members []*etcdserverpb.Member, name string) (cluster string, there bool) {
	var parts []string
	for _, m := range members {
		for _, peer := range m.PeerURLs {
			memberName := m.Name
			if peer == c.peerURL() && (memberName == name || memberName == "") {
				memberName, there = name, true
			}
			parts = append(parts, memberName+"="+peer)
		}
	}
	return strings.Join(parts, ","), there
}

// Members lists the members; when the cluster does not answer, this one alone, as k3s does.
func (s *Store) Members(ctx context.Context) Members {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if list, err := s.Client.MemberList(ctx); err == nil {
		return Members{list.Members}
	}
	return Members{[]*etcdserverpb.Member{{Name: s.Name, PeerURLs: []string{s.peerURL()}, ClientURLs: []string{s.clientURL()}}}}
}

// Voter tells whether this member votes. It asks the member itself, not its API, which panics in a member just removed.
func (s *Store) Voter() bool {
	for _, m := range s.member.Server.Cluster().Members() {
		if m.ID == s.member.Server.MemberID() {
			return !m.IsLearner
		}
	}
	return false
}

// Remove takes the member with that name and address out of the cluster. A member that is not there is fine.
func (s *Store) Remove(ctx context.Context, name, address string) error {
	list, err := s.Client.MemberList(ctx)
	if err != nil {
		return err
	}
	for _, m := range list.Members {
		for _, peer := range m.PeerURLs {
			u, err := url.Parse(peer)
			if err != nil || m.Name != name || u.Hostname() != address {
				continue
			}
			s.Log.Infof("Removing name=%s id=%d address=%s from etcd", m.Name, m.ID, address)
			if _, err := s.Client.MemberRemove(ctx, m.ID); !errors.Is(err, rpctypes.ErrMemberNotFound) {
				return err
			}
		}
	}
	return nil
}

// Bury marks the data of a removed member, so that the next start throws it away and joins anew.
func (c Config) Bury() error { return os.WriteFile(c.Dir.Etcd("tombstone"), nil, 0o600) }

// Exhume moves data that Bury marked aside. It reports whether there was any.
func (c Config) Exhume(now time.Time) (bool, error) {
	switch _, err := os.Stat(c.Dir.Etcd("tombstone")); {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	c.Log.Infof("etcd tombstone file has been detected, removing data dir to rejoin the cluster")
	return true, os.Rename(c.Dir.Etcd(), fmt.Sprintf("%s-old-%d", c.Dir.Etcd(), now.Unix()))
}
