package tui

import (
	"fmt"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// script writes a stream of events as a run would send it. Its clock moves only
// when told.
type script struct {
	now    time.Time
	events []engine.Event
}

func newScript() *script {
	return &script{now: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)}
}

func (s *script) emit(e engine.Event) {
	e.Time = s.now
	s.events = append(s.events, e)
}

func (s *script) pass(d time.Duration) { s.now = s.now.Add(d) }

func (s *script) run(command string) {
	s.emit(engine.Event{Kind: engine.KindHeader, Version: engine.StreamVersion, Message: command})
	s.emit(engine.Event{Kind: engine.KindRunStarted, Message: command, File: "/tmp/run.jsonl"})
}

func (s *script) phase(name string, hosts ...string) {
	s.emit(engine.Event{Kind: engine.KindPhaseStarted, Message: name, Lanes: hosts})
}

func (s *script) endPhase(name string) {
	s.emit(engine.Event{Kind: engine.KindPhaseFinished, Message: name})
}

// job is one host with the steps of its lane in a phase.
type job struct {
	host  string
	steps []string
}

func (j job) event(kind engine.Kind, n int, st engine.Status) engine.Event {
	return engine.Event{Kind: kind, Host: j.host, Step: j.steps[n-1], N: n, Of: len(j.steps), Status: st}
}

func (s *script) start(j job, n int) {
	s.emit(j.event(engine.KindStepStarted, n, engine.StatusRunning))
}

func (s *script) wait(j job, n int, gate string, by engine.StepRef) {
	e := j.event(engine.KindStepWaiting, n, engine.StatusWaiting)
	e.Gate, e.By = gate, &by
	s.emit(e)
}

func (s *script) done(j job, n int, took time.Duration) {
	e := j.event(engine.KindStepFinished, n, engine.StatusDone)
	e.Elapsed = took
	s.emit(e)
}

func (s *script) unchanged(j job, n int, took time.Duration, why string) {
	e := j.event(engine.KindStepFinished, n, engine.StatusUnchanged)
	e.Elapsed, e.Message = took, why
	s.emit(e)
}

// fail ends a step and skips those behind it.
func (s *script) fail(j job, n int, took time.Duration, info engine.ErrorInfo) {
	e := j.event(engine.KindStepFinished, n, engine.StatusFailed)
	e.Elapsed, e.Error = took, &info
	s.emit(e)
	s.skip(j, n+1, engine.StepRef{Host: j.host, Step: j.steps[n-1]})
}

func (s *script) block(j job, n int, gate string, by engine.StepRef) {
	e := j.event(engine.KindStepFinished, n, engine.StatusBlocked)
	e.Gate, e.By = gate, &by
	e.Error = &engine.ErrorInfo{Cause: fmt.Sprintf("gate %q stays shut: %s broke at step %q", gate, by.Host, by.Step)}
	s.emit(e)
	s.skip(j, n+1, by)
}

func (s *script) skip(j job, from int, by engine.StepRef) {
	for n := from; n <= len(j.steps); n++ {
		e := j.event(engine.KindStepFinished, n, engine.StatusSkipped)
		e.By = &by
		s.emit(e)
	}
}

func (s *script) progress(j job, n int, done, total int64, unit string) {
	s.emit(engine.Event{Kind: engine.KindStepProgress, Host: j.host, Step: j.steps[n-1], Done: done, Total: total, Unit: unit})
}

func (s *script) output(j job, n int, lines ...string) {
	for _, l := range lines {
		s.emit(engine.Event{Kind: engine.KindStepOutput, Host: j.host, Step: j.steps[n-1], Message: l})
	}
}

func (s *script) end(st engine.Status, took time.Duration) {
	s.emit(engine.Event{Kind: engine.KindRunFinished, Status: st, Elapsed: took})
}

const (
	phaseLook  = "look"
	phaseApply = "apply"
)

func lookSteps() []string   { return []string{"connect", "probe"} }
func serverSteps() []string { return []string{"install k3s", "start k3s", "join cluster", "check"} }
func workerSteps() []string { return []string{"install k3s", "join cluster", "check"} }

// look lets every host through the first phase.
func (s *script) look(hosts ...string) {
	s.phase(phaseLook, hosts...)
	for _, h := range hosts {
		s.start(job{h, lookSteps()}, 1)
	}
	s.pass(400 * time.Millisecond)
	for _, h := range hosts {
		j := job{h, lookSteps()}
		s.done(j, 1, 400*time.Millisecond)
		s.start(j, 2)
	}
	s.pass(900 * time.Millisecond)
	for i, h := range hosts {
		s.done(job{h, lookSteps()}, 2, time.Duration(700+i)*time.Millisecond)
		s.emit(engine.Event{Kind: engine.KindHostFacts, Host: h, Facts: map[string]string{
			"os": "Ubuntu 24.04.3 LTS", "kernel": "6.8.0-60-generic", "memory": "503 GiB", "gpus": "8x NVIDIA H100 80GB HBM3", "driver": "580.95.05",
		}})
	}
	s.endPhase(phaseLook)
}

