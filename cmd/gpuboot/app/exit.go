package app

import (
	"errors"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/inventory"
)

// Exit codes, the same for every command.
const (
	ExitDone        = 0
	ExitFailed      = 1   // a step failed
	ExitUsage       = 2   // bad usage or inventory
	ExitUnreachable = 3   // a host is unreachable or refuses us
	ExitUnproven    = 4   // the cluster is up but verification says no
	ExitChanges     = 5   // plan --detailed-exitcode found changes
	ExitRefused     = 6   // a blocking finding or an incompatible choice; nothing was written
	ExitInterrupted = 130 // interrupted by the user
)

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// interruptedError says that a person stopped the run.
type interruptedError struct{ error }

func (e interruptedError) Unwrap() error { return e.error }

// changesError says that a plan has changes.
type changesError struct{}

func (changesError) Error() string { return "the plan has changes" }

// ExitCode maps an error's class to the exit code. Where several hosts failed
// in different ways, what needs a person first wins: bad input, refusal, failed steps, then unreachable hosts.
func ExitCode(err error) int {
	var (
		usage    usageError
		problems inventory.Problems
		blocked  bootstrap.Blocked
		refusals bootstrap.Refusals
		declined *declinedError
		changes  changesError
		step     *engine.StepError
		missing  *bootstrap.MissingError
		connect  *remote.ConnectError
		own      *exitCodeError
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, new(interruptedError)):
		return ExitInterrupted
	case errors.As(err, &usage), errors.As(err, &problems):
		return ExitUsage
	case errors.As(err, &blocked), errors.As(err, &refusals), errors.As(err, &declined):
		return ExitRefused
	case errors.As(err, new(unprovenError)):
		return ExitUnproven
	case errors.As(err, &changes):
		return ExitChanges
	case errors.As(err, &step):
		return ExitFailed
	case errors.As(err, &missing), errors.As(err, &connect):
		return ExitUnreachable
	default:
		return ExitFailed
	}
}
