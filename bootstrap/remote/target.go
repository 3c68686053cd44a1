package remote

import (
	"context"
	"net"
	"os/user"
	"strconv"
	"time"
)

// Defaults of a Target.
const (
	defaultPort        = 22
	defaultDialTimeout = 20 * time.Second
	defaultKeepAlive   = 15 * time.Second
)

// Target says where a host is and how to log in.
type Target struct {
	// Name is for messages. Empty means Address.
	Name string
	// Address is a name or an IP address, as the user typed it.
	Address string
	// Port 0 means 22.
	Port int
	// User "" means the name of the local user.
	User string

	// IdentityFiles are private keys; a certificate beside one
	// (FILE-cert.pub) is used too. Nil means the usual files in .ssh of the
	// home folder, as far as they exist; empty and not nil means none.
	IdentityFiles []string
	// CertificateFiles are further certificates. One is used when its key
	// is among the identity files or in the agent.
	CertificateFiles []string
	// IdentitiesOnly offers only IdentityFiles and the keys of the agent
	// that belong to them.
	IdentitiesOnly bool
	// AgentSocket is the path of the ssh-agent. Empty means the one of the
	// environment (SSH_AUTH_SOCK), "none" means no agent.
	AgentSocket string
	// Passphrase is asked for the key in file when the host wants that key
	// and it is encrypted, at most once per key and Dialer. Nil leaves
	// encrypted keys out.
	Passphrase func(ctx context.Context, file string) ([]byte, error)
	// Password answers password and keyboard-interactive logins, at most
	// once per Dial. Nil means none.
	Password func(context.Context) (string, error)
	// SudoPassword is asked only when sudo asks, at most once per Conn.
	// Nil means that sudo must not ask.
	SudoPassword func(context.Context) (string, error)

	// KnownHosts are files in the format of OpenSSH; they are only read,
	// and may be missing. Nil means those of OpenSSH (~/.ssh/known_hosts
	// and so on), empty and not nil means none.
	KnownHosts []string
	// TrustFile records the key of a host on first use. Empty refuses
	// hosts whose key is unknown.
	TrustFile string
	// TrustOnly reads TrustFile but records nothing in it, for runs that
	// must not write: an unknown key counts for this connection alone.
	TrustOnly bool
	// HostKey pins the key: "ssh-ed25519 AAAA…" or "SHA256:…". It is then
	// the only thing that counts; no file is read or written.
	HostKey string
	// HostKeyAlias is looked up and recorded instead of Address and Port.
	HostKeyAlias string

	// JumpHosts are the hops on the way, outermost first. Each hop is
	// logged in to and its key checked like any target. Its own JumpHosts
	// and sudo settings are ignored.
	JumpHosts []Target

	// DialTimeout bounds one try: TCP, banner, key exchange and login.
	// 0 means 20 s. Hops have their own.
	DialTimeout time.Duration
	// RetryFor is for how long a try that may succeed later is repeated,
	// such as one against a host that boots. 0 means one try.
	RetryFor time.Duration
	// KeepAlive is the interval of the checks of a quiet link; a dead one
	// is noticed within four intervals. 0 means 15 s.
	KeepAlive time.Duration
}

func (t Target) name() string {
	if t.Name != "" {
		return t.Name
	}
	return t.Address
}

func (t Target) port() int {
	if t.Port == 0 {
		return defaultPort
	}
	return t.Port
}

func (t Target) addr() string { return net.JoinHostPort(t.Address, strconv.Itoa(t.port())) }

func (t Target) user() string {
	if t.User != "" {
		return t.User
	}
	u, err := user.Current()
	if err != nil {
		return "root"
	}
	return u.Username
}

func (t Target) dialTimeout() time.Duration {
	if t.DialTimeout == 0 {
		return defaultDialTimeout
	}
	return t.DialTimeout
}

func (t Target) keepAlive() time.Duration {
	if t.KeepAlive == 0 {
		return defaultKeepAlive
	}
	return t.KeepAlive
}
