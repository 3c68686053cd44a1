package render_test

import (
	"context"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// look is the phase that every run begins with.
func look(errs map[string]error) []engine.Lane {
	var lanes []engine.Lane
	for i, host := range []string{"cp1", "gpu1", "gpu-機2"} {
		took := time.Duration(i*300+200) * time.Millisecond
		lanes = append(lanes, engine.Lane{Name: host, Steps: []engine.Step{
			{Name: "connect", ReadOnly: true, Run: takes(took, errs[host])},
			{Name: "probe", ReadOnly: true, Run: takes(took, nil)},
		}})
	}
	return lanes
}

// converge is the phase that changes things. The server's start and the first
// worker's join are given by the scene.
func converge(start, join work) []engine.Lane {
	lanes := []engine.Lane{{Name: "cp1", Vital: true, VitalUntil: "api-ready", Steps: []engine.Step{
		{Name: "install k3s", Timeout: time.Hour, Run: uploads(18 * time.Second)},
		{Name: "start k3s", Timeout: 5 * time.Minute, Opens: []string{"api-ready"}, Run: start},
		{Name: "check", ReadOnly: true, Run: takes(400*time.Millisecond, nil)},
	}}}
	for i, host := range []string{"gpu1", "gpu-機2"} {
		joining := join
		if i > 0 {
			joining = says("node gpu-機2 to be Ready", takes(41*time.Second, nil))
		}
		lanes = append(lanes, engine.Lane{Name: host, Steps: []engine.Step{
			{Name: "install k3s", Timeout: time.Hour, Run: uploads(time.Duration(9-7*i) * time.Second)},
			{Name: "join cluster", Timeout: 5 * time.Minute, Needs: []string{"api-ready"}, Run: joining},
			{Name: "labels and taints", Run: takes(0, engine.Unchanged("labels and taints are right"))},
			{Name: "check", ReadOnly: true, Run: takes(300*time.Millisecond, nil)},
		}})
	}
	return lanes
}

func (p *play) judge() {
	p.emit(engine.Event{Kind: engine.KindHostFacts, Host: "cp1", Facts: map[string]string{"os": "Ubuntu 24.04.2 LTS", "gpus": "none", "cpus": "16"}})
	p.emit(engine.Event{Kind: engine.KindHostFacts, Host: "gpu1", Facts: map[string]string{"os": "Ubuntu 24.04.2 LTS", "gpus": "8x NVIDIA H100", "cpus": "208"}})
	p.emit(engine.Event{Kind: engine.KindFinding, Host: "gpu1", Level: "warn", ID: "clock-offset", Message: "the clock is 3.2 s ahead",
		Evidence: "remote 12:00:03.2\nlocal  12:00:00.0", Fix: "enable time synchronisation: timedatectl set-ntp true"})
	p.emit(engine.Event{Kind: engine.KindFinding, Level: "info", ID: "single-server", Message: "one server: its loss is the loss of the cluster"})
	for _, host := range []string{"cp1", "gpu1", "gpu-機2"} {
		p.emit(engine.Event{Kind: engine.KindPlanChange, Host: host, Change: &engine.Change{
			Step: "install k3s", Action: "install", What: "k3s v1.36.1+k3s1 (amd64)", Reason: "there is none"}})
		p.emit(engine.Event{Kind: engine.KindPlanChange, Host: host, Change: &engine.Change{
			Step: "install k3s", Action: "write", What: "/etc/rancher/k3s/config.yaml", Reason: "absent"}})
		if host == "gpu1" {
			p.emit(engine.Event{Kind: engine.KindPlanChange, Host: host, Change: &engine.Change{Step: "join cluster", Action: "restart",
				What: "k3s-agent", Reason: "its configuration changes; 2 pods hold GPUs here", Disruptive: true}})
		}
	}
	p.emit(engine.Event{Kind: engine.KindNote, Message: "node old7 is in the cluster but not in the inventory: left alone"})
}

var starting = says("the API of cp1 to answer", takes(15*time.Second, nil), "Starting k3s", "Running kube-apiserver --token="+secret)

type scene = func(context.Context, *play) engine.Report

// scenes are the recorded runs.
func scenes() map[string]scene {
	return map[string]scene{
		"fresh": func(ctx context.Context, p *play) engine.Report {
			p.run(ctx, "look", look(nil))
			p.judge()
			return p.run(ctx, "converge", converge(starting, says("node gpu1 to be Ready", takes(11*time.Second, nil))))
		},
		"noop": func(ctx context.Context, p *play) engine.Report {
			return p.run(ctx, "look", look(nil))
		},
		"failed": func(ctx context.Context, p *play) engine.Report {
			p.run(ctx, "look", look(nil))
			p.judge()
			p.emit(engine.Event{Kind: engine.KindNote, Level: "warn", Host: "gpu1", Message: "a lock of ann@laptop from 11:02 was stale and is taken over"})
			lanes := converge(says("the API of cp1 to answer", takes(7*time.Second, unitError{})), takes(0, nil))
			lanes[0].Vital = false
			return p.run(ctx, "converge", lanes)
		},
		"timeout": func(ctx context.Context, p *play) engine.Report {
			p.run(ctx, "look", look(map[string]error{"gpu-機2": errNoRoute}))
			p.judge()
			never := says("node gpu1 to be Ready", takes(time.Hour, nil), "waiting for the API", "10 %\r20 %\r30 %")
			return p.run(ctx, "converge", converge(starting, never)[:2])
		},
		"cancelled": func(ctx context.Context, p *play) engine.Report {
			ctx, cancel := context.WithTimeout(ctx, 12*time.Second)
			defer cancel()
			p.run(ctx, "look", look(nil))
			return p.run(ctx, "converge", converge(starting, takes(0, nil)))
		},
	}
}
