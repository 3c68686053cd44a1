package bootstrap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

// The stages a host goes through, as plans, events and logs name them.
const (
	StageConnect = "connect"
	StageProbe   = "probe"
	StageCluster = "read cluster"
	StageInstall = "install k3s"
	StageStart   = "start k3s"
	StageJoin    = "join cluster"
	StageLabels  = "labels and taints"
	StageCheck   = "check"
)

// host compares one host with what it has to be.
func (p *planner) host(h inventory.Host, f *facts.Facts) (HostPlan, error) {
	m, why, err := p.member(h, f)
	if err != nil {
		return HostPlan{}, err
	}
	files, err := desiredFiles(p.Inventory, h, m)
	if err != nil {
		return HostPlan{}, err
	}
	hp := HostPlan{Host: h, Member: m, Journal: p.journals[h.Name], Arch: f.Arch, Binary: p.Binaries[f.Arch], Files: files}
	hp.planBinary(p.Version, f)
	hp.planFiles(f, p.tokenSum, why)
	hp.planRemovals(f)
	hp.planUnit(p.Input, f, p.joinSum(m))
	hp.planNode(p.Cluster)
	return hp, nil
}

func (hp *HostPlan) change(step, action, what, reason string) {
	hp.Changes = append(hp.Changes, engine.Change{Step: step, Action: action, What: what, Reason: reason})
}

