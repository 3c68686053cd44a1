package bootstrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/inventory"
)

// Request says what to converge.
type Request struct {
	Inventory *inventory.Inventory
	// Only limits changes to these hosts; nil means all.
	Only []string
	// Confirm is shown the plan before anything is written, and may refuse it.
	Confirm func(*Outcome) error
}

// Outcome is what a run saw, wanted and did.
type Outcome struct {
	Findings []facts.Finding
	// Facts are those of the hosts that answered; only Preflight sets them.
	Facts map[string]*facts.Facts
	Plan  *Plan
	// Missing are hosts that did not answer, with the reason.
	Missing map[string]error
	// Survey and Applied are the two engine runs; Applied is nil when nothing
	// was to be done.
	Survey  engine.Report
	Applied *engine.Report
	Cluster ClusterState
}

// Up converges the hosts of an inventory to one k3s cluster. This is the
// product, in order:
//
//  1. Connect to every host and look at it, once. Nothing is written. Hosts
//     without a chosen address try each other.
//  2. Judge what was seen: findings that block end the run here.
//  3. Plan: what differs from the inventory, with a reason for each change.
//  4. Lock the hosts, so that nobody else changes them meanwhile.
//  5. Apply, host by host in its own lane; gates order what must be ordered.
//  6. Look again: a difference that is left is an error.
//
// Hosts that did not answer, and hosts that failed, do not keep the others from
// being finished; the returned error names them all.
func (g *Gpuboot) Up(ctx context.Context, req Request) (*Outcome, error) {
	s := g.Survey(ctx, surveyed(req))
	defer s.Close()

	out, err := g.decide(ctx, req, s)
	if err != nil {
		return out, err
	}
	if out.Plan.Unchanged() {
		return out, out.missingError()
	}
	if req.Confirm != nil {
		if err := req.Confirm(out); err != nil {
			return out, err
		}
	}
	release, err := g.lock(ctx, req.Inventory, s, out.Plan)
	if err != nil {
		return out, err
	}
	defer release()

	report := g.apply(ctx, req, s, out.Plan)
	out.Applied = &report
	return out, errors.Join(report.Err(), out.missingError())
}

// Plan is [Gpuboot.Up] up to the point where it would write. On hosts without a
// chosen address it listens for some seconds, as `up` would.
func (g *Gpuboot) Plan(ctx context.Context, req Request) (*Outcome, error) {
	s := g.Survey(ctx, surveyed(req))
	defer s.Close()
	out, err := g.decide(ctx, req, s)
	return out, errors.Join(err, out.missingError())
}

// decide judges and plans from a survey.
func (g *Gpuboot) decide(ctx context.Context, req Request, s *Survey) (*Outcome, error) {
	out := &Outcome{Survey: s.Report, Missing: s.Missing(), Cluster: s.Cluster}
	if s.Report.Stopped != nil {
		return out, s.Report.Stopped
	}
	seen := s.Facts()
	version := wantedVersion(req.Inventory)
	var err error
	if out.Findings, err = g.judge(ctx, req, s); err != nil {
		return out, err
	}
	g.emitFindings(out.Findings, false)
	if b := blocking(out.Findings); len(b) > 0 {
		return out, b
	}
	if len(seen) == 0 {
		return out, out.missingError()
	}
	binaries, err := g.binaries(ctx, req.Inventory, version, seen)
	if err != nil {
		return out, err
	}
	in := Input{Inventory: req.Inventory, Facts: seen, Missing: out.Missing, Only: req.Only, Version: version, Binaries: binaries, Cluster: s.Cluster, ExistingToken: g.existingToken()}
	out.Plan, err = MakePlan(in)
	if err != nil {
		return out, err
	}
	if err := g.markDisruptive(ctx, s, out.Plan); err != nil {
		return out, err
	}
	g.emitPlan(out.Plan)
	return out, nil
}

// surveyed are the hosts to look at: those asked for, and all servers, since
// they know the cluster.
func surveyed(req Request) []inventory.Host {
	var out []inventory.Host
	for _, h := range req.Inventory.Hosts {
		if req.wanted(h.Name) || h.Role.IsServer() {
			out = append(out, h)
		}
	}
	return out
}

func (r Request) wanted(host string) bool { return Input{Only: r.Only}.wanted(host) }

func wantedVersion(inv *inventory.Inventory) string {
	if inv.K3s.Version != "" {
		return inv.K3s.Version
	}
	return release.Default
}

// binaries identifies the executable for each architecture among the hosts.
func (g *Gpuboot) binaries(ctx context.Context, inv *inventory.Inventory, version string, seen map[string]*facts.Facts) (map[string]Binary, error) {
	src, err := release.ParseSource(inv.K3s.Source)
	if err != nil {
		return nil, err
	}
	out := map[string]Binary{}
	for _, h := range inv.Hosts {
		f, ok := seen[h.Name]
		if !ok {
			continue
		}
		if _, done := out[f.Arch]; done {
			continue
		}
		art, err := g.Releases.Peek(ctx, version, f.Arch, src)
		if err != nil {
			return nil, fmt.Errorf("identifying k3s %s for %s: %w", version, f.Arch, err)
		}
		out[f.Arch] = Binary{SHA256: art.SHA256, Size: art.Size, Origin: art.Origin}
	}
	return out, nil
}

// markDisruptive marks restarts of hosts whose pods hold GPUs.
func (g *Gpuboot) markDisruptive(ctx context.Context, s *Survey, p *Plan) error {
	if s.Kube == nil {
		return nil
	}
	for i := range p.Hosts {
		hp := &p.Hosts[i]
		if hp.Start != StartRestart {
			continue
		}
		n, err := s.Kube.GPUPods(ctx, hp.Host.Name)
		if err != nil {
			return fmt.Errorf("counting GPU pods on %s: %w", hp.Host.Name, err)
		}
		hp.markDisruptive(n)
	}
	return nil
}

func (hp *HostPlan) markDisruptive(gpuPods int) {
	if gpuPods == 0 {
		return
	}
	for i := range hp.Changes {
		if c := &hp.Changes[i]; c.Action == string(StartRestart) {
			c.Disruptive = true
			c.Reason += fmt.Sprintf("; %d pods hold GPUs here", gpuPods)
		}
	}
}

// Preflight looks at the hosts and judges them, and writes nothing.
func (g *Gpuboot) Preflight(ctx context.Context, req Request) (*Outcome, error) {
	s := g.Survey(ctx, surveyed(req))
	defer s.Close()
	out := &Outcome{Survey: s.Report, Missing: s.Missing(), Cluster: s.Cluster, Facts: s.Facts()}
	if s.Report.Stopped != nil {
		return out, s.Report.Stopped
	}
	for _, seen := range s.Hosts {
		if seen.Facts != nil {
			g.emit(engine.Event{Kind: engine.KindHostFacts, Host: seen.Host.Name, Facts: summary(seen.Facts)})
		}
	}
	var err error
	if out.Findings, err = g.judge(ctx, req, s); err != nil {
		return out, err
	}
	g.emitFindings(out.Findings, true)
	if b := blocking(out.Findings); len(b) > 0 {
		return out, errors.Join(b, out.missingError())
	}
	return out, out.missingError()
}
