// Package cluster is a simulated k3s cluster apart from its hosts: certificate
// authority, join tokens, etcd's members, node passwords, and the API that its
// servers serve. Nothing here takes time; the hosts' model says when things
// happen.
package cluster

import (
	"errors"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/kubeapi"
)

// What etcd and k3s say when they refuse, in their own words.
var (
	ErrTooManyLearners = errors.New("etcdserver: too many learner members in cluster")
	ErrNotAuthorized   = errors.New("not authorized")
	ErrPassword        = errors.New("Node password rejected, duplicate hostname or contents of '/etc/rancher/node/password' may not match server node-passwd entry, try enabling a unique node name with the --with-node-id flag")
)

// Cluster is one cluster. Its methods may be called at the same time.
type Cluster struct {
	ID string
	// Critical are the settings that all servers must agree on.
	Critical map[string]string
	API      *kubeapi.API
	ca       *authority
	server   string // secret of the server token
	agent    string // secret of the agent token
	now      func() time.Time

	mu           sync.Mutex
	bootstrapped bool
	members      map[string]*member
	passwords    map[string]string
	mostLearners int
	beats        map[string]time.Time
}

// member is one of etcd's, by the name of its node.
type member struct {
	voter bool
	up    bool
}

// Founding is what a new cluster begins with.
type Founding struct {
	ID, Founder               string
	Version                   string
	ServerSecret, AgentSecret string // an empty agent secret means the server's
	Critical                  map[string]string
	Now                       func() time.Time
}

// New begins a cluster whose only member is its founder.
func New(f Founding) (*Cluster, error) {
	ca, err := newAuthority(f.Now())
	if err != nil {
		return nil, err
	}
	if f.AgentSecret == "" {
		f.AgentSecret = f.ServerSecret
	}
	return &Cluster{
		ID: f.ID, Critical: f.Critical, ca: ca, server: f.ServerSecret, agent: f.AgentSecret, now: f.Now,
		API:     kubeapi.New(f.Version, f.Now),
		members: map[string]*member{f.Founder: {voter: true, up: true}}, passwords: map[string]string{}, beats: map[string]time.Time{},
	}, nil
}

// Bootstrapped says whether the founder has saved the cluster's keys; until
// then the cluster is lost if the founder stops.
func (c *Cluster) Bootstrapped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bootstrapped
}

// SaveKeys makes the cluster outlive a restart of its founder.
func (c *Cluster) SaveKeys() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bootstrapped = true
}

// AddLearner adds a server to etcd that does not vote yet.
func (c *Cluster) AddLearner(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	learners := 1
	for other, m := range c.members {
		if !m.voter && other != name {
			learners++
		}
	}
	c.mostLearners = max(c.mostLearners, learners)
	if learners > 1 {
		return ErrTooManyLearners
	}
	c.members[name] = &member{}
	return nil
}

// Learners is how many servers ever wanted to be learners at one time.
func (c *Cluster) Learners() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mostLearners
}

// Promote gives a learner its vote; a member that left meanwhile gets none.
func (c *Cluster) Promote(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.members[name]; m != nil {
		m.voter, m.up = true, true
	}
}

// SetUp says whether a member's etcd runs.
func (c *Cluster) SetUp(name string, up bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.members[name]; m != nil {
		m.up = up
	}
}

// Member says whether a server is in etcd, and whether it votes.
func (c *Cluster) Member(name string) (in, votes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[name]
	return m != nil, m != nil && m.voter
}

// Members counts etcd's voting members.
func (c *Cluster) Members() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.members {
		if m.voter {
			n++
		}
	}
	return n
}

// Quorum says whether etcd can agree on anything.
func (c *Cluster) Quorum() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	voters, up := 0, 0
	for _, m := range c.members {
		if m.voter {
			voters++
			if m.up {
				up++
			}
		}
	}
	return up > voters/2
}

// CheckPassword holds a node's own password against the one it came with
// first.
func (c *Cluster) CheckPassword(node, password string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch known, ok := c.passwords[node]; {
	case !ok:
		c.passwords[node] = password
	case known != password:
		return ErrPassword
	}
	return nil
}

// forget is what k3s does when a node is deleted: its password goes, and a
// server leaves etcd.
func (c *Cluster) forget(node string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.passwords, node)
	delete(c.members, node)
	delete(c.beats, node)
}