func (hp *HostPlan) planBinary(version string, f *facts.Facts) {
	what := fmt.Sprintf("k3s %s (%s)", version, hp.Arch)
	have, there := f.Files[BinaryPath]
	switch old := hp.Journal.Binary; {
	case !there:
		hp.change(StageInstall, "install", what, "not installed")
	case old.SHA256 == "":
		hp.change(StageInstall, "replace", what, "an earlier run did not finish installing it")
	case old.SHA256 != hp.Binary.SHA256:
		hp.change(StageInstall, "replace", what, fmt.Sprintf("installed is %s", orUnknown(old.Version)))
	case have.Size != old.Size:
		hp.change(StageInstall, "replace", what, fmt.Sprintf("the file has %d bytes, installed were %d", have.Size, old.Size))
	default:
		return
	}
	hp.Install = true
	if hp.Binary.Origin != "" {
		hp.Changes[len(hp.Changes)-1].Reason += "; from " + hp.Binary.Origin
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// planRemovals finds files that gpuboot wrote and the inventory no longer
// wants.
func (hp *HostPlan) planRemovals(f *facts.Facts) {
	for _, p := range optionalFiles() {
		wanted := slices.ContainsFunc(hp.Files, func(w wantFile) bool { return w.Path == p })
		if _, there := f.Files[p]; there && !wanted && hp.Journal.Did(ActFile, p) {
			hp.Remove = append(hp.Remove, p)
			hp.change(StageInstall, "remove", p, "left the inventory")
		}
	}
}

func (hp *HostPlan) planFiles(f *facts.Facts, tokenSum func(role string) string, addressReason string) {
	for _, w := range hp.Files {
		reason := fileReason(w, f, hp.wantSum(w, tokenSum))
		if reason == "" {
			continue
		}
		if w.Path == configPath {
			reason += "; node IP " + addressReason
		}
		hp.Write = append(hp.Write, w)
		hp.change(StageInstall, "write", w.Path, reason)
	}
}

// wantSum is the hash a file has to have; empty when any content will do.
func (hp *HostPlan) wantSum(w wantFile, tokenSum func(role string) string) string {
	switch {
	case w.Secret == secretNone:
		return w.sum()
	case hp.Member.Founder, hp.Member.Role == roleServer && w.Secret == secretAgentToken:
		return "" // holds what the cluster was begun with
	}
	return tokenSum(hp.Member.Role)
}

// joinSum is the hash of the token a host joined with.
func (p *planner) joinSum(m membership) string {
	if m.Founder {
		return ""
	}
	return p.tokenSum(m.Role)
}

// tokenSum is the hash of the token that hosts of a role join with, empty while
// it is not known.
func (p *planner) tokenSum(role string) string {
	switch {
	case p.Inventory.Existing != nil:
		return p.ExistingToken
	case role == roleServer:
		return knownToken(p.journals, func(j Journal) string { return j.ServerToken })
	}
	return knownToken(p.journals, func(j Journal) string { return j.AgentToken })
}

// knownToken finds a token's hash in the journals of the servers that
// answered. All of them know the same; the founder's counts first.
func knownToken(journals map[string]Journal, of func(Journal) string) string {
	known := ""
	for _, name := range slices.Sorted(maps.Keys(journals)) {
		switch j := journals[name]; {
		case of(j) == "":
		case j.Founder:
			return of(j)
		case known == "":
			known = of(j)
		}
	}
	return known
}

func fileReason(w wantFile, f *facts.Facts, sum string) string {
	have, ok := f.Files[w.Path]
	switch {
	case !ok:
		return "absent"
	case sum != "" && have.SHA256 != sum:
		return "content differs"
	case have.Mode != uint32(w.Mode.Perm()):
		return fmt.Sprintf("mode is %#o, must be %#o", have.Mode, w.Mode.Perm())
	case have.Owner != "root:root":
		return fmt.Sprintf("owner is %s, must be root:root", have.Owner)
	}
	return ""
}

func (hp *HostPlan) planUnit(in Input, f *facts.Facts, token string) {
	unit := f.K3s.Unit
	step := StageStart
	if !hp.Member.Founder {
		step = StageJoin
	}
	if unit.Enabled != "enabled" {
		hp.Enable = true
		hp.change(StageInstall, "enable", UnitName(hp.Member.Role), "does not start at boot")
	}
	running := unit.Active == "active" || unit.Active == "activating" && nodeIsReady(in.Cluster, hp.Host.Name)
	switch hash := startHash(hp.Binary.SHA256, hp.Files, token); {
	case hp.Journal.Started == "":
		hp.start(step, StartFirst, "not started yet")
	case hp.Install || hp.rewrites() || hp.Journal.Started != hash:
		hp.start(step, StartRestart, restartReason(hp))
	case !running:
		hp.start(step, StartRestart, fmt.Sprintf("unit is %s (%s)", orUnknown(unit.Active), orUnknown(unit.Sub)))
	case in.Cluster.Answered && hp.nodeAbsent(in.Cluster):
		hp.start(step, StartRestart, "its node is not in the cluster")
	}
}

// nodeIsReady says that a node works. An agent's unit may stay "activating" for
// minutes after that (its network policy controller waits for a newer
// heartbeat), so the unit's state alone is no reason to restart it.
func nodeIsReady(c ClusterState, name string) bool {
	n, ok := c.Node(name)
	return ok && n.Ready
}

// rewrites says whether a written file changes what the unit runs with; a mode
// or owner alone does not.
func (hp *HostPlan) rewrites() bool {
	for _, c := range hp.Changes {
		if c.Action == "remove" || c.Action == "write" && (strings.HasPrefix(c.Reason, "absent") || strings.HasPrefix(c.Reason, "content")) {
			return true
		}
	}
	return false
}

func restartReason(hp *HostPlan) string {
	switch {
	case hp.Install:
		return "runs another executable"
	case hp.rewrites():
		return "its files change"
	default:
		return "runs with older files: an earlier run did not restart it"
	}
}

func (hp *HostPlan) nodeAbsent(c ClusterState) bool {
	_, ok := c.Node(hp.Host.Name)
	return !ok
}

func (hp *HostPlan) start(step string, kind StartKind, reason string) {
	hp.Start = kind
	if kind == StartRestart {
		reason += "; running pods stay"
	}
	hp.change(step, string(kind), UnitName(hp.Member.Role), reason)
}

func (hp *HostPlan) planNode(c ClusterState) {
	n, ok := c.Node(hp.Host.Name)
	if !ok {
		reason := "new node"
		if !c.Answered && hp.Journal.Started != "" {
			reason = "the API did not answer; compared once it does"
		}
		hp.Patch = true
		hp.change(StageLabels, "set", "node "+hp.Host.Name, reason)
		return
	}
	_, reasons := nodePatch(hp.Host, n)
	hp.Patch = len(reasons) > 0
	for _, r := range reasons {
		hp.change(StageLabels, "set", "node "+hp.Host.Name, r)
	}
}
