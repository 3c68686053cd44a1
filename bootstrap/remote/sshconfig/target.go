package sshconfig

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// ErrLoop means that jump hosts lead to each other.
var ErrLoop = errors.New("ProxyJump goes in a circle")

// maxHops bounds the chain of jump hosts that configuration makes.
const maxHops = 8

// Fill completes a target whose Address is a name as one would give it to
// ssh. What the target says itself stays; its jump hosts are completed in
// the same way. Jump hosts that come from ProxyJump get the keys that the
// files name for them, and after those the target's own.
func Fill(t remote.Target, o Options) (remote.Target, error) {
	return fill(t, o, t.IdentityFiles, 0)
}

// fill completes a target; keys are those that hops get besides their own.
func fill(t remote.Target, o Options, keys []string, depth int) (remote.Target, error) {
	if depth > maxHops {
		return t, fmt.Errorf("%w: %s", ErrLoop, t.Address)
	}
	o.User, o.Port = t.User, t.Port
	c, err := Resolve(t.Address, o)
	if err != nil {
		return t, err
	}
	hops, err := jumps(t, c, o, keys, depth)
	if err != nil {
		return t, err
	}
	return merge(t, c, hops), nil
}

// merge sets what the target leaves open.
func merge(t remote.Target, c Config, hops []remote.Target) remote.Target {
	if t.Name == "" {
		t.Name = t.Address
	}
	t.Address, t.JumpHosts = c.HostName, hops
	if t.User == "" {
		t.User = c.User
	}
	if t.Port == 0 {
		t.Port = c.Port
	}
	if t.IdentityFiles == nil {
		t.IdentityFiles, t.IdentitiesOnly = c.IdentityFiles, t.IdentitiesOnly || c.IdentitiesOnly
	}
	if t.CertificateFiles == nil {
		t.CertificateFiles = c.CertificateFiles
	}
	if t.AgentSocket == "" {
		t.AgentSocket = c.IdentityAgent
	}
	if t.HostKeyAlias == "" {
		t.HostKeyAlias = c.HostKeyAlias
	}
	if t.KnownHosts == nil {
		t.KnownHosts = c.KnownHosts
	}
	if t.DialTimeout == 0 {
		t.DialTimeout = c.ConnectTimeout
	}
	return t
}

// jumps are the completed hops. Only the first hop may have hops of its
// own, as the others are reached through it.
func jumps(t remote.Target, c Config, o Options, keys []string, depth int) ([]remote.Target, error) {
	hops := t.JumpHosts
	if hops == nil && c.ProxyJump != nil {
		base := t
		base.IdentityFiles, base.CertificateFiles = nil, nil
		with, err := base.WithJumps(c.ProxyJump...)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", c.proxyPos, err)
		}
		hops = with.JumpHosts
	}
	chain := []remote.Target{}
	for i, hop := range hops {
		if i > 0 || t.JumpHosts != nil {
			hop.JumpHosts = []remote.Target{}
		}
		own := hop.IdentityFiles
		hop, err := fill(hop, o, keys, depth+1)
		if err != nil {
			return nil, err
		}
		if own == nil && keys != nil {
			hop.IdentityFiles = slices.Concat(hop.IdentityFiles, keys)
		}
		chain = append(chain, hop.JumpHosts...)
		hop.JumpHosts = nil
		chain = append(chain, hop)
	}
	return chain, nil
}
