package reach

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Options bound a test. Zero values take the defaults.
type Options struct {
	// Begin is how long hosts may take to listen (default 8 s), Wait how long one
	// connection may take (2 s), Total how long everything may take (20 s).
	Begin, Wait, Total time.Duration
	// Rand names the listeners.
	Rand io.Reader
}

func (o Options) begin() time.Duration { return orElse(o.Begin, 8*time.Second) }
func (o Options) wait() time.Duration  { return orElse(o.Wait, 2*time.Second) }
func (o Options) total() time.Duration { return orElse(o.Total, 20*time.Second) }

func orElse(d, def time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return def
}

// Probe lets hosts try each other: one command on each, all at the same time.
// What did not end within Options.Total is Untested in the result. It leaves
// nothing on the hosts: when it returns, the commands have ended. The error is
// that of ctx, or of the randomness.
func Probe(ctx context.Context, hosts []Host, opt Options) (Matrix, error) {
	whole, cancel := context.WithTimeout(ctx, opt.total())
	defer cancel()
	t := &test{hosts: hosts, opt: opt, matrix: Matrix{Checks: map[Key]Check{}, Without: map[string]string{}}, answered: make(chan struct{}, 1)}
	defer t.end(cancel)
	for _, h := range hosts {
		token := make([]byte, 8)
		if _, err := io.ReadFull(opt.Rand, token); err != nil {
			return Matrix{}, fmt.Errorf("naming the listener of %s: %w", h.Name, err)
		}
		t.start(whole, h, hex.EncodeToString(token))
	}
	t.awaitReady(whole)
	t.plan()
	t.send(whole)
	t.awaitAnswers(whole)
	t.again()
	t.awaitAnswers(whole)
	return t.result(whole), ctx.Err()
}

// test is one run of Probe.
type test struct {
	hosts  []Host
	opt    Options
	agents []*agent
	work   sync.WaitGroup

	mu       sync.Mutex
	matrix   Matrix
	tasks    []task
	by       []int         // the host that does a task
	of       [][]int       // the tasks of a host
	first    map[Key]Check // results that were tried again
	open     int           // tasks without an answer
	answered chan struct{}
}

func (t *test) start(ctx context.Context, h Host, token string) {
	i := len(t.agents)
	a := newAgent(h, token)
	a.answers = func(ans answer) { t.answer(i, ans) }
	t.agents = append(t.agents, a)
	// The script outlives the test by some seconds at most, if the link is lost.
	a.start(ctx, t.opt.total()+5*time.Second, t.opt.wait())
}

// awaitReady waits until all listen, as a try before that would be refused.
func (t *test) awaitReady(ctx context.Context) {
	timer := time.NewTimer(t.opt.begin())
	defer timer.Stop()
	for _, a := range t.agents {
		select {
		case <-a.ready:
			continue
		case <-a.ended:
		case <-timer.C:
			timer.Reset(0) // the others have had their time too
		case <-ctx.Done():
		}
		if !a.isReady() {
			t.matrix.Without[a.host.Name] = a.reason()
		}
	}
}

// answer takes the answer of a host to one of its tasks.
func (t *test) answer(host int, ans answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ans.id >= len(t.tasks) || t.by[ans.id] != host {
		return
	}
	key := t.tasks[ans.id].key
	if _, again := t.matrix.Checks[key]; again {
		return
	}
	t.matrix.Checks[key] = t.tasks[ans.id].check(ans)
	if t.open--; t.open == 0 {
		select {
		case t.answered <- struct{}{}:
		default: // the last one is not heard of yet
		}
	}
}

// awaitAnswers waits for all answers that can still come.
func (t *test) awaitAnswers(ctx context.Context) {
	for {
		t.mu.Lock()
		done := t.open == 0
		t.mu.Unlock()
		if done {
			return
		}
		select {
		case <-t.answered:
		case <-ctx.Done():
			return
		}
	}
}

// again lets hosts try once more what did not work: a packet may get lost, and a
// busy host may answer late. A firewall says no twice.
func (t *test) again() {
	t.mu.Lock()
	t.first = map[Key]Check{}
	lines := make([]strings.Builder, len(t.agents))
	for id, tk := range t.tasks {
		c := t.matrix.Checks[tk.key]
		if a := t.agents[t.by[id]]; a.isReady() && (c.State.closed() || c.State == Stranger) {
			t.first[tk.key] = c
			delete(t.matrix.Checks, tk.key)
			t.open++
			lines[t.by[id]].WriteString(tk.line(id))
		}
	}
	t.mu.Unlock()
	for i, a := range t.agents {
		if lines[i].Len() > 0 {
			t.work.Go(func() {
				if _, err := io.WriteString(a.in, lines[i].String()); err != nil {
					t.abandon(i)
				}
			})
		}
	}
}

// end ends all scripts, first by the end of their input.
func (t *test) end(cancel func()) {
	for _, a := range t.agents {
		_ = a.in.Close() // a pipe in memory does not fail
	}
	timer := time.AfterFunc(2*time.Second, cancel)
	defer timer.Stop()
	for _, a := range t.agents {
		<-a.ended
	}
	t.work.Wait()
}

// result is what was seen. A host whose script ended in the middle was lost:
// that others were refused there says nothing.
func (t *test) result(ctx context.Context) Matrix {
	lost := map[string]bool{}
	for _, a := range t.agents {
		select {
		case <-a.ended:
			if a.isReady() && ctx.Err() == nil { // else we ended it
				lost[a.host.Name] = true
				t.matrix.Without[a.host.Name] = a.reason()
			}
		default:
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	m := Matrix{Checks: make(map[Key]Check, len(t.matrix.Checks)), Without: t.matrix.Without}
	for _, results := range []map[Key]Check{t.first, t.matrix.Checks} {
		for k, c := range results {
			if c.State != Untested && (!lost[k.To] || c.State == Open) {
				m.Checks[k] = c
			}
		}
	}
	return m
}
