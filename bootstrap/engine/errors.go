package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrUnchanged is returned by a step, wrapped or not, that found nothing to do.
// It is a success: the step's gates open. An error that joins it with any other
// error is a failure.
var ErrUnchanged = errors.New("unchanged")

// Unchanged is ErrUnchanged with a reason, which becomes the message of the
// step.finished event: "k3s v1.36.0+k3s1 is there".
func Unchanged(format string, args ...any) error {
	return &unchangedError{fmt.Sprintf(format, args...)}
}

type unchangedError struct{ reason string }

func (e *unchangedError) Error() string { return e.reason }
func (e *unchangedError) Unwrap() error { return ErrUnchanged }

// isUnchanged is true only if every error of the tree comes down to
// ErrUnchanged, so that a real error joined to it is never lost.
func isUnchanged(err error) bool {
	if err == ErrUnchanged { //nolint:errorlint // unwrapping follows, branch by branch
		return true
	}
	switch u := err.(type) { //nolint:errorlint // this is the unwrapping
	case interface{ Unwrap() error }:
		return isUnchanged(u.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			if !isUnchanged(e) {
				return false
			}
		}
		return len(u.Unwrap()) > 0
	}
	return false
}

// Hinter is an error that knows what a person should do next.
type Hinter interface{ Hint() string }

// Outputter is an error that carries the output of a remote command.
type Outputter interface{ Output() string }

// StepError is the failure of one step of one host. It is the one place where
// the host's name is added to an error.
type StepError struct {
	Host, Step string
	Err        error
}

// Error gives "host: step: cause".
func (e *StepError) Error() string {
	return e.Host + ": " + e.Step + ": " + causeText(e.Host, e.Err)
}

// Unwrap gives the step's own error.
func (e *StepError) Unwrap() error { return e.Err }

// GateError is why a step is blocked: the gate it needs cannot open any more.
// Retrying makes no sense before the step named in it works.
type GateError struct {
	Gate string
	// Host and Step name the step that broke, which need not be the one that
	// would have opened the gate.
	Host, Step string
	Err        error
}

// Error names the gate and the step that broke. The cause's own text is left
// out, as it stands with that step.
func (e *GateError) Error() string {
	return fmt.Sprintf("gate %q stays shut: %s broke at step %q", e.Gate, e.Host, e.Step)
}

// Unwrap gives the error of the step that broke.
func (e *GateError) Unwrap() error { return e.Err }

// Hint is empty on purpose: the hint of the underlying error belongs to the
// host that broke, and must not be repeated for each host that waits for it.
func (e *GateError) Hint() string { return "" }

// timeoutError says that a step's own time limit ended it.
type timeoutError struct {
	limit time.Duration
	note  string // the step's last note
	err   error  // what the step returned
}

func (e *timeoutError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "timed out after %s", e.limit)
	if e.note != "" {
		b.WriteString(", still waiting for " + e.note)
	}
	if e.err != context.DeadlineExceeded { //nolint:errorlint // a wrapped one has more to say
		b.WriteString(": " + e.err.Error())
	}
	return b.String()
}

func (e *timeoutError) Unwrap() []error { return []error{context.DeadlineExceeded, e.err} }

// panicError is a panic, or a runtime.Goexit, in a step.
type panicError struct {
	value any
	stack string
}

func (e *panicError) Error() string  { return fmt.Sprintf("panic: %v", e.value) }
func (e *panicError) Output() string { return e.stack }

// Hint says that the fault is not the user's.
func (e *panicError) Hint() string {
	return "this is a bug in gpuboot, please report it with the output above"
}

func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}
