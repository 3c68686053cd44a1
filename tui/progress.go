package tui

import (
	"time"
)

// progress is how far the present phase is. The share done counts every host
// alike: the part of its steps that have ended, whatever they came to.
type progress struct {
	share   float64       // 0 to 1
	left    time.Duration // see estimate
	known   bool
	missing string // why left is unknown
}

func (b *board) progress(now time.Time) progress {
	var p progress
	hosts := 0
	for _, l := range b.lanes {
		if !l.in {
			continue
		}
		hosts++
		if ended, of := l.ended(); of > 0 {
			p.share += float64(ended) / float64(of)
		}
	}
	if hosts > 0 {
		p.share /= float64(hosts)
	}
	p.left, p.missing = newEstimate(b, now).left()
	p.known = p.missing == "" && p.share < 1 && hosts > 0
	return p
}

// ended counts the steps of the present phase that are over, and all of them
// (0: not said yet).
func (l *lane) ended() (n, of int) {
	for _, st := range l.Steps[l.from:] {
		if st.Status.Final() {
			n++
		}
	}
	if len(l.Steps) == l.from {
		return 0, 0
	}
	return n, l.Of
}
