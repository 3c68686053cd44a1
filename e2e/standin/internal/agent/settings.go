// Package agent is `k3s agent`, and the agent part of a server: it gets configuration and certificates from a server and runs
// containerd, kubelet, kube-proxy and flannel on this host.
package agent

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/hostinfo"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

// Errors of a configuration without the two things an agent needs; the texts are k3s's.
var (
	ErrServer = errors.New("--server is required")
	ErrToken  = errors.New("--token is required")
)

// Settings is an agent's configuration, resolved.
type Settings struct {
	Values    config.Values
	Dir       layout.Dir
	NodeName  string
	IPs       []net.IP
	ServerURL string
	Token     func() (string, error) // asked at each start: a server's agent reads what its server wrote
	Balanced  bool                   // false on a server, whose agent talks to it directly
	Notify    func()                 // tells systemd; nothing on a server, which does that itself
}

// FromValues resolves the flags of `k3s agent`.
func FromValues(v config.Values) (Settings, error) {
	s := Settings{Values: v, Dir: layout.Dir(v.String("data-dir")), ServerURL: v.String("server"), Balanced: true}
	if s.ServerURL == "" {
		return s, ErrServer
	}
	text := v.String("token")
	if file := v.String("token-file"); text == "" && file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return s, fmt.Errorf("reading token-file: %w", err)
		}
		text = strings.TrimSpace(string(data))
	}
	if text == "" {
		return s, ErrToken
	}
	s.Token = func() (string, error) { return text, nil }
	return s, s.resolveHost()
}

// OfServer gives the agent that runs on a server.
func OfServer(v config.Values, nodeName string, ips []net.IP) Settings {
	dir := layout.Dir(v.String("data-dir"))
	return Settings{
		Values: v, Dir: dir, NodeName: nodeName, IPs: ips,
		ServerURL: fmt.Sprintf("https://127.0.0.1:%d", v.Int("https-listen-port")), Notify: func() {},
		Token: func() (string, error) {
			data, err := os.ReadFile(dir.Server("agent-token"))
			return strings.TrimSpace(string(data)), err
		},
	}
}

func (s *Settings) resolveHost() error {
	idFile := ""
	if s.Values.Bool("with-node-id") {
		if err := os.MkdirAll(layout.NodeDir, 0o755); err != nil {
			return err
		}
		idFile = layout.NodeDir + "/id"
	}
	var err error
	if s.NodeName, err = hostinfo.Name(s.Values.String("node-name"), idFile, func() string { return token.Random(4) }); err != nil {
		return err
	}
	s.IPs, err = hostinfo.IPs(s.Values.Strings("node-ip"))
	return err
}

// password gives the secret that proves this host's right to its node name; made once.
func password() (string, error) {
	data, err := os.ReadFile(layout.NodePassword)
	if err == nil {
		return strings.TrimSpace(string(data)), nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	pass := token.Random(16)
	return pass, os.WriteFile(layout.NodePassword, []byte(pass+"\n"), 0o600)
}
