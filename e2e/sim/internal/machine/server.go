package machine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/cluster"
)

// Moments in the life of a server, from the start of its unit. "Observed" are
// figures of a k3s 1.34 on two cores; what lies between them is made up in
// proportion.
const (
	serverPort   = 3 * time.Second          // the port answers, the API does not
	serverKeys   = 6 * time.Second          // a founder saves its keys and writes k3s.yaml
	serverAPI    = 10 * time.Second         // the API answers
	serverActive = 14500 * time.Millisecond // observed
	serverReady  = 16600 * time.Millisecond // observed

	joinLearner = 5 * time.Second  // a further server is in etcd, without a vote
	joinVoter   = 20 * time.Second // it votes
	joinAPI     = 24 * time.Second
	joinActive  = 28 * time.Second // observed: 28 s and 32 s
	joinReady   = 30 * time.Second // observed: "a few seconds later"

	againAPI    = 9 * time.Second
	againActive = 13600 * time.Millisecond // observed
	againReady  = 14600 * time.Millisecond
)

// pace is when a server reaches what.
type pace struct{ api, active, ready time.Duration }

// server is the life of a server.
func (k *k3s) server(ctx context.Context) error {
	dir := k.config.dataDir() + "/server"
	if err := k.unpack(dir+"/db/etcd", dir+"/tls"); err != nil {
		return err
	}
	c, p, err := k.enter(ctx, dir)
	if err != nil {
		return err
	}
	api, err := k.serve(ctx, c, dir)
	if err != nil {
		return err
	}
	defer k.unserve(c)
	if p.api == serverAPI {
		if k.dieOnce() {
			return k.dies("simulated fault: the first start dies before the cluster's keys are saved")
		}
		if !k.until(ctx, serverKeys) {
			return errEnded
		}
		c.SaveKeys()
	}
	if err := k.writeSecrets(c, dir); err != nil {
		return err
	}
	if !k.until(ctx, p.api) {
		return errEnded
	}
	api.SetReady()
	k.info("Kube API server is now running (simulated)")
	if !k.until(ctx, p.active) {
		return errEnded
	}
	return k.serverNode(ctx, c, p)
}

func (k *k3s) serverNode(ctx context.Context, c *cluster.Cluster, p pace) error {
	k.u.set("active", "running")
	if err := k.register(ctx, c); err != nil {
		return err
	}
	if !k.until(ctx, p.ready) {
		return errEnded
	}
	if err := k.ready(c); err != nil {
		return err
	}
	if err := c.Condition(k.nodeName(), "EtcdIsVoter", corev1.ConditionTrue, "MemberNotLearner", "Node is a voting member of the etcd cluster (simulated)"); err != nil {
		return err
	}
	return k.run(ctx, c)
}

// enter finds the cluster that the server belongs to: the one in its
// datastore, the one it is told to join, or a new one.
func (k *k3s) enter(ctx context.Context, dir string) (*cluster.Cluster, pace, error) {
	token := k.secretFile(k.config.text("token-file"))
	id, err := k.files.Read(dir + "/db/etcd/cluster")
	if err == nil {
		c, err := k.rejoin(string(id), token, dir)
		if c != nil || err != nil {
			return c, pace{againAPI, againActive, againReady}, err
		}
	}
	if k.config.text("server") != "" {
		c, err := k.join(ctx, token, dir)
		return c, pace{joinAPI, joinActive, joinReady}, err
	}
	c, err := k.found(token, dir)
	return c, pace{serverAPI, serverActive, serverReady}, err
}

// rejoin is a start on an existing datastore; it gives no cluster when the
// server was taken out of it and has to join anew.
func (k *k3s) rejoin(id, token, dir string) (*cluster.Cluster, error) {
	c := k.world.cluster(id)
	switch in := false; {
	case c == nil || !c.Bootstrapped():
		return nil, k.dies("Failed to start server: no bootstrap data found in datastore - check server token value and verify datastore integrity")
	case !c.SameToken(token):
		return nil, k.dies("starting kubernetes: preparing server: bootstrap data already found and encrypted with different token")
	default:
		if in, _ = c.Member(k.nodeName()); in {
			c.SetUp(k.nodeName(), true)
			return c, nil
		}
	}
	k.info("this server has been removed from the cluster; resetting its datastore")
	k.files.RemoveAll(dir + "/db")
	if err := k.files.MkdirAll(dir+"/db/etcd", 0o700); err != nil {
		return nil, k.dies("failed to reset the datastore: %v", err)
	}
	if k.config.text("server") == "" {
		return nil, k.dies("starting kubernetes: preparing server: this server was removed from its cluster and is told of no other to join")
	}
	return nil, nil
}

