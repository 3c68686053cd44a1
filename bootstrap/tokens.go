package bootstrap

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"strings"
)

// tokens are the cluster's full join tokens, as k3s prints them:
// K10<hash of the CA>::<user>:<secret>.
type tokens struct {
	server, agent []byte
}

// founding are the secrets that a new cluster begins with. The server's also
// encrypts the CA keys in etcd; agents get one of their own, so that a lost
// worker cannot read those.
type founding struct {
	server, agent []byte
}

// foundingToken makes the secrets of a new cluster when first asked.
func (a *applyRun) foundingToken(name secretName) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.first == nil {
		server, err := newSecret(a.Rand)
		if err != nil {
			return nil, err
		}
		agent, err := newSecret(a.Rand)
		if err != nil {
			return nil, err
		}
		a.first = &founding{server, agent}
		a.Redactor.Add(string(server))
		a.Redactor.Add(string(agent))
	}
	if name == secretServerToken {
		return a.first.server, nil
	}
	return a.first.agent, nil
}

// newSecret gives 128 random bits as hex, the strength and shape of k3s's own.
func newSecret(random io.Reader) ([]byte, error) {
	raw := make([]byte, 16)
	if _, err := io.ReadFull(random, raw); err != nil {
		return nil, fmt.Errorf("making a token: %w", err)
	}
	return []byte(hex.EncodeToString(raw)), nil
}

// clusterTokens reads the full tokens from a running server, once.
func (a *applyRun) clusterTokens(ctx context.Context) (*tokens, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens != nil {
		return a.tokens, nil
	}
	if a.Existing != nil {
		a.tokens = &tokens{agent: a.Existing.Token}
		return a.tokens, nil
	}
	name := a.apiHost
	seen := a.survey.Host(name)
	if seen == nil {
		return nil, fmt.Errorf("reading the join token: no server's API answered: %w", orNone(a.survey.Cluster.Err))
	}
	t, err := readTokens(ctx, seen.Conn, dataDir(seen.Host))
	if err != nil {
		return nil, fmt.Errorf("reading the join tokens on %s: %w", name, err)
	}
	a.learnSecrets(t)
	a.tokens = t
	return t, nil
}

// learnSecrets keeps tokens and the bare secrets in them out of every event.
func (a *applyRun) learnSecrets(t *tokens) {
	for _, token := range [][]byte{t.server, t.agent} {
		a.Redactor.Add(string(token))
		if i := strings.LastIndexByte(string(token), ':'); i >= 0 {
			a.Redactor.Add(string(token[i+1:]))
		}
	}
}

// existingToken is the hash of the token that joins an existing cluster.
func (g *Gpuboot) existingToken() string {
	if g.Existing == nil {
		return ""
	}
	return sha256Hex(g.Existing.Token)
}

func readTokens(ctx context.Context, c Conn, dataDir string) (*tokens, error) {
	server, err := c.ReadFile(ctx, path.Join(dataDir, "server/token"))
	if err != nil {
		return nil, err
	}
	agent, err := c.ReadFile(ctx, path.Join(dataDir, "server/agent-token"))
	if err != nil {
		return nil, err
	}
	return &tokens{bytes.TrimSpace(server), bytes.TrimSpace(agent)}, nil
}

// caHash is the hash that a full token pins the cluster's CA with; empty for a
// token without one.
func caHash(token []byte) string {
	head, _, ok := strings.Cut(string(token), "::")
	if !ok || !strings.HasPrefix(head, "K10") {
		return ""
	}
	return strings.TrimPrefix(head, "K10")
}

// bareSecret is the part of a full token that a server's own token file takes.
func bareSecret(token []byte) []byte {
	i := bytes.LastIndexByte(token, ':')
	return token[i+1:]
}
