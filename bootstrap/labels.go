package bootstrap

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// label sets the labels and taints of a host's node through the API: the
// kubelet's own flags work only at registration, and a restart for a label
// would be a poor trade.
func (a *applyRun) label(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	kube := a.api()
	if kube == nil {
		return fmt.Errorf("setting labels and taints: no server's API answered: %w", orNone(a.survey.Cluster.Err))
	}
	r.Note("node %s to exist", hp.Host.Name)
	there := func(_ Node, ok bool) (bool, string) { return ok, "node " + hp.Host.Name + " to exist" }
	if err := a.board.await(ctx, hp.Host.Name, r, nil, there); err != nil {
		return err
	}
	n, _, _, _ := a.board.node(hp.Host.Name)
	p, reasons := nodePatch(hp.Host, n)
	if p.Empty() {
		return engine.Unchanged("labels and taints are right")
	}
	r.Note("%s", strings.Join(reasons, ", "))
	if err := kube.PatchNode(ctx, hp.Host.Name, p); err != nil {
		return fmt.Errorf("setting labels and taints of node %s: %w", hp.Host.Name, err)
	}
	set := func(n Node, ok bool) (bool, string) {
		p, _ := nodePatch(hp.Host, n)
		return ok && p.Empty(), "the change of node " + hp.Host.Name + " to be seen"
	}
	return a.board.await(ctx, hp.Host.Name, r, nil, set)
}

func orNone(err error) error {
	if err == nil {
		return fmt.Errorf("no server runs")
	}
	return err
}

// check looks at a host again: what still differs from the inventory is an
// error, whatever the steps before said.
func (a *applyRun) check(ctx context.Context, hp *HostPlan, _ engine.Reporter) error {
	seen := a.survey.Host(hp.Host.Name)
	now, err := facts.Collect(ctx, seen.Conn, a.Now)
	if err != nil {
		return err
	}
	own, refused := readJournals(Input{Inventory: a.req.Inventory, Facts: map[string]*facts.Facts{hp.Host.Name: now}})
	if len(refused) > 0 {
		return refused
	}
	p := &planner{Input: a.input(hp.Host.Name, now), seed: a.plan.Seed, addresses: a.plan.addresses, journals: a.allJournals()}
	maps.Copy(p.journals, own)
	left, err := p.host(hp.Host, now)
	if err != nil {
		return err
	}
	if len(left.Changes) > 0 {
		return &LeftError{Changes: left.Changes}
	}
	return nil
}

// input is what a plan for one host would see now.
func (a *applyRun) input(host string, now *facts.Facts) Input {
	in := Input{Inventory: a.req.Inventory, Facts: a.survey.Facts(), Missing: a.survey.Missing(), Version: a.plan.Version, Binaries: map[string]Binary{}, ExistingToken: a.existingToken()}
	in.Facts[host] = now
	for _, hp := range a.plan.Hosts {
		in.Binaries[hp.Arch] = hp.Binary
	}
	in.Cluster = ClusterState{Answered: a.api() != nil, Nodes: a.board.list()}
	return in
}

// LeftError says what still differs after everything was applied.
type LeftError struct{ Changes []engine.Change }

// Error lists what is left.
func (e *LeftError) Error() string {
	var left []string
	for _, c := range e.Changes {
		left = append(left, fmt.Sprintf("%s %s (%s)", c.Action, c.What, c.Reason))
	}
	return "applied, but still needs: " + strings.Join(left, "; ")
}
