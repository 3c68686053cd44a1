package remote

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// agentKeys are the keys of an ssh-agent while one dial needs them.
type agentKeys struct {
	conn net.Conn
	keys []agentKey
	err  error // why there are none, when one should be there
}

type agentKey struct {
	signer  ssh.Signer
	comment string
}

// agentListWait bounds the listing of keys, which asks nobody. Signing may
// wait for a touch or a confirmation, and has the time of the dial.
const agentListWait = 5 * time.Second

// openAgent lists the keys of the agent; a failure is noted in err, as
// other keys may do.
func openAgent(ctx context.Context, socket string) *agentKeys {
	if socket == "" {
		socket = os.Getenv("SSH_AUTH_SOCK")
	}
	a := &agentKeys{}
	if socket == "" || socket == "none" {
		return a
	}
	if err := a.list(ctx, socket); err != nil {
		a.err = fmt.Errorf("the agent at %s (left out: %w)", socket, err)
	}
	return a
}

func (a *agentKeys) list(ctx context.Context, socket string) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return err
	}
	a.conn = conn
	if err := conn.SetDeadline(time.Now().Add(agentListWait)); err != nil {
		return err
	}
	client := agent.NewClient(conn)
	keys, err := client.List()
	if err != nil {
		return err
	}
	signers, err := client.Signers()
	if err != nil {
		return err
	}
	for _, s := range signers {
		a.keys = append(a.keys, agentKey{s, commentOf(keys, s.PublicKey())})
	}
	return conn.SetDeadline(time.Time{})
}

func commentOf(keys []*agent.Key, pub ssh.PublicKey) string {
	for _, k := range keys {
		if bytes.Equal(k.Blob, pub.Marshal()) {
			return k.Comment
		}
	}
	return ""
}

// find is the agent's signer for a key, nil when it has none.
func (a *agentKeys) find(key ssh.PublicKey) ssh.Signer {
	for _, k := range a.keys {
		if sameKey(k.signer.PublicKey(), key) {
			return k.signer
		}
	}
	return nil
}

func (a *agentKeys) close() {
	if a.conn != nil {
		_ = a.conn.Close()
	}
}
