package tui

import (
	"slices"
	"time"
)

// sampleCount is how many of the latest durations of a stage are kept.
const sampleCount = 63

// samples are the latest durations of one stage and their median. The zero value
// has none.
type samples struct {
	kept   []time.Duration
	next   int
	median time.Duration
	stale  bool // median must be found again
}

func (s *samples) add(d time.Duration) {
	s.stale = true
	if len(s.kept) < sampleCount {
		s.kept = append(s.kept, d)
		return
	}
	s.kept[s.next] = d
	s.next = (s.next + 1) % sampleCount
}

// typical gives the median; ok is false while nothing is known.
func (s *samples) typical() (d time.Duration, ok bool) {
	if len(s.kept) == 0 {
		return 0, false
	}
	if s.stale {
		sorted := slices.Clone(s.kept)
		slices.Sort(sorted)
		s.median, s.stale = sorted[len(sorted)/2], false
	}
	return s.median, true
}
