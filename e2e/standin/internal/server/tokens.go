package server

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// ErrServerToken says that a first server's token has to be a password, alone or in the full form.
var ErrServerToken = errors.New("failed to normalize server token; must be in format K10<CA-HASH>::<USERNAME>:<PASSWORD> or <PASSWORD>")

// password gives the secret part of the cluster's token: from the settings, else from server/token, else a new one.
func (s Settings) password() (string, error) {
	given := s.Token
	if given == "" {
		data, err := os.ReadFile(s.Dir.Server("token"))
		if errors.Is(err, os.ErrNotExist) {
			if pass := s.user("server"); pass != "" {
				return pass, nil
			}
			return token.Random(16), nil
		} else if err != nil {
			return "", err
		}
		given = strings.TrimSpace(string(data))
	}
	t, err := token.Parse(given)
	if err != nil {
		return "", err
	}
	if t.Bootstrap != "" && s.JoinURL != "" && !s.store().Initialized() {
		return "", nil // the server to join will say that it is forbidden
	} else if t.Bootstrap != "" {
		return "", ErrServerToken
	}
	return t.Secret, nil
}

// checkPin compares the hash of a full token with the CA that this server has; on a first server it cannot match.
func (s Settings) checkPin() error {
	if s.Token == "" {
		return nil
	}
	t, err := token.Parse(s.Token)
	if err != nil || t.CAHash == "" {
		return err
	}
	ca, err := os.ReadFile(s.Dir.TLS("server-ca.crt"))
	if err != nil {
		return err
	}
	if got := token.HashCA(ca); got != t.CAHash {
		return fmt.Errorf("token CA hash does not match the Cluster CA certificate hash: %s != %s", t.CAHash, got)
	}
	return nil
}

// writeUsers keeps the two passwords of the supervisor port in cred/passwd, which servers share.
func (s Settings) writeUsers(serverPass string) error {
	nodePass := s.AgentToken
	if t, err := token.Parse(nodePass); err == nil && t.Secret != "" {
		nodePass = t.Secret
	}
	if nodePass == "" {
		nodePass = serverPass
	}
	text := fmt.Sprintf("%s,node,node,k3s:agent\n%s,server,server,k3s:server\n", nodePass, serverPass)
	return os.WriteFile(s.Dir.Cred("passwd"), []byte(text), 0o600)
}

// user reads a password from cred/passwd; "" when there is none.
func (s Settings) user(name string) string {
	data, err := os.ReadFile(s.Dir.Cred("passwd"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSpace(line), ","); len(f) == 4 && f[1] == name {
			return f[0]
		}
	}
	return ""
}

// writeTokens writes server/token and the names beside it that lead to it. An agent token of its own is a file of its own.
func (s Settings) writeTokens() error {
	ca, err := os.ReadFile(s.Dir.TLS("server-ca.crt"))
	if err != nil {
		return err
	}
	hash := token.HashCA(ca)
	write := func(file, user, pass string) error {
		t := token.Token{CAHash: hash, User: user, Secret: pass}
		if err := os.Remove(s.Dir.Server(file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return os.WriteFile(s.Dir.Server(file), []byte(t.String()+"\n"), 0o600)
	}
	if err := write("token", "server", s.user("server")); err != nil {
		return err
	}
	links := []string{"node-token"}
	if s.user("node") == s.user("server") {
		links = append(links, "agent-token")
	} else if err := write("agent-token", "node", s.user("node")); err != nil {
		return err
	}
	for _, name := range links {
		path := s.Dir.Server(name)
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.Symlink(s.Dir.Server("token"), path); err != nil {
			return err
		}
	}
	return nil
}
