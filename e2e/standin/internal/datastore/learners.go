package datastore

import (
	"context"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
)

// ManageLearners promotes learners that have caught up and removes those that stall. Only the leader acts. It returns when
// ctx ends.
func (s *Store) ManageLearners(ctx context.Context) {
	progress := map[uint64]learner{}
	tick := time.NewTicker(PromoteEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			s.checkLearners(ctx, now, progress)
		}
	}
}

type learner struct {
	index uint64
	since time.Time
}

func (s *Store) checkLearners(ctx context.Context, now time.Time, progress map[uint64]learner) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if s.member.Server.Leader() != s.member.Server.MemberID() {
		return
	}
	list, err := s.Client.MemberList(ctx)
	if err != nil {
		s.Log.Errorf("Failed to get etcd members for learner management: %v", err)
		return
	}
	for _, m := range list.Members {
		if m.IsLearner {
			s.tend(ctx, now, m, progress)
		}
	}
}

func (s *Store) tend(ctx context.Context, now time.Time, m *etcdserverpb.Member, progress map[uint64]learner) {
	if _, err := s.Client.MemberPromote(ctx, m.ID); err == nil {
		s.Log.Infof("Promoted learner %s", m.Name)
		delete(progress, m.ID)
		return
	}
	seen, known := progress[m.ID]
	if !known {
		seen.since = now
	}
	for _, url := range m.ClientURLs {
		if status, err := s.Client.Status(ctx, url); err == nil && status.RaftAppliedIndex > seen.index {
			seen = learner{status.RaftAppliedIndex, now}
		}
	}
	progress[m.ID] = seen
	if stalled := now.Sub(seen.since); stalled > learnerMaxStall {
		if _, err := s.Client.MemberRemove(ctx, m.ID); err == nil {
			s.Log.Warnf("Removed learner %s from etcd cluster", m.Name)
		}
	}
}
