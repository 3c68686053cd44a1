package tui

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// A thousand hosts speak at once while the view is up: every event is folded.
func TestNoEventIsLost(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	v := Live(t.Context(), LiveOptions{In: x.in, Out: x, Recorded: true})
	s := thousand(1000, 20)
	const senders = 8
	var wg sync.WaitGroup
	head := s.events[:3]
	for _, e := range head {
		v.Sink()(e)
	}
	byHost := map[string][]engine.Event{}
	var hosts []string
	for _, e := range s.events[3:] {
		if e.Host == "" {
			continue
		}
		if byHost[e.Host] == nil {
			hosts = append(hosts, e.Host)
		}
		byHost[e.Host] = append(byHost[e.Host], e)
	}
	for i := range senders {
		wg.Go(func() {
			for h := i; h < len(hosts); h += senders {
				for _, e := range byHost[hosts[h]] {
					v.Sink()(e)
				}
			}
		})
	}
	wg.Wait()
	tail := s.events[len(s.events)-2:]
	for _, e := range tail {
		v.Sink()(e)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if got := v.feed.board.events; got != uint64(len(s.events)) {
		t.Errorf("%d events of %d", got, len(s.events))
	}
	if got := v.feed.board.state.Tally(); got.Done != 1000 {
		t.Errorf("tally %+v", got)
	}
	if !strings.Contains(x.written(), "1000 hosts: 1000 done") {
		t.Error("no summary")
	}
}

// However much hosts say, what is kept of it is bounded.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	f := newFeed(nil, nil)
	const hosts, lines = 200, 2000
	line := strings.Repeat("x", 200)
	for i := range hosts {
		j := job{fmt.Sprintf("host-%d", i), []string{"talk"}}
		f.take(j.event(engine.KindStepStarted, 1, engine.StatusRunning))
		for n := range lines {
			f.take(engine.Event{Kind: engine.KindStepOutput, Host: j.host, Step: "talk", Message: fmt.Sprint(n, line)})
		}
	}
	f.take(engine.Event{Kind: engine.KindStepOutput, Host: "host-0", Step: "talk", Message: strings.Repeat("y", 10<<20)})
	for _, l := range f.board.lanes {
		if l.ring.size > ringBytes || len(l.ring.lines) > ringLines {
			t.Fatalf("%s keeps %d bytes in %d lines", l.Name, l.ring.size, len(l.ring.lines))
		}
	}
	if l := f.board.lanes[1].ring; l.total != lines+1 || !strings.HasPrefix(l.copy()[len(l.lines)-1].text, fmt.Sprint(lines-1)) {
		t.Errorf("%d lines counted, the last is %.10q", l.total, l.copy()[len(l.lines)-1].text)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(f)
	t.Logf("%d MB in use", m.HeapAlloc>>20)
}

// A run log read back shows the same as the run did.
func TestAReplayShowsTheSame(t *testing.T) {
	t.Parallel()
	at := size{120, 40}
	s := brokenTrio()
	replayed := &script{}
	for _, e := range s.events {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back engine.Event
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		replayed.events = append(replayed.events, back)
	}
	if want, got := liveOf(s, at).View(), liveOf(replayed, at).View(); want != got {
		t.Errorf("want\n%s\ngot\n%s", want, got)
	}
}

// A stream that begins in the middle, or ends there, is drawn as it is.
func TestAnyPartOfAStreamCanBeDrawn(t *testing.T) {
	t.Parallel()
	for _, s := range []*script{freshTrio(), brokenTrio()} {
		for i := range s.events {
			for _, part := range [][]engine.Event{s.events[:i], s.events[i:]} {
				m := liveOf(&script{events: part}, size{80, 24})
				for _, keys := range [][]string{nil, {"enter"}, {"enter", "tab"}, {"w"}, {"n"}} {
					checkFrame(t, press(m, keys...).View(), size{80, 24})
				}
			}
		}
	}
}

// A picture stays as it was while events go on.
func TestAPictureDoesNotChange(t *testing.T) {
	t.Parallel()
	s := fleet()
	half := len(s.events) / 2
	f := feedOf(s.events[:half])
	pic := f.picture("gpu002")
	m := newLiveModel(f, colourless())
	m.snap = pic
	before := m.View()
	for _, e := range s.events[half:] {
		f.take(e)
	}
	f.picture("")
	if after := m.View(); before != after {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
}

// The loop waits for events, and not longer than its clock.
func TestTheFrameLoopWakesForEvents(t *testing.T) {
	t.Parallel()
	f := newFeed(time.Now, nil)
	go f.take(engine.Event{Kind: engine.KindRunStarted, Message: "gpuboot up"})
	for range 3 {
		msg := f.next("")().(frameMsg)
		if !msg.loop {
			t.Fatal("the loop ends")
		}
		if msg.snap.command == "gpuboot up" {
			return
		}
	}
	t.Error("no frame has the event")
}
