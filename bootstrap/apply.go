package bootstrap

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Deadlines of the steps. They bound a wait for something that normally takes
// seconds (k3s-observed figures: a server 15 s, an agent 11 s, a further server
// 30 s), or an upload over a slow line.
const (
	installTimeout = 60 * time.Minute
	startTimeout   = 5 * time.Minute
	joinTimeout    = 10 * time.Minute
	labelsTimeout  = time.Minute
	checkTimeout   = 90 * time.Second
)

// gateAPI opens when the API of a new cluster answers with credentials.
const gateAPI = "api-ready"

// gateReady opens when a server's node is Ready and its etcd member votes.
func gateReady(server string) string { return server + "-ready" }

// applyRun is the shared state of one apply.
type applyRun struct {
	*Gpuboot
	req    Request
	survey *Survey
	plan   *Plan
	board  *board

	mu       sync.Mutex
	kube     Kube
	apiHost  string // the server that kube is reached through
	tokens   *tokens
	journals map[string]Journal
	first    *founding // secrets of a cluster that begins in this run
}

// apply carries a plan out: one lane per host that changes.
func (g *Gpuboot) apply(ctx context.Context, req Request, s *Survey, p *Plan) engine.Report {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &applyRun{Gpuboot: g, req: req, survey: s, plan: p, board: newBoard(), journals: map[string]Journal{}}
	defer a.board.wait()
	for _, seen := range s.Hosts {
		if seen.Facts != nil {
			j, _ := ParseJournal(seen.Facts.Journal) // the plan refused unreadable ones
			a.journals[seen.Host.Name] = j
		}
	}
	if s.Kube != nil {
		a.useKube(ctx, s.APIHost, s.Kube)
	}
	var lanes []engine.Lane
	for i := range p.Hosts {
		if hp := &p.Hosts[i]; len(hp.Changes) > 0 {
			lanes = append(lanes, a.lane(ctx, hp))
		}
	}
	report := engine.Run(ctx, lanes, g.engineOptions(PhaseApply))
	cancel()
	return report
}

// lane lists the steps of one host. Steps that would do nothing are left out.
func (a *applyRun) lane(runCtx context.Context, hp *HostPlan) engine.Lane {
	lane := engine.Lane{Name: hp.Host.Name}
	step := func(name string, timeout time.Duration, do func(context.Context, *HostPlan, engine.Reporter) error) *engine.Step {
		lane.Steps = append(lane.Steps, engine.Step{Name: name, Timeout: timeout,
			Run: func(ctx context.Context, r engine.Reporter) error { return do(ctx, hp, r) }})
		return &lane.Steps[len(lane.Steps)-1]
	}
	if hp.installs() {
		step(StageInstall, installTimeout, a.install)
	}
	if hp.Start == StartFirst && hp.Member.Founder {
		start := step(StageStart, startTimeout, func(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
			return a.found(ctx, runCtx, hp, r)
		})
		start.Opens = []string{gateAPI}
		lane.Vital, lane.VitalUntil = true, gateAPI
		ready := step(StageJoin, joinTimeout, a.awaitFounder)
		ready.Opens = []string{gateReady(hp.Host.Name)}
	} else if hp.Start != StartNone {
		join := step(StageJoin, joinTimeout, func(ctx context.Context, hp *HostPlan, r engine.Reporter) error {
			return a.join(ctx, runCtx, hp, r)
		})
		join.Needs = a.joinNeeds(hp)
		if hp.Host.Role.IsServer() {
			join.Opens = []string{gateReady(hp.Host.Name)}
		}
	}
	if hp.Patch {
		labels := step(StageLabels, labelsTimeout, a.label)
		if a.api() == nil && hp.Start == StartNone {
			labels.Needs = a.joinNeeds(hp)
		}
	}
	step(StageCheck, checkTimeout, a.check).ReadOnly = true
	return lane
}

// joinNeeds lists what has to be open before a host's k3s may start or restart.
// Servers go one after the other, each after the one before is a voter: etcd
// takes one learner at a time, and a cluster loses at most one server. Agents
// of a new cluster need only its API; when servers change under a running
// cluster, agents wait for all of them, since a kubelet must never be newer
// than the API server.
func (a *applyRun) joinNeeds(hp *HostPlan) []string {
	servers := a.startingServers()
	if hp.Host.Role.IsServer() {
		for i, name := range servers {
			if name == hp.Host.Name && i > 0 {
				return []string{gateReady(servers[i-1])}
			}
		}
		return nil
	}
	if a.fresh() {
		return []string{gateAPI}
	}
	var needs []string
	for _, name := range servers {
		needs = append(needs, gateReady(name))
	}
	return needs
}

// fresh says that this run begins the cluster.
func (a *applyRun) fresh() bool {
	hp, ok := a.plan.Host(a.plan.Seed)
	return ok && hp.Start == StartFirst && hp.Member.Founder
}

// startingServers are the servers that start or restart, the seed first.
func (a *applyRun) startingServers() []string {
	var seed, rest []string
	for _, hp := range a.plan.Hosts {
		switch {
		case hp.Start == StartNone || !hp.Host.Role.IsServer():
		case hp.Host.Name == a.plan.Seed:
			seed = append(seed, hp.Host.Name)
		default:
			rest = append(rest, hp.Host.Name)
		}
	}
	return append(seed, rest...)
}

func (hp *HostPlan) installs() bool {
	return hp.Install || hp.Enable || len(hp.Write) > 0 || len(hp.Remove) > 0
}

// useKube makes the API known to all lanes and begins to watch its nodes. The
// first server that answers serves the whole run.
func (a *applyRun) useKube(ctx context.Context, host string, k Kube) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kube == nil {
		a.kube, a.apiHost = k, host
		a.board.follow(ctx, k)
	}
}

// api is the running cluster's API, nil until one answered.
func (a *applyRun) api() Kube {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kube
}

func (a *applyRun) conn(hp *HostPlan) Conn { return a.survey.Host(hp.Host.Name).Conn }

func (a *applyRun) journal(host string) Journal {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.journals[host].clone()
}

// allJournals are the journals as this run knows them: read at its beginning,
// and as it has written them since.
func (a *applyRun) allJournals() map[string]Journal {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.journals)
}

// saveJournal writes a host's journal and remembers it.
func (a *applyRun) saveJournal(ctx context.Context, hp *HostPlan, j Journal) error {
	j.Format = journalFormat
	data, err := j.Marshal()
	if err != nil {
		return err
	}
	if err := writeFile(ctx, a.conn(hp), JournalPath, 0o600, data); err != nil {
		return fmt.Errorf("writing the journal %s: %w", JournalPath, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.journals[hp.Host.Name] = j
	return nil
}
