package tui

import (
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// estimate says how long the present phase still takes. It is made of what this
// run has shown and of nothing else:
//
//   - a step takes as long as the median of those of its stage that ended well;
//   - a host needs the sum over its steps to come, less what the present one has
//     run already, and waits for a gate until the host that opens it is there;
//   - the phase takes as long as its slowest host, and not less than all work
//     divided by the number of steps that ran at once at most.
//
// While a stage to come has not ended anywhere, the answer is unknown, and says
// which stage that is. Phases to come are in none of it.
type estimate struct {
	b       *board
	now     time.Time
	courses [][]int // by the number of steps of a lane
	longest time.Duration
	missing string // why longest is unknown
}

// notShown is why nothing can be said while lanes have steps to come that no host
// has named.
const notShown = "no host has come to its last steps yet"

// maxChain bounds how far an estimate follows hosts that wait for each other.
const maxChain = 16

func newEstimate(b *board, now time.Time) *estimate {
	e := &estimate{b: b, now: now, courses: make([][]int, maxColumns+1)}
	if len(b.lengths) == 0 {
		e.missing = notShown
	}
	for of := range e.courses {
		if ids, ok := b.lengths[of]; ok {
			e.courses[of] = b.course(ids)
			e.learn(of)
		}
	}
	return e
}

// learn makes longest the time of the longest kind of lane.
func (e *estimate) learn(of int) {
	var sum time.Duration
	if len(e.courses[of]) < of {
		e.missing = notShown
	}
	for _, id := range e.courses[of] {
		d, why := e.b.typical(id)
		if why != "" {
			e.missing = why
		}
		sum += d
	}
	e.longest = max(e.longest, sum)
}

// course gives the stages of a kind of lane, as far as they can be told: those
// that such a lane has shown, and where it has not come to its end, the stages
// that follow on other hosts.
func (b *board) course(shown []int) []int {
	var ids []int
	for n, id := range shown {
		if id < 0 && n > 0 {
			if next := b.cols.place[ids[n-1]] + 1; next < len(b.cols.order) {
				id = b.cols.order[next]
			}
		}
		if id < 0 {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// typical gives what a stage takes, or why nobody knows.
func (b *board) typical(id int) (d time.Duration, missing string) {
	if id < len(b.times) {
		if d, ok := b.times[id].typical(); ok {
			return d, ""
		}
	}
	return 0, b.cols.list[id].name + " has not ended anywhere yet"
}

// left is the answer for the whole phase; missing says why there is none.
func (e *estimate) left() (left time.Duration, missing string) {
	var work, longest time.Duration
	for _, l := range e.b.lanes {
		if ended, of := l.ended(); !l.in || of > 0 && ended >= of {
			continue
		}
		own, why := e.remaining(l)
		if why != "" {
			return 0, why
		}
		work += own
		longest = max(longest, own+e.gateWait(l, maxChain))
	}
	return max(longest, work/time.Duration(max(e.b.peak, 1))), ""
}

// remaining is the running time that a lane still needs. A lane that has not
// begun is taken for the longest kind seen.
func (e *estimate) remaining(l *lane) (left time.Duration, missing string) {
	if len(l.Steps) == l.from {
		return e.longest, e.missing
	}
	if l.Of > maxColumns {
		return 0, notShown
	}
	ids := e.courses[l.Of]
	ended, _ := l.ended()
	for n := ended; n < l.Of; n++ {
		if n >= len(ids) {
			return left, notShown
		}
		d, why := e.b.typical(ids[n])
		if why != "" {
			return left, why
		}
		if last := l.Steps[len(l.Steps)-1]; n == ended && last.Status == engine.StatusRunning {
			d = max(0, d-e.now.Sub(last.Since))
		}
		left += d
	}
	return left, ""
}

// gateWait is how long a waiting lane waits for the step that opens its gate. A
// wait for a turn is part of the division by the width.
func (e *estimate) gateWait(l *lane, depth int) time.Duration {
	if len(l.Steps) == l.from || depth == 0 {
		return 0
	}
	st := l.Steps[len(l.Steps)-1]
	if st.Status != engine.StatusWaiting || st.By == nil {
		return 0
	}
	opener := e.b.byName[st.By.Host]
	if opener == nil || opener == l || opener.Of > maxColumns {
		return 0
	}
	left, _ := e.remaining(opener)
	ids := e.courses[opener.Of]
	for n := len(ids) - 1; n >= 0 && e.b.cols.list[ids[n]].name != st.By.Step; n-- {
		d, _ := e.b.typical(ids[n])
		left -= d
	}
	return max(left, 0) + e.gateWait(opener, depth-1)
}
