package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// apiPoll is how often a starting server is asked whether it answers. Nothing
// on a server without an API can be watched.
const apiPoll = 300 * time.Millisecond

// found starts the first server of a new cluster and waits until its API
// answers with credentials: a port that answers is not a ready API.
func (a *applyRun) found(ctx, runCtx context.Context, hp *HostPlan, r engine.Reporter) error {
	err := a.foundOnce(ctx, runCtx, hp, r)
	var failure *k3sFailure
	if !errors.As(err, &failure) || !failure.wipe {
		return err
	}
	// An earlier first start died before k3s saved its keys. No cluster ever
	// answered (the journal would say so), so there is nothing to lose.
	r.Note("an earlier first start died half-way; beginning again with an empty server directory")
	if err := a.wipeServer(ctx, hp); err != nil {
		return err
	}
	return a.foundOnce(ctx, runCtx, hp, r)
}

func (a *applyRun) wipeServer(ctx context.Context, hp *HostPlan) error {
	_, err := a.conn(hp).Run(ctx, remote.Cmd{Root: true, Args: []string{"sh", "-c", `systemctl stop "$1"; rm -rf -- "$2"`, "wipe",
		UnitName(roleServer), path.Join(dataDir(hp.Host), "server")}})
	if err != nil {
		return fmt.Errorf("clearing the half-made server directory: %w", err)
	}
	return nil
}

func (a *applyRun) foundOnce(ctx, runCtx context.Context, hp *HostPlan, r engine.Reporter) error {
	f, err := a.startUnit(ctx, hp, r)
	if err != nil {
		return err
	}
	defer f.stop()
	r.Note("the API of %s to answer", hp.Host.Name)
	kube, err := a.awaitAPI(ctx, hp, f)
	if err != nil {
		return f.explain(err)
	}
	a.useKube(runCtx, hp.Host.Name, kube)
	return a.rememberFounding(ctx, hp)
}

// awaitAPI polls a starting server until it lists nodes.
func (a *applyRun) awaitAPI(ctx context.Context, hp *HostPlan, f *follower) (Kube, error) {
	tick := time.NewTicker(apiPoll)
	defer tick.Stop()
	var last error
	for {
		kube, _, err := a.openKube(ctx, a.conn(hp))
		if err == nil {
			return kube, nil
		}
		last = err
		select {
		case <-tick.C:
		case err := <-f.broken:
			return nil, err
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; last answer: %w", ctx.Err(), last)
		}
	}
}

// rememberFounding records that the cluster exists: from here on another
// machine can go on, and nothing may begin it anew.
func (a *applyRun) rememberFounding(ctx context.Context, hp *HostPlan) error {
	t, err := a.clusterTokens(ctx)
	if err != nil {
		return err
	}
	j := a.journal(hp.Host.Name)
	j.ServerToken, j.AgentToken = sha256Hex(t.server), sha256Hex(t.agent)
	j.Started = startHash(hp.Binary.SHA256, hp.Files, "")
	return a.saveJournal(ctx, hp, j)
}

// awaitFounder waits until the first server's own node is Ready and votes.
func (a *applyRun) awaitFounder(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	f := follow(ctx, a.conn(hp), UnitName(roleServer), a.hostTime(hp), r)
	defer f.stop()
	if err := a.board.await(ctx, hp.Host.Name, r, f.broken, nodeReady(hp, time.Time{})); err != nil {
		return f.explain(err)
	}
	return nil
}

// startUnit restarts a unit without waiting for it (an agent that cannot join
// stays "activating" for ever) and follows what it prints.
func (a *applyRun) startUnit(ctx context.Context, hp *HostPlan, r engine.Reporter) (*follower, error) {
	c, unit := a.conn(hp), UnitName(hp.Member.Role)
	f := follow(ctx, c, unit, a.hostTime(hp), r)
	if _, err := c.Run(ctx, remote.Cmd{Args: []string{"systemctl", "restart", "--no-block", unit}, Root: true}); err != nil {
		f.stop()
		return nil, fmt.Errorf("starting %s: %w", unit, err)
	}
	return f, nil
}

// hostTime is now on a host's own clock, which stamps its log.
func (a *applyRun) hostTime(hp *HostPlan) time.Time {
	return a.Now().Add(a.survey.Host(hp.Host.Name).Facts.Clock.Offset)
}

// nodeReady accepts a node that is Ready, with a heartbeat other than the one
// before a restart (a restarted node stays Ready for a while), and, on a
// server, with a voting etcd member.
func nodeReady(hp *HostPlan, before time.Time) func(Node, bool) (bool, string) {
	name := hp.Host.Name
	return func(n Node, there bool) (bool, string) {
		switch {
		case !there:
			return false, fmt.Sprintf("node %s to register", name)
		case !n.Ready:
			return false, fmt.Sprintf("node %s to be Ready: %s", name, shorten(n.Reason))
		case n.Heartbeat.Equal(before):
			return false, fmt.Sprintf("node %s to report after its restart", name)
		case hp.Host.Role.IsServer() && !n.Voter:
			return false, fmt.Sprintf("etcd member of %s to become a voter", name)
		}
		return true, ""
	}
}

// shorten keeps the beginning of a condition's message, which names the cause;
// the kubelet strings all its complaints together.
func shorten(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
