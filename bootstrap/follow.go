package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

const (
	// tailLines is how much of a unit's log an error shows.
	tailLines = 20
	// permanentAfter is how often a line that k3s does not recover from has to
	// be printed before the wait is given up: once may be left over from the
	// process that the restart ended.
	permanentAfter = 2
)

// follower reads a unit's log while something waits for the unit. It keeps the
// tail for an error, and gives up early on what k3s itself never recovers from.
type follower struct {
	unit   string
	broken chan error // gets one error when waiting on is useless
	cancel context.CancelFunc
	done   chan struct{}
	say    engine.Reporter

	mu   sync.Mutex
	tail []string
	seen map[string]int // how often, by the failure's text
	last *k3sFailure
}

// follow begins to read a unit's log from since, in the host's own time.
func follow(ctx context.Context, c Conn, unit string, since time.Time, r engine.Reporter) *follower {
	ctx, cancel := context.WithCancel(ctx)
	f := &follower{unit: unit, broken: make(chan error, 1), cancel: cancel, done: make(chan struct{}), say: r, seen: map[string]int{}}
	go func() {
		defer close(f.done)
		// Best effort: without the log the wait still has its deadline.
		_, _ = c.Run(ctx, remote.Cmd{Root: true, Stdout: &lines{each: f.line}, Args: []string{
			"journalctl", "--follow", "--no-tail", "--output=cat", "--unit=" + unit, fmt.Sprintf("--since=@%d", since.Unix())}})
	}()
	return f
}

// stop ends the reading.
func (f *follower) stop() {
	f.cancel()
	<-f.done
}

// line takes one line of the log.
func (f *follower) line(line string) {
	f.say.Output(line)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tail = append(f.tail, line)
	if len(f.tail) > tailLines {
		f.tail = slices.Delete(f.tail, 0, len(f.tail)-tailLines)
	}
	known := diagnose(line)
	if known == nil {
		return
	}
	f.last = known
	f.seen[known.text]++
	if known.permanent && f.seen[known.text] == permanentAfter {
		select {
		case f.broken <- &UnitError{Unit: f.unit, Known: known}:
		default:
		}
	}
}

// explain turns the end of a wait into an error that names the cause, as far as
// the log shows one.
func (f *follower) explain(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := errors.AsType[*UnitError](err); ok {
		return &UnitError{Unit: f.unit, Known: known.Known, Tail: slices.Clone(f.tail)}
	}
	return &UnitError{Unit: f.unit, Known: f.last, Err: err, Tail: slices.Clone(f.tail)}
}

// UnitError says why a unit did not come up.
type UnitError struct {
	Unit  string
	Known *k3sFailure // nil when the log shows nothing known
	Err   error       // what ended the wait; nil if the log did
	Tail  []string
}

// Error names the cause first, then what ended the wait.
func (e *UnitError) Error() string {
	switch {
	case e.Known != nil && e.Err != nil:
		return fmt.Sprintf("%s: %s: %v", e.Unit, e.Known.cause, e.Err)
	case e.Known != nil:
		return fmt.Sprintf("%s: %s", e.Unit, e.Known.cause)
	default:
		return fmt.Sprintf("%s did not come up: %v", e.Unit, e.Err)
	}
}

// Unwrap gives what ended the wait and what the log showed.
func (e *UnitError) Unwrap() []error {
	var out []error
	if e.Err != nil {
		out = append(out, e.Err)
	}
	if e.Known != nil {
		out = append(out, e.Known)
	}
	return out
}

// Hint is the known cause's way out.
func (e *UnitError) Hint() string {
	if e.Known == nil {
		return ""
	}
	return e.Known.hint
}

// Output is the end of the unit's log.
func (e *UnitError) Output() string { return strings.Join(e.Tail, "\n") }
