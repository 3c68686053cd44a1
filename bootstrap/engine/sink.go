package engine

import "sync"

// Sink takes events. A nil Sink is a working no-op when called through Emit.
type Sink func(Event)

// Emit calls the sink unless it is nil.
func (s Sink) Emit(e Event) {
	if s != nil {
		s(e)
	}
}

// Tee gives every event to each of the sinks in turn; nil ones are left out.
func Tee(sinks ...Sink) Sink {
	return func(e Event) {
		for _, s := range sinks {
			s.Emit(e)
		}
	}
}

// Serial lets several goroutines share a sink: calls reach s one at a time.
func Serial(s Sink) Sink {
	var mu sync.Mutex
	return func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		s.Emit(e)
	}
}

// Queue puts an unbounded queue before a sink that may block for long, such as
// a terminal whose user has paused it: callers never wait for s. The order is
// kept. The returned flush hands on what is queued, waits until s has taken it
// and ends the queue's goroutine; events sent after flush are dropped.
func Queue(s Sink) (sink Sink, flush func()) {
	q := &queue{wake: make(chan struct{}, 1), end: make(chan struct{})}
	go q.pump(s)
	return q.add, q.flush
}

type queue struct {
	mu     sync.Mutex
	events []Event
	closed bool
	wake   chan struct{} // one token: there may be events, or the queue was closed
	end    chan struct{} // closed when pump returns
}

func (q *queue) add(e Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.events = append(q.events, e)
	q.signal()
}

func (q *queue) flush() {
	q.mu.Lock()
	q.closed = true
	q.signal()
	q.mu.Unlock()
	<-q.end
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) pump(s Sink) {
	defer close(q.end)
	for range q.wake {
		q.mu.Lock()
		batch, closed := q.events, q.closed
		q.events = nil
		q.mu.Unlock()
		for _, e := range batch {
			s.Emit(e)
		}
		if closed {
			return
		}
	}
}
