package bootstrap

import (
	"context"
	"fmt"
	"sync"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// board holds the latest list of nodes for all lanes, fed by one watch.
type board struct {
	mu      sync.Mutex
	nodes   map[string]Node
	changed chan struct{} // closed and replaced at each change
	lost    error         // why the watch is blind right now
	done    chan struct{} // closed when the watch has ended; nil before it began
}

func newBoard() *board { return &board{nodes: map[string]Node{}, changed: make(chan struct{})} }

// follow begins to watch; it ends with ctx.
func (b *board) follow(ctx context.Context, k Kube) {
	b.done = make(chan struct{})
	go func() {
		defer close(b.done)
		err := k.WatchNodes(ctx, func(nodes []Node) bool { b.set(nodes); return true }, b.blind)
		if ctx.Err() == nil {
			b.blind(err)
		}
	}()
}

// wait returns when the watch has ended.
func (b *board) wait() {
	if b.done != nil {
		<-b.done
	}
}

func (b *board) set(nodes []Node) {
	b.update(func() {
		b.nodes = make(map[string]Node, len(nodes))
		for _, n := range nodes {
			b.nodes[n.Name] = n
		}
		b.lost = nil
	})
}

func (b *board) blind(err error) { b.update(func() { b.lost = err }) }

func (b *board) update(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	close(b.changed)
	b.changed = make(chan struct{})
}

// node gives the latest state of a node.
func (b *board) node(name string) (n Node, ok bool, changed <-chan struct{}, lost error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok = b.nodes[name]
	return n, ok, b.changed, b.lost
}

// list gives all nodes.
func (b *board) list() []Node {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]Node, 0, len(b.nodes))
	for _, n := range b.nodes {
		out = append(out, n)
	}
	return out
}

// await waits until met accepts the node. met's second result names what it
// still waits for. broken ends the wait early with its cause.
func (b *board) await(ctx context.Context, name string, r engine.Reporter, broken <-chan error, met func(n Node, there bool) (bool, string)) error {
	said := ""
	for {
		n, there, changed, lost := b.node(name)
		ok, waiting := met(n, there)
		if ok {
			return nil
		}
		if lost != nil {
			waiting += fmt.Sprintf(" (no news from the API: %v)", lost)
		}
		if waiting != said {
			r.Note("%s", waiting)
			said = waiting
		}
		select {
		case <-changed:
		case err := <-broken:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
