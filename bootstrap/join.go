package bootstrap

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// reachTimeout bounds the question whether a joining host reaches the server.
// The gate has opened by then, so the server does answer somebody.
const reachTimeout = 30 * time.Second

// join makes a host a member, or restarts one that is, and waits for its node.
func (a *applyRun) join(ctx, runCtx context.Context, hp *HostPlan, r engine.Reporter) error {
	token, err := a.giveTokens(ctx, hp, r)
	if err != nil {
		return err
	}
	if hp.Member.Join != "" {
		r.Note("%s to answer from %s", hp.Member.Join, hp.Host.Name)
		if err := a.checkReach(ctx, hp, token); err != nil {
			return err
		}
	}
	old, _, _, _ := a.board.node(hp.Host.Name)
	f, err := a.startUnit(ctx, hp, r)
	if err != nil {
		return err
	}
	defer f.stop()
	if err := a.awaitNode(ctx, runCtx, hp, old, f, r); err != nil {
		return f.explain(err)
	}
	return a.rememberStart(ctx, hp, token)
}

// awaitNode waits for the node through the API; a run whose cluster was silent
// at first has to find the API before.
func (a *applyRun) awaitNode(ctx, runCtx context.Context, hp *HostPlan, old Node, f *follower, r engine.Reporter) error {
	if a.api() == nil && hp.Host.Role.IsServer() {
		r.Note("the API of %s to answer", hp.Host.Name)
		kube, err := a.awaitAPI(ctx, hp, f)
		if err != nil {
			return err
		}
		a.useKube(runCtx, hp.Host.Name, kube)
	}
	return a.board.await(ctx, hp.Host.Name, r, f.broken, nodeReady(hp, old.Heartbeat))
}

// giveTokens writes the token files that the plan left open, and returns the
// token the host joins with; nil for a founder.
func (a *applyRun) giveTokens(ctx context.Context, hp *HostPlan, r engine.Reporter) ([]byte, error) {
	if hp.Member.Founder {
		return nil, nil
	}
	t, err := a.clusterTokens(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range hp.Write {
		if w.Secret == secretNone {
			continue
		}
		content := t.agent
		if w.Secret == secretServerToken {
			content = t.server
		}
		if w.Secret == secretAgentToken && hp.Member.Role == roleServer {
			content = bareSecret(t.agent)
		}
		r.Note("writing %s", w.Path)
		if err := writeFile(ctx, a.conn(hp), w.Path, w.Mode, content); err != nil {
			return nil, fmt.Errorf("writing %s: %w", w.Path, err)
		}
	}
	if hp.Member.Role == roleServer {
		return t.server, nil
	}
	return t.agent, nil
}

// rememberStart records what the unit now runs with.
func (a *applyRun) rememberStart(ctx context.Context, hp *HostPlan, token []byte) error {
	j := a.journal(hp.Host.Name)
	sum := ""
	if token != nil {
		sum = sha256Hex(token)
	}
	j.Founder, j.Join = hp.Member.Founder, hp.Member.Join
	j.Started = startHash(hp.Binary.SHA256, hp.Files, sum)
	if hp.Member.Role == roleServer && !hp.Member.Founder {
		t, err := a.clusterTokens(ctx)
		if err != nil {
			return err
		}
		j.ServerToken, j.AgentToken = sha256Hex(t.server), sha256Hex(t.agent)
	}
	return a.saveJournal(ctx, hp, j)
}

// checkReach asks the join URL for its CA as seen from the joining host, and
// holds it against the hash in the token. A closed port or a wrong cluster is
// found here, before k3s would retry for ever.
func (a *applyRun) checkReach(ctx context.Context, hp *HostPlan, token []byte) error {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	// The certificate is not verified by name: the CA that comes back is checked
	// against the token, which is how k3s itself begins.
	client := &http.Client{Transport: &http.Transport{
		DialContext:       a.conn(hp).DialContext,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12},
		DisableKeepAlives: true,
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, hp.Member.Join+"/cacerts", nil)
	if err != nil {
		return fmt.Errorf("asking %s for its CA: %w", hp.Member.Join, err)
	}
	res, err := client.Do(req)
	if err != nil {
		return &ReachError{From: hp.Host.Name, URL: hp.Member.Join, Err: err}
	}
	defer res.Body.Close()
	bundle, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return &ReachError{From: hp.Host.Name, URL: hp.Member.Join, Err: err}
	}
	if want, got := caHash(token), sha256Hex(bundle); want != "" && want != got {
		return fmt.Errorf("%s is another cluster: its CA has hash %s, the join token pins %s", hp.Member.Join, got, want)
	}
	return nil
}

// ReachError says that a host cannot reach the server it has to join.
type ReachError struct {
	From, URL string
	Err       error
}

// Error says what was tried.
func (e *ReachError) Error() string { return fmt.Sprintf("reaching %s: %v", e.URL, e.Err) }

// Unwrap gives the network's answer.
func (e *ReachError) Unwrap() error { return e.Err }

// Hint names the usual cause.
func (e *ReachError) Hint() string {
	return fmt.Sprintf("open %s/tcp between the hosts (k3s needs 6443, 10250 and 8472/udp), or choose another interface in the inventory", portOf(e.URL))
}

func portOf(url string) string {
	if _, port, err := net.SplitHostPort(hostPort(url)); err == nil {
		return port
	}
	return fmt.Sprint(apiPort)
}
