package bootstrap

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// Blocked are findings under which nothing may be written.
type Blocked []facts.Finding

// Error lists them, one a line.
func (b Blocked) Error() string {
	lines := make([]string, 0, len(b))
	for _, f := range b {
		line := fmt.Sprintf("%s: %s [%s]", f.Host, f.Summary, f.ID)
		if f.Fix != "" {
			line += " (" + f.Fix + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func blocking(fs []facts.Finding) Blocked {
	var out Blocked
	for _, f := range fs {
		if f.Severity == facts.Block {
			out = append(out, f)
		}
	}
	return out
}

// relevant drops findings about hosts that this run does not change: a server
// looked at only because it knows the cluster must not block a worker. What is
// wrong between the two stays.
func relevant(fs []facts.Finding, req Request) []facts.Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f facts.Finding) bool { return f.Host != "" && !f.Mutual && !req.wanted(f.Host) })
}

// MissingError says that hosts did not answer.
type MissingError struct {
	Host string
	Err  error
}

// Error names the host once.
func (e *MissingError) Error() string { return e.Host + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *MissingError) Unwrap() error { return e.Err }

// missingError joins the reasons of all hosts that did not answer, by name.
func (o *Outcome) missingError() error {
	var errs []error
	for _, host := range slices.Sorted(maps.Keys(o.Missing)) {
		errs = append(errs, &MissingError{host, o.Missing[host]})
	}
	return errors.Join(errs...)
}

// emitFindings tells of findings; those that are only worth knowing are left to
// preflight, which wants all.
func (g *Gpuboot) emitFindings(fs []facts.Finding, all bool) {
	for _, f := range fs {
		if f.Severity == facts.Info && !all {
			continue
		}
		g.emit(engine.Event{Kind: engine.KindFinding, Host: f.Host, Level: string(f.Severity), ID: f.ID, Message: f.Summary, Evidence: f.Evidence, Fix: f.Fix})
	}
}

func (g *Gpuboot) emitPlan(p *Plan) {
	for _, h := range p.Hosts {
		for _, c := range h.Changes {
			g.emit(engine.Event{Kind: engine.KindPlanChange, Host: h.Host.Name, Step: c.Step, Change: &c})
		}
	}
	for _, name := range p.Strangers {
		g.emit(engine.Event{Kind: engine.KindNote, Message: fmt.Sprintf("node %s is in the cluster but not in the inventory: left alone", name)})
	}
}

// noCluster is the class of ErrNoCluster.
type noCluster struct{}

func (noCluster) Error() string { return "no server of this inventory runs k3s" }

// Hint says how to get one.
func (noCluster) Hint() string { return "gpuboot up makes the cluster" }

// ErrNoCluster says that there is no cluster to ask. It is not retried.
var ErrNoCluster error = noCluster{}
