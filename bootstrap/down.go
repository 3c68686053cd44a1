package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// The stages of `down`.
const (
	StageLeave  = "leave cluster"
	StageStop   = "stop k3s"
	StageUndo   = "undo changes"
	StageVerify = "verify"

	stopTimeout = 3 * time.Minute
)

// Down takes hosts out of the cluster and undoes exactly what their journals
// say. Hosts without a journal are left alone. Workers go first, servers last,
// so that the API can be told of each leaving node as long as it lives.
func (g *Gpuboot) Down(ctx context.Context, req Request) (*Outcome, error) {
	s := g.Survey(ctx, surveyed(req))
	defer s.Close()
	out := &Outcome{Survey: s.Report, Missing: s.Missing(), Cluster: s.Cluster}
	if s.Report.Stopped != nil {
		return out, s.Report.Stopped
	}
	d := &downRun{Gpuboot: g, req: req, survey: s}
	plan, err := d.makePlan()
	if err != nil {
		return out, err
	}
	out.Plan = plan
	if plan.Unchanged() {
		return out, out.missingError()
	}
	g.emitPlan(plan)
	if req.Confirm != nil {
		if err := req.Confirm(out); err != nil {
			return out, err
		}
	}
	unlock, err := g.lock(ctx, req.Inventory, s, plan)
	if err != nil {
		return out, err
	}
	defer unlock()
	report := engine.Run(ctx, d.lanes(plan), g.engineOptions(PhaseApply))
	out.Applied = &report
	return out, errors.Join(report.Err(), out.missingError())
}

type downRun struct {
	*Gpuboot
	req    Request
	survey *Survey
}

// makePlan lists what the journals say has to be undone.
func (d *downRun) makePlan() (*Plan, error) {
	in := Input{Inventory: d.req.Inventory, Facts: d.survey.Facts(), Only: d.req.Only}
	journals, refused := readJournals(in)
	p := &Plan{Cluster: d.req.Inventory.Name}
	for _, h := range d.req.Inventory.Hosts {
		j, seen := journals[h.Name]
		if !seen || !j.Known() || !in.wanted(h.Name) {
			continue
		}
		hp := HostPlan{Host: h, Journal: j}
		if _, ok := d.survey.Cluster.Node(h.Name); ok && !d.whole(journals) {
			hp.change(StageLeave, "delete", "node "+h.Name, "leaves the cluster")
		}
		hp.change(StageStop, "stop", UnitName(j.Role), "and every pod on this host")
		for _, a := range slices.Backward(j.Acts) {
			hp.change(StageUndo, undoWord(a), a.Path, undoReason(a))
		}
		hp.disturb(StageStop)
		p.Hosts = append(p.Hosts, hp)
	}
	refused = append(refused, d.refuseQuorumLoss(p)...)
	if len(refused) > 0 {
		return nil, refused
	}
	return p, nil
}

// whole says that every server goes: then there is no cluster left to tell.
func (d *downRun) whole(journals map[string]Journal) bool {
	if d.req.Inventory.Existing != nil {
		return false
	}
	for _, s := range d.req.Inventory.Servers() {
		if journals[s.Name].Known() && !d.req.wanted(s.Name) {
			return false
		}
	}
	return true
}

// refuseQuorumLoss refuses to take servers away when those left could not
// agree any more. Taking all of them is allowed: it ends the cluster.
func (d *downRun) refuseQuorumLoss(p *Plan) Refusals {
	var voters, leaving int
	for _, n := range d.survey.Cluster.Nodes {
		if !n.Voter {
			continue
		}
		voters++
		if _, ok := p.Host(n.Name); ok {
			leaving++
		}
	}
	if leaving == 0 || leaving == voters || leaving == 1 {
		return nil // members leave one at a time: etcd shrinks with them
	}
	if voters-leaving > voters/2 {
		return nil
	}
	return Refusals{{Reason: fmt.Sprintf("%d of %d servers would leave at once: the rest would have no quorum", leaving, voters), Fix: "take them away one run at a time"}}
}

// disturb marks the changes of a stage as disturbing running work.
func (hp *HostPlan) disturb(stage string) {
	for i := range hp.Changes {
		if hp.Changes[i].Step == stage {
			hp.Changes[i].Disruptive = true
		}
	}
}

func undoWord(a Act) string {
	if a.Backup != "" {
		return "restore"
	}
	return "remove"
}

func undoReason(a Act) string {
	switch {
	case a.Backup != "":
		return "was replaced on " + a.Time.Format(time.DateOnly)
	case a.Kind == ActTree && len(a.Kept) > 0:
		return fmt.Sprintf("filled by k3s; %d entries from before stay", len(a.Kept))
	case a.Kind == ActTree:
		return "filled by k3s"
	case a.Kind == ActDir:
		return "made on " + a.Time.Format(time.DateOnly) + "; only if empty"
	}
	return "written on " + a.Time.Format(time.DateOnly)
}

