package remote

import (
	"context"
	"sync"
)

// maxSessions is how many sessions one connection opens at a time. sshd
// allows ten unless told otherwise (MaxSessions); two are left for the
// commands that end others.
const maxSessions = 8

// slots limits the sessions of a connection and learns a lower limit when
// the server refuses one.
type slots struct {
	mu    sync.Mutex
	limit int
	used  int
	freed chan struct{} // closed and replaced when a slot is given back
}

func newSlots(limit int) *slots {
	return &slots{limit: limit, freed: make(chan struct{})}
}

// take waits for a slot.
func (s *slots) take(ctx context.Context) error {
	for {
		s.mu.Lock()
		if s.used < s.limit {
			s.used++
			s.mu.Unlock()
			return nil
		}
		freed := s.freed
		s.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// give returns a slot.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	close(s.freed)
	s.freed = make(chan struct{})
}

// shrink gives back a slot whose session the server refused, and lowers
// the limit to what it does allow. It is false when no other session of
// ours is there to wait for: then the refusal has another reason.
func (s *slots) shrink() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	if s.used == 0 {
		return false
	}
	s.limit = s.used
	return true
}
