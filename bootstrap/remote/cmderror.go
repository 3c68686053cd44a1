package remote

import (
	"fmt"
	"strings"
)

// ExitError is a command that ran and ended with a code other than zero,
// or by a signal.
type ExitError struct {
	Host string
	Args []string // nil when the command was Secret
	Code int      // 128 + signal number where the host reports it that way; -1 with Signal
	// Signal is the name without SIG ("KILL"), empty for a plain exit.
	Signal string
	// Stdout and Stderr are the last 16 KiB of each, also of output that
	// was streamed; nil when the command was Secret.
	Stdout, Stderr []byte
}

// Error has the last line of stderr for reading; see Output for all.
func (e *ExitError) Error() string {
	name := "the command"
	if len(e.Args) > 0 {
		name = e.Args[0]
	}
	how := fmt.Sprintf("exited with status %d", e.Code)
	if e.Signal != "" {
		how = "was ended by signal " + e.Signal
	}
	line := lastLine(e.Output())
	if line == "" {
		return name + " " + how
	}
	return name + " " + how + ": " + line
}

// Output is the tail of stderr, or of stdout where stderr is empty. No
// code decides on this text.
func (e *ExitError) Output() string {
	if text := strings.TrimSpace(string(e.Stderr)); text != "" {
		return text
	}
	return strings.TrimSpace(string(e.Stdout))
}

// SudoError says why a command could not run as root. It is an ErrSudo.
type SudoError struct {
	Host string
	// Reason says what was seen, in words of ours.
	Reason string
	// Asked says that sudo asked for a password and got one.
	Asked bool
	// Evidence is what sudo and the shell printed.
	Evidence string
	hint     string
}

// Error has the reason and the last line of the evidence.
func (e *SudoError) Error() string {
	if line := lastLine(e.Evidence); line != "" {
		return fmt.Sprintf("%v: %s: %s", ErrSudo, e.Reason, line)
	}
	return fmt.Sprintf("%v: %s", ErrSudo, e.Reason)
}

// Hint says what to do next.
func (e *SudoError) Hint() string { return e.hint }

// Output is all that sudo and the shell printed.
func (e *SudoError) Output() string { return e.Evidence }

// Unwrap makes it an ErrSudo.
func (e *SudoError) Unwrap() error { return ErrSudo }

// ShellError is a login that ended before the command began. It is an
// ErrShell.
type ShellError struct {
	Host     string
	Code     int    // exit code of the login shell
	Evidence string // what it printed instead
}

// Error has the last line that the login printed.
func (e *ShellError) Error() string {
	if line := lastLine(e.Evidence); line != "" {
		return fmt.Sprintf("%v: exit status %d: %s", ErrShell, e.Code, line)
	}
	return fmt.Sprintf("%v: exit status %d", ErrShell, e.Code)
}

// Hint says what to do next.
func (e *ShellError) Hint() string {
	return "log in by hand and see what the account prints; another user may be the right one"
}

// Output is all that the login printed.
func (e *ShellError) Output() string { return e.Evidence }

// Unwrap makes it an ErrShell.
func (e *ShellError) Unwrap() error { return ErrShell }

// lastLine is the last line of text that holds more than blanks.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
