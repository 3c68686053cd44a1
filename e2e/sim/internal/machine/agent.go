package machine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/cluster"
)

// Moments in the life of an agent; see those of a server.
const (
	agentConfig = 3 * time.Second          // it has its configuration from a server
	agentNode   = 9 * time.Second          // its node is registered
	agentActive = 10900 * time.Millisecond // observed
	agentReady  = 11700 * time.Millisecond // observed

	agentAgainActive = 8400 * time.Millisecond // observed
)

// agent is the life of an agent. One that cannot join keeps trying; its unit
// stays activating.
func (k *k3s) agent(ctx context.Context) error {
	if k.config.text("server") == "" {
		return k.dies("--server is required")
	}
	if k.secretFile(k.config.text("token-file")) == "" {
		return k.dies("--token is required")
	}
	if err := k.unpack(); err != nil {
		return err
	}
	c, err := k.configured(ctx)
	if err != nil {
		return err
	}
	known := c.HasNode(k.nodeName())
	if !known && !k.until(ctx, agentNode) {
		return errEnded
	}
	if err := k.register(ctx, c); err != nil {
		return err
	}
	active := agentActive
	if known {
		active = agentAgainActive
	}
	if !k.until(ctx, active) {
		return errEnded
	}
	k.u.set("active", "running")
	if !known && !k.until(ctx, agentReady) {
		return errEnded
	}
	if err := k.ready(c); err != nil {
		return err
	}
	k.mu.Lock()
	k.member = c
	k.mu.Unlock()
	return k.run(ctx, c)
}

// configured gets the agent's configuration from a server, however long that
// takes.
func (k *k3s) configured(ctx context.Context) (*cluster.Cluster, error) {
	k.begun = time.Now()
	if !k.until(ctx, agentConfig) {
		return nil, errEnded
	}
	for {
		c, err := k.ask(k.secretFile(k.config.text("token-file")))
		if err == nil {
			k.reached(agentConfig)
			return c, nil
		}
		again := 2 * time.Second
		if errors.Is(err, cluster.ErrNotAuthorized) {
			again = 7 * time.Second
			k.failed("Waiting to retrieve agent configuration; server is not ready: failed to retrieve configuration from server: %v", err)
		} else {
			k.failed("Failed to validate connection to cluster at %s: %v", k.config.text("server"), err)
		}
		if !k.wait(ctx, again) {
			return nil, errEnded
		}
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