// found begins a cluster.
func (k *k3s) found(token, dir string) (*cluster.Cluster, error) {
	if token == "" {
		token = k.hash("token " + stamp(k.Machine))[:32]
	}
	k.info("Managed etcd cluster initializing")
	id := fmt.Sprintf("%s-%d", k.Name, time.Now().UnixNano())
	c, err := k.world.begin(cluster.Founding{ID: id, Founder: k.nodeName(), Version: k.version, ServerSecret: cluster.Secret(token),
		AgentSecret: cluster.Secret(k.secretFile(k.config.text("agent-token-file"))), Critical: k.config.critical(), Now: k.world.Now})
	if err != nil {
		return nil, err
	}
	if err := k.files.Write(dir+"/db/etcd/cluster", []byte(id), 0o600); err != nil {
		return nil, k.dies("failed to write the datastore: %v", err)
	}
	return c, nil
}

// join enters an existing cluster as a learner, and gets a vote.
func (k *k3s) join(ctx context.Context, token, dir string) (*cluster.Cluster, error) {
	c, err := k.ask(token)
	if err != nil {
		return nil, k.dies("starting kubernetes: preparing server: failed to bootstrap cluster data: %v", err)
	}
	if err := k.sameSettings(c); err != nil {
		return nil, err
	}
	if !k.until(ctx, joinLearner) {
		return nil, errEnded
	}
	if err := c.AddLearner(k.nodeName()); err != nil {
		k.world.Problem("%s: joined while another server was still a learner", k.Name)
		return nil, k.dies("starting kubernetes: preparing server: %v", err)
	}
	if err := k.files.Write(dir+"/db/etcd/cluster", []byte(c.ID), 0o600); err != nil {
		return nil, k.dies("failed to write the datastore: %v", err)
	}
	if !k.until(ctx, joinVoter) {
		return nil, errEnded
	}
	c.Promote(k.nodeName())
	return c, nil
}

// ask finds the cluster behind the join URL and shows it the token.
func (k *k3s) ask(token string) (*cluster.Cluster, error) {
	url := strings.TrimPrefix(k.config.text("server"), "https://")
	if url == k.config.text("server") {
		return nil, errors.New("only https:// URLs are supported, invalid scheme: " + url)
	}
	peer := k.world.serving(url)
	if peer == nil || k.Trouble().Isolated {
		return nil, fmt.Errorf(`failed to get CA certs: Get "https://%s/cacerts": dial tcp %s: connect: connection refused`, url, url)
	}
	c := peer.Cluster()
	if c == nil {
		return nil, fmt.Errorf(`failed to get CA certs: Get "https://%s/cacerts": EOF`, url)
	}
	return c, c.Admit(token, k.role)
}

func (k *k3s) sameSettings(c *cluster.Cluster) error {
	for _, name := range sortedKeys(c.Critical) {
		if mine := k.config.critical()[name]; mine != c.Critical[name] {
			k.say("time=%q level=warning msg=%q", stamp(k.Machine), fmt.Sprintf("critical configuration mismatched: %s: %s != %s", name, mine, c.Critical[name]))
			return k.dies("starting kubernetes: preparing server: failed to validate server configuration: critical configuration value mismatch between servers")
		}
	}
	if !c.SameAgentToken(k.secretFile(k.config.text("agent-token-file"))) {
		k.world.Problem("%s: joins as server with another agent token than the cluster's", k.Name)
	}
	return nil
}

// serve opens the API's port on this host.
func (k *k3s) serve(ctx context.Context, c *cluster.Cluster, _ string) (*cluster.Server, error) {
	if !k.until(ctx, serverPort) {
		return nil, errEnded
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(k.Loopback, "0"))
	if err != nil {
		return nil, k.dies("listen tcp :6443: %v", err)
	}
	names := append(k.config.list("tls-san"), k.config.text("node-ip"), k.nodeName())
	s, err := c.Serve(k.nodeName(), ln, names)
	if err != nil {
		_ = ln.Close()
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.served, k.apiAddr, k.member = s, ln.Addr().String(), c
	return s, nil
}

func (k *k3s) unserve(c *cluster.Cluster) {
	k.mu.Lock()
	s := k.served
	k.served, k.member = nil, nil
	k.mu.Unlock()
	c.SetUp(k.nodeName(), false)
	s.Close()
}

func (k *k3s) dieOnce() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	die := k.trouble.DieOnce
	k.trouble.DieOnce = false
	return die
}

// writeSecrets writes what only a server has: the admin's kubeconfig and the
// join tokens, which are k3s's own files.
func (k *k3s) writeSecrets(c *cluster.Cluster, dir string) error {
	kubeconfig, err := c.Kubeconfig()
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"/etc/rancher/k3s/k3s.yaml": kubeconfig, dir + "/token": []byte(c.ServerToken() + "\n"),
		dir + "/agent-token": []byte(c.AgentToken() + "\n"), dir + "/node-token": []byte(c.ServerToken() + "\n"),
	} {
		if err := k.files.Put(name, data, 0o600); err != nil {
			return k.dies("failed to write %s: %v", name, err)
		}
	}
	return nil
}
