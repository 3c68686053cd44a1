// Package render shows a run to people and machines. It is fed by
// [engine.Event] only, so a replayed run log looks like the run itself. It
// decides nothing about the run and knows neither hosts nor inventory.
package render

// Rules of output, for whoever adds a line:
//
//   - Results go to stdout: findings, facts, the plan, the summary. Everything
//     else goes to stderr: progress, waiting, notes, warnings.
//   - In json mode stdout holds only JSON, one event a line.
//   - A line names the host first, then the step, by the name that the inventory
//     and the documentation use.
//   - Words are lower case, without a full stop. No secret ever gets here: the
//     redactor stands before every sink.
//   - Colour is only for terminals, never with NO_COLOR, and never the only sign:
//     the word itself says it.
//   - Text from hosts passes through clean: it must not steer the terminal.

import (
	"io"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Options of the plain renderer.
type Options struct {
	Out io.Writer // results
	Err io.Writer // everything else
	// OutColour and ErrColour allow colour; see [Colour].
	OutColour, ErrColour bool
	// Verbose shows each step's beginning, every note and all remote output.
	Verbose bool
	// Every is the shortest time between two progress or note lines of a step;
	// zero means 5 s.
	Every time.Duration
	// Quiet is how long a running step may say nothing before [Plain.Tick] says
	// for it that it still runs; zero means 30 s.
	Quiet time.Duration
}

const (
	defaultEvery = 5 * time.Second
	defaultQuiet = 30 * time.Second
)

// Colour says whether to write colour: only to a terminal that has it, and not
// if the user has set NO_COLOR to anything (https://no-color.org).
func Colour(terminal bool, getenv func(string) string) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// palette paints words. The zero value leaves them as they are.
type palette struct{ on bool }

// status paints a word in the colour of a status or of a finding's level.
func (p palette) status(word, s string) string {
	code := ""
	switch s {
	case string(engine.StatusDone):
		code = "32" // green
	case string(engine.StatusFailed), "block", "error":
		code = "31" // red
	case string(engine.StatusBlocked), string(engine.StatusCancelled), string(engine.StatusWaiting), "warn":
		code = "33" // yellow
	case string(engine.StatusUnchanged), string(engine.StatusSkipped), "info":
		code = "2" // faint
	}
	if !p.on || code == "" {
		return word
	}
	return "\x1b[" + code + "m" + word + "\x1b[0m"
}
