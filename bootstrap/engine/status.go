package engine

// Status is what a step, or a lane as a whole, has come to.
type Status string

const (
	StatusRunning   Status = "running"   // the step's Run has been called
	StatusWaiting   Status = "waiting"   // the step waits for a gate and takes no slot
	StatusDone      Status = "done"      // finished and changed something (or may have)
	StatusUnchanged Status = "unchanged" // finished, there was nothing to do
	StatusFailed    Status = "failed"    // returned an error, ran out of time or panicked
	StatusBlocked   Status = "blocked"   // a gate it needs can no longer open
	StatusCancelled Status = "cancelled" // the run was stopped before the step ended
	StatusSkipped   Status = "skipped"   // not begun: an earlier step of its lane failed or was blocked
)

// Final reports whether nothing more happens to a step of this status.
func (s Status) Final() bool {
	switch s {
	case StatusDone, StatusUnchanged, StatusFailed, StatusBlocked, StatusCancelled, StatusSkipped:
		return true
	}
	return false
}

// OK reports whether the status is a success: done or unchanged.
func (s Status) OK() bool { return s == StatusDone || s == StatusUnchanged }
