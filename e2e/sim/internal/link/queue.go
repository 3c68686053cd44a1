package link

import (
	"math/rand/v2"
	"sync"
	"time"
)

// piece is bytes on the way, and when they arrive.
type piece struct {
	data []byte
	due  time.Time
}

// queue is one direction of a line.
type queue struct {
	shape Shape
	dice  *rand.Rand

	mu     sync.Mutex
	cond   *sync.Cond
	pieces []piece
	size   int
	rest   []byte    // of a piece that was read in part
	free   time.Time // when the line can take the next byte
	last   time.Time // when the last piece arrives: nothing overtakes it
	err    error     // after the last piece
}

func newQueue(s Shape, dice *rand.Rand) *queue {
	q := &queue{shape: s, dice: dice}
	q.cond = sync.NewCond(&q.mu)
	return q
}

// put sends a piece; it waits while the line is full, and is false once it has
// ended.
func (q *queue) put(data []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.size >= window && q.err == nil {
		q.cond.Wait()
	}
	if q.err != nil || len(data) == 0 {
		return q.err == nil
	}
	q.pieces = append(q.pieces, piece{data, q.due(len(data))})
	q.size += len(data)
	q.cond.Broadcast()
	return true
}

// due is when a piece of n bytes that leaves now arrives.
func (q *queue) due(n int) time.Time {
	now := time.Now()
	if now.Before(q.free) {
		now = q.free
	}
	if q.shape.Bandwidth > 0 {
		now = now.Add(time.Duration(int64(n) * int64(time.Second) / q.shape.Bandwidth))
		q.free = now
	}
	at := now.Add(q.shape.Latency / 2)
	if q.shape.Jitter > 0 {
		at = at.Add(time.Duration(q.dice.Int64N(int64(q.shape.Jitter))))
	}
	if at.Before(q.last) {
		at = q.last
	}
	q.last = at
	return at
}

// take gives the next piece when it has arrived.
func (q *queue) take() ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.pieces) == 0 {
		if q.err != nil {
			return nil, q.err
		}
		q.cond.Wait()
	}
	for wait := time.Until(q.pieces[0].due); wait > 0; wait = time.Until(q.pieces[0].due) {
		timer := time.AfterFunc(wait, q.wake)
		q.cond.Wait()
		timer.Stop()
		if len(q.pieces) == 0 { // cut
			return nil, q.err
		}
	}
	p := q.pieces[0]
	q.pieces = q.pieces[1:]
	q.size -= len(p.data)
	q.cond.Broadcast()
	return p.data, nil
}

// wake holds the lock for a moment, so that it cannot come between the look at
// the clock and the wait.
func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cond.Broadcast()
}

// read is take for a reader with a buffer of its own.
func (q *queue) read(p []byte) (int, error) {
	if len(q.rest) == 0 {
		data, err := q.take()
		if err != nil {
			return 0, err
		}
		q.rest = data
	}
	n := copy(p, q.rest)
	q.rest = q.rest[n:]
	return n, nil
}

// end lets what is on the way arrive, and then gives err.
func (q *queue) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.cond.Broadcast()
}

// cut drops what is on the way.
func (q *queue) cut() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pieces, q.size, q.err = nil, 0, errCut
	q.cond.Broadcast()
}
