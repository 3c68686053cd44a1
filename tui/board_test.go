package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Hosts with different steps get one order that suits them all, in whatever order
// they speak.
func TestColumnsAgreeWithEveryHost(t *testing.T) {
	t.Parallel()
	worker := []string{"install", "join", "check"}
	server := []string{"install", "start", "join", "labels", "check"}
	for name, lanes := range map[string][][]string{"worker first": {worker, server}, "server first": {server, worker}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var cs columns
			for _, lane := range lanes {
				prev := -1
				for _, step := range lane {
					prev, _ = cs.see(column{1, step}, prev)
				}
			}
			var got []string
			for _, c := range cs.shown() {
				got = append(got, c.name)
			}
			if !slices.Equal(got, server) {
				t.Errorf("order %q", got)
			}
		})
	}
}

func TestColumnsBearContradictionsAndExcess(t *testing.T) {
	t.Parallel()
	var cs columns
	a, _ := cs.see(column{1, "a"}, -1)
	b, _ := cs.see(column{1, "b"}, a)
	cs.see(column{1, "a"}, b)
	cs.see(column{2, "a"}, -1)
	if got := cs.shown(); len(got) != 3 || got[2].phase != 2 {
		t.Errorf("columns %v", got)
	}
	s := thousand(1, 2*maxColumns)
	m := liveOf(s, size{200, 60})
	if len(m.snap.cols) != maxColumns {
		t.Errorf("%d columns", len(m.snap.cols))
	}
}

func TestProgressCountsHostsAlike(t *testing.T) {
	t.Parallel()
	s := newScript()
	a, b := job{"a", []string{"one", "two"}}, job{"b", []string{"one"}}
	s.phase("p", "a", "b", "c", "d")
	s.start(a, 1)
	s.done(a, 1, time.Second)
	s.start(b, 1)
	s.fail(b, 1, time.Second, engine.ErrorInfo{Cause: "x"})
	if got := feedOf(s.events).picture("").progress.share; got != (0.5+1)/4 {
		t.Errorf("share %v", got)
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	steps := []string{"one", "two"}
	a, b, c := job{"a", steps}, job{"b", steps}, job{"c", steps}
	s := newScript()
	check := func(name, want string) {
		t.Helper()
		p := feedOf(s.events).picture("").progress
		got := p.missing
		if p.known {
			got = p.left.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("nothing yet", "")
	s.phase("p", "a", "b", "c")
	check("nothing begun", notShown)
	s.start(a, 1)
	check("first step", "one has not ended anywhere yet")
	s.pass(10 * time.Second)
	s.done(a, 1, 10*time.Second)
	s.start(a, 2)
	s.start(b, 1)
	check("second step", "two has not ended anywhere yet")
	s.pass(20 * time.Second)
	s.done(a, 2, 20*time.Second)
	s.pass(5 * time.Second)
	// b runs longer than typical: 0+20; c has not begun: 10+20. Two at most ran at once.
	check("all stages known", "30s")
	s.start(c, 1)
	s.pass(4 * time.Second)
	s.emit(engine.Event{Kind: engine.KindNote, Message: "the clock"})
	check("part of a step has run", "26s") // c: 6+20, b: 20; (26+20)/2 is less
	s.done(b, 1, 10*time.Second)
	s.start(b, 2)
	s.pass(time.Second)
	s.done(c, 1, 10*time.Second)
	s.wait(c, 2, "b-ready", engine.StepRef{Host: "b", Step: "two"})
	check("a gate's opener counts", "39s") // b has 19 left, c then 20
	s.done(b, 2, 20*time.Second)
	s.start(c, 2)
	s.done(c, 2, 20*time.Second)
	p := feedOf(s.events).picture("").progress
	if p.known || p.share != 1 {
		t.Errorf("at the end: %+v", p)
	}
}

func TestEstimateOfWorkersThatWaitForATurn(t *testing.T) {
	t.Parallel()
	s := newScript()
	var jobs []job
	var hosts []string
	for i := range 11 {
		j := job{string(rune('a' + i)), []string{"one"}}
		jobs, hosts = append(jobs, j), append(hosts, j.host)
	}
	s.phase("p", hosts...)
	s.start(jobs[0], 1)
	s.pass(8 * time.Second)
	s.done(jobs[0], 1, 8*time.Second)
	if p := feedOf(s.events).picture("").progress; !p.known || p.left != 80*time.Second {
		t.Errorf("ten hosts, one at a time: %+v", p)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	var s samples
	if _, ok := s.typical(); ok {
		t.Error("knows without a sample")
	}
	for i := range 3 * sampleCount {
		s.add(time.Duration(i))
	}
	if d, _ := s.typical(); d != time.Duration(3*sampleCount-1-sampleCount/2) {
		t.Errorf("median %d", d)
	}
}

func TestDomain(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][]string{
		".dc.example.net": {"a.rack1.dc.example.net", "cluster", "b.rack2.dc.example.net"},
		".net":            {"a.x.net", "b.y.net"},
		"":                {"a.x", "b.y"},
	} {
		var d domain
		for _, n := range names {
			d.add(n)
		}
		if d.suffix != want {
			t.Errorf("%q of %q", d.suffix, names)
		}
	}
}

func TestStatesOfARow(t *testing.T) {
	t.Parallel()
	s := newScript()
	j := job{"a", []string{"one", "two"}}
	at := func() string {
		m := liveOf(s, size{80, 24})
		return strings.Join(strings.Fields(strings.Split(m.View(), "\n")[5]), " ")
	}
	check := func(want string) {
		t.Helper()
		if got := at(); !strings.HasPrefix(got, want) {
			t.Errorf("row %q, want %q", got, want)
		}
	}
	s.phase("p", "a")
	check("❯ a · queued")
	s.start(j, 1)
	check("❯ a ▸ running ▸ one 0.0s")
	s.done(j, 1, time.Second)
	check("❯ a … waiting ✓ 1s one: waits for its turn")
	s.start(j, 2)
	s.progress(j, 2, 3, 8, "images")
	check("❯ a ▸ running ✓ 1s ▸ two: 3 of 8 images")
	e := j.event(engine.KindStepFinished, 2, engine.StatusCancelled)
	e.Elapsed, e.Error = time.Second, &engine.ErrorInfo{Cause: "stopped"}
	s.emit(e)
	check("❯ a ■ cancelled ✓ 1s ■ 1s two: stopped 2s")
}