// freshTrio is a new cluster of three hosts whose first server is starting.
func freshTrio() *script {
	s := newScript()
	s.run("gpuboot up train.yaml")
	hosts := []string{"server1", "gpu1", "gpu2"}
	s.look(hosts...)
	s.emit(engine.Event{Kind: engine.KindFinding, Host: "gpu2", Level: "warn", ID: "clock-skew", Message: "the clock is 4 s behind",
		Evidence: "offset -4.1s, round trip 12ms", Fix: "timedatectl set-ntp true"})
	for _, h := range hosts {
		s.emit(engine.Event{Kind: engine.KindPlanChange, Host: h, Change: &engine.Change{Step: "install k3s", Action: "create", What: "/usr/local/bin/k3s", Reason: "not there"}})
	}
	s.phase(phaseApply, hosts...)
	server := job{"server1", serverSteps()}
	workers := []job{{"gpu1", workerSteps()}, {"gpu2", workerSteps()}}
	for _, j := range append([]job{server}, workers...) {
		s.start(j, 1)
	}
	s.pass(2 * time.Second)
	s.progress(server, 1, 41<<20, 74<<20, "B")
	s.pass(2 * time.Second)
	s.done(server, 1, 4*time.Second)
	s.start(server, 2)
	s.output(server, 2, "Starting k3s.service - Lightweight Kubernetes", "level=info msg=\"Starting etcd\"")
	s.done(workers[0], 1, 4*time.Second)
	s.wait(workers[0], 2, "api-ready", engine.StepRef{Host: "server1", Step: "start k3s"})
	s.progress(workers[1], 1, 52_000_000, 74_000_000, "B")
	s.pass(9 * time.Second)
	s.emit(engine.Event{Kind: engine.KindNote, Host: "server1", Step: "start k3s", Message: "the API to answer"})
	s.output(server, 2, "level=info msg=\"Waiting for API server to become available\"")
	return s
}

// brokenTrio is the same cluster whose server fails, which blocks the workers.
func brokenTrio() *script {
	s := freshTrio()
	server := job{"server1", serverSteps()}
	s.pass(5 * time.Second)
	s.done(job{"gpu2", workerSteps()}, 1, 18*time.Second)
	by := engine.StepRef{Host: "server1", Step: "start k3s"}
	s.wait(job{"gpu2", workerSteps()}, 2, "api-ready", by)
	s.pass(time.Second)
	s.fail(server, 2, 15*time.Second, engine.ErrorInfo{
		Cause:  "k3s.service ended with code 1",
		Output: "level=info msg=\"Starting etcd\"\nlevel=fatal msg=\"starting kubernetes: preparing server: bind: address already in use\"",
		Hint:   "see what listens there: ss -ltnp sport = :6443",
		Retry:  "gpuboot up train.yaml --limit server1",
	})
	s.emit(engine.Event{Kind: engine.KindGateFailed, Gate: "api-ready", Host: "server1", Step: "start k3s", By: &by, Message: "k3s.service ended with code 1"})
	s.block(job{"gpu1", workerSteps()}, 2, "api-ready", by)
	s.block(job{"gpu2", workerSteps()}, 2, "api-ready", by)
	s.endPhase(phaseApply)
	s.end(engine.StatusFailed, 20*time.Second)
	return s
}

// fleet is a hundred hosts in the middle of a run of which three failed.
func fleet() *script {
	s := newScript()
	s.run("gpuboot up fleet.yaml")
	var hosts []string
	for i := range 100 {
		hosts = append(hosts, fmt.Sprintf("gpu%03d", i+1))
	}
	s.look(hosts...)
	s.phase(phaseApply, hosts...)
	server := job{hosts[0], serverSteps()}
	s.start(server, 1)
	s.pass(3 * time.Second)
	s.done(server, 1, 3*time.Second)
	s.start(server, 2)
	for i, h := range hosts[1:80] {
		s.start(job{h, workerSteps()}, 1)
		s.pass(time.Duration(i%3) * 100 * time.Millisecond)
	}
	s.pass(5 * time.Second)
	s.done(server, 2, 13*time.Second)
	s.start(server, 3)
	for i, h := range hosts[1:80] {
		s.fleetHost(i, job{h, workerSteps()})
	}
	s.pass(12 * time.Second)
	return s
}

func (s *script) fleetHost(i int, j job) {
	switch {
	case i%29 == 7:
		s.fail(j, 1, 6*time.Second, engine.ErrorInfo{Cause: "writing /usr/local/bin/k3s: no space left on device", Hint: "free 80 MB on /", Output: "df: / 100%"})
	case i < 40:
		s.done(j, 1, time.Duration(4+i%5)*time.Second)
		s.start(j, 2)
		s.pass(200 * time.Millisecond)
		s.done(j, 2, 11*time.Second)
		s.start(j, 3)
		s.unchanged(j, 3, 900*time.Millisecond, "nothing differs")
	case i < 60:
		s.done(j, 1, time.Duration(5+i%5)*time.Second)
		s.wait(j, 2, "gpu001-ready", engine.StepRef{Host: "gpu001", Step: "join cluster"})
	default:
		s.progress(j, 1, int64(i)*800_000, 74_000_000, "B")
	}
}

// thousand is a run of n hosts with so many steps each, whole and successful.
func thousand(n, steps int) *script {
	s := newScript()
	s.run("gpuboot up thousand.yaml")
	var jobs []job
	var hosts, names []string
	for i := range steps {
		names = append(names, fmt.Sprintf("stage number %d", i+1))
	}
	for i := range n {
		hosts = append(hosts, fmt.Sprintf("node-%04d.rack-%02d.example.net", i, i%40))
		jobs = append(jobs, job{hosts[i], names})
	}
	s.phase(phaseApply, hosts...)
	for st := 1; st <= steps; st++ {
		for _, j := range jobs {
			s.start(j, st)
			s.output(j, st, "working on it")
		}
		s.pass(time.Second)
		for _, j := range jobs {
			s.done(j, st, time.Second)
		}
	}
	s.endPhase(phaseApply)
	s.end(engine.StatusDone, time.Duration(steps)*time.Second)
	return s
}
