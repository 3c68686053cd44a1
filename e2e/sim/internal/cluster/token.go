package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// hash is what tokens pin the CA with.
func (c *Cluster) hash() string {
	s := sha256.Sum256(c.CACerts())
	return hex.EncodeToString(s[:])
}

// ServerToken is the full token with which servers, and agents, may join.
func (c *Cluster) ServerToken() string { return "K10" + c.hash() + "::server:" + c.server }

// AgentToken is the full token with which only agents may join.
func (c *Cluster) AgentToken() string { return "K10" + c.hash() + "::node:" + c.agent }

// Secret is the part of a token behind its CA hash and user; of a short token
// it is all.
func Secret(token string) string {
	_, rest, full := strings.Cut(token, "::")
	if !full || !strings.HasPrefix(token, "K10") {
		return token
	}
	_, secret, _ := strings.Cut(rest, ":")
	return secret
}

// Admit checks a joining host's token in k3s's words. Agents may use either
// token, servers only their own.
func (c *Cluster) Admit(token, role string) error {
	if head, _, full := strings.Cut(token, "::"); full && strings.HasPrefix(token, "K10") {
		pinned := strings.TrimPrefix(head, "K10")
		switch {
		case len(pinned) != 2*sha256.Size:
			return fmt.Errorf("invalid token CA hash length")
		case pinned != c.hash():
			return fmt.Errorf("token CA hash does not match the Cluster CA certificate hash: %s != %s", pinned, c.hash())
		}
	}
	secret := Secret(token)
	if secret == c.server || secret == c.agent && role == "agent" {
		return nil
	}
	return ErrNotAuthorized
}

// SameToken says whether a restarted server still has the token that its
// datastore was made with.
func (c *Cluster) SameToken(token string) bool { return Secret(token) == c.server }

// SameAgentToken says whether a joining server has the other servers' agent
// token.
func (c *Cluster) SameAgentToken(token string) bool { return Secret(token) == c.agent }