// gateGone opens when a host's k3s is gone.
func gateGone(host string) string { return host + "-gone" }

// lanes gives one lane per leaving host; servers wait for all workers, and for
// each other, last server first.
func (d *downRun) lanes(p *Plan) []engine.Lane {
	var workers, servers []string
	for _, hp := range p.Hosts {
		if hp.Journal.Role == roleAgent {
			workers = append(workers, hp.Host.Name)
		} else {
			servers = append(servers, hp.Host.Name)
		}
	}
	var lanes []engine.Lane
	for i := range p.Hosts {
		hp := &p.Hosts[i]
		name := hp.Host.Name
		step := func(stage string, do func(context.Context, *HostPlan, engine.Reporter) error) engine.Step {
			return engine.Step{Name: stage, Timeout: stopTimeout, Run: func(ctx context.Context, r engine.Reporter) error { return do(ctx, hp, r) }}
		}
		steps := []engine.Step{step(StageStop, d.stop), step(StageUndo, d.undo), step(StageVerify, d.verify)}
		if hp.Changes[0].Step == StageLeave {
			steps = slices.Insert(steps, leaveAt(hp), step(StageLeave, d.leave))
		}
		steps[len(steps)-3].Opens = []string{gateGone(name)} // the last of stop and leave
		if at := slices.Index(servers, name); at >= 0 {
			steps[0].Needs = goneGates(workers)
			if at < len(servers)-1 {
				steps[0].Needs = append(steps[0].Needs, gateGone(servers[at+1]))
			}
		}
		lanes = append(lanes, engine.Lane{Name: name, Steps: steps})
	}
	return lanes
}

// leaveAt is where in the order a node leaves: a server before its k3s stops,
// so that its etcd member is removed while all vote; a worker after, or its
// kubelet would register again.
func leaveAt(hp *HostPlan) int {
	if hp.Journal.Role == roleServer {
		return 0
	}
	return 1
}

func goneGates(hosts []string) []string {
	var out []string
	for _, h := range hosts {
		out = append(out, gateGone(h))
	}
	return out
}

// leave deletes the node, and with it the node's password and etcd member, as
// long as there is a cluster that stays.
func (d *downRun) leave(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	if hp.Host.Name == d.survey.APIHost {
		return d.leaveThroughOther(ctx, hp)
	}
	return d.survey.Kube.DeleteNode(ctx, hp.Host.Name)
}

// leaveThroughOther deletes the node of the server that the run talks to,
// through another server, since this one's API ends with its etcd member.
func (d *downRun) leaveThroughOther(ctx context.Context, hp *HostPlan) error {
	for _, other := range d.survey.Hosts {
		if other.Conn == nil || other.Facts == nil || other.Host.Name == hp.Host.Name || other.Facts.K3s.Role != roleServer {
			continue
		}
		kube, _, err := d.openKube(ctx, other.Conn)
		if err != nil {
			continue
		}
		return kube.DeleteNode(ctx, hp.Host.Name)
	}
	return d.survey.Kube.DeleteNode(ctx, hp.Host.Name)
}

// stop ends k3s and every pod, and takes its links, mounts and rules away.
func (d *downRun) stop(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	c := d.survey.Host(hp.Host.Name).Conn
	w := &lines{each: r.Output}
	_, err := c.Run(ctx, remote.Cmd{Args: []string{"sh", "-s", "--", UnitName(hp.Journal.Role), dataDir(hp.Host)}, Stdin: strings.NewReader(stopScript), Stdout: w, Root: true})
	if err != nil {
		return fmt.Errorf("stopping %s and its pods: %w", UnitName(hp.Journal.Role), err)
	}
	return nil
}

// undo goes through the journal backwards.
func (d *downRun) undo(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	c := d.survey.Host(hp.Host.Name).Conn
	script := undoScript(hp.Journal)
	w := &lines{each: r.Output}
	if _, err := c.Run(ctx, remote.Cmd{Args: []string{"sh", "-s"}, Stdin: strings.NewReader(script), Stdout: w, Root: true}); err != nil {
		return fmt.Errorf("undoing the journal's changes: %w", err)
	}
	return nil
}

// verify looks again: what remains is listed, and an error.
func (d *downRun) verify(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
	f, err := facts.Collect(ctx, d.survey.Host(hp.Host.Name).Conn, d.Now)
	if err != nil {
		return err
	}
	if left := remains(hp, f); len(left) > 0 {
		return &RemainsError{Left: left}
	}
	return nil
}
