package engine

import (
	"context"
	"time"
)

// DefaultParallel is the width of a run whose Options name none.
const DefaultParallel = 64

// Step is one thing done to one host.
type Step struct {
	// Name is unique in its lane. It is the one word for this step in events,
	// logs and documentation.
	Name string
	// Needs are the gates that must be open before the step begins.
	Needs []string
	// Opens are the gates that open when the step ends done or unchanged.
	// Exactly one step of a run opens a gate.
	Opens []string
	// Timeout ends the step's context; zero means no limit of its own.
	Timeout time.Duration
	// ReadOnly says that the step only looks: ending well, it is unchanged
	// rather than done.
	ReadOnly bool
	// Run does the work. It must come back soon after ctx ends, must not keep
	// the Reporter beyond its return, and returns [Unchanged] (or an error that
	// wraps [ErrUnchanged]) when there was nothing to do.
	Run func(ctx context.Context, r Reporter) error
}

// Lane is the ordered list of steps of one host.
type Lane struct {
	// Name is the host's name, or "cluster" for steps that belong to none.
	// Unique in a run.
	Name string
	// Steps run one after the other. A lane without steps is unchanged.
	Steps []Step
	// Vital makes a failed or blocked lane stop the run: steps that run in other
	// lanes get a cancelled context, steps not begun are cancelled.
	Vital bool
	// VitalUntil names a gate after whose opening a vital lane no longer stops
	// the run; empty means vital to its end. It expresses "losing a server before
	// quorum stops the run".
	VitalUntil string
}

// Options of a run. The zero value works.
type Options struct {
	// Parallel is how many steps may run at once; zero or less means
	// [DefaultParallel]. A step that waits for a gate takes no slot. Steps that
	// are ready get slots in the order in which they became ready.
	Parallel int
	// Sink gets the events, one call at a time, none after Run has returned. It is
	// called synchronously, so that a log has "step.started" before the step
	// begins; a sink that may block for long belongs behind [Queue]. It must not
	// call back into the run that feeds it.
	Sink Sink
	// Now stamps events and measures elapsed times; nil means time.Now. Step
	// timeouts always run on the real clock.
	Now func() time.Time
	// Phase, if set, frames the run with phase.started and phase.finished events
	// and is repeated in none of the others.
	Phase string
	// Retry, if set, gives the command a person types to try a failed step of a
	// host again. It fills ErrorInfo.Retry.
	Retry func(host, step string) string
}

// Reporter is how a running step speaks. All methods are safe for concurrent
// use. What is said after the step has returned is dropped.
type Reporter interface {
	// Progress says how far the step is, in bytes ("B") or items. A total of zero
	// or less means unknown. At most ten a second per step reach the sink, but
	// always the first and the last.
	Progress(done, total int64, unit string)
	// Note says what the step does or waits for right now. When the step runs out
	// of time, the last note is named as what it still waited for, so write notes
	// as nouns: "node gpu1 to be Ready".
	Note(format string, args ...any)
	// Output passes on one line of a remote command's output.
	Output(line string)
	// Emit sends any other event, such as a finding or host.facts. Time, Host and
	// Step are filled in where empty.
	Emit(e Event)
}

// Silent is a Reporter that drops everything, for callers that run a step by
// itself.
type Silent struct{}

var _ Reporter = Silent{}

// Progress drops its arguments.
func (Silent) Progress(int64, int64, string) {}

// Note drops its arguments.
func (Silent) Note(string, ...any) {}

// Output drops its argument.
func (Silent) Output(string) {}

// Emit drops its argument.
func (Silent) Emit(Event) {}
