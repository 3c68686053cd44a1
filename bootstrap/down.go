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
		for i := range hp.Changes {
			hp.Changes[i].Disruptive = true
		}
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
		leave := step(StageLeave, d.leave)
		if at := slices.Index(servers, name); at >= 0 {
			leave.Needs = goneGates(workers)
			if at < len(servers)-1 {
				leave.Needs = append(leave.Needs, gateGone(servers[at+1]))
			}
		}
		stop := step(StageStop, d.stop)
		stop.Opens = []string{gateGone(name)}
		lanes = append(lanes, engine.Lane{Name: name, Steps: []engine.Step{leave, stop, step(StageUndo, d.undo), step(StageVerify, d.verify)}})
	}
	return lanes
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
	if d.survey.Kube == nil || hp.Changes[0].Step != StageLeave {
		return engine.Unchanged("no cluster to tell")
	}
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

// remains lists what is still on a host of what gpuboot and k3s put there.
func remains(hp *HostPlan, f *facts.Facts) []string {
	var left []string
	if f.K3s.Processes {
		left = append(left, "k3s processes")
	}
	if f.K3s.Role != "" {
		left = append(left, "a k3s unit")
	}
	for _, a := range hp.Journal.Acts {
		if _, there := f.Files[a.Path]; there && a.Backup == "" && (a.Kind == ActFile || a.Kind == ActUnit) {
			left = append(left, a.Path)
		}
	}
	if len(f.Journal) > 0 {
		left = append(left, JournalPath)
	}
	for _, trace := range f.K3s.Own {
		if !hp.Journal.kept(trace) {
			left = append(left, trace)
		}
	}
	return left
}

// RemainsError lists what `down` could not take away.
type RemainsError struct{ Left []string }

// Error lists it.
func (e *RemainsError) Error() string { return "still there: " + strings.Join(e.Left, ", ") }

// Hint says what usually helps.
func (e *RemainsError) Hint() string {
	return "a busy mount or a stuck process: look with `findmnt` and `ps`, or reboot the host, then run gpuboot down again"
}
