// Package app is gpuboot's command line: flags, wiring, exit codes. It holds no
// logic of its own; each command builds a request and calls bootstrap.
//
// Results go to stdout, everything else to stderr. With --output json, stdout
// holds only JSON.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Env is the world a command runs in. Tests put their own here.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	// OutTerminal and ErrTerminal say that Out and Err are terminals.
	OutTerminal, ErrTerminal bool
	// Terminal opens the user's terminal for a question; nil when there is none.
	Terminal func() (Terminal, error)
	// Console is the terminal for an interactive shell; nil when stdin or stdout
	// is none.
	Console Console
	Getenv  func(string) string
	Now     func() time.Time
	// Args is the command line, for the retry hints of errors.
	Args []string
}

// interactive says that a person sits at a terminal that can draw.
func (env *Env) interactive() bool {
	return env.OutTerminal && env.Terminal != nil && env.Getenv("TERM") != "dumb"
}

// System is the real world.
func System() Env {
	env := Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Now: time.Now}
	env.OutTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	env.ErrTerminal = term.IsTerminal(int(os.Stderr.Fd()))
	if term.IsTerminal(int(os.Stdin.Fd())) {
		env.Terminal = openTerminal
		if env.OutTerminal {
			env.Console = newConsole()
		}
	}
	return env
}

// Run executes a command line and returns its exit code.
func Run(ctx context.Context, env Env, args []string) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	env.Args = args
	cmd := newRoot(&env)
	cmd.SetArgs(args)
	cmd.SetIn(env.In)
	cmd.SetOut(env.Out)
	cmd.SetErr(env.Err)
	err := cmd.ExecuteContext(ctx)
	if err != nil {
		printError(env.Err, err)
	}
	if err != nil && ctx.Err() != nil {
		return ExitInterrupted
	}
	return ExitCode(err)
}

// shown marks an error whose text a renderer has already given; only its exit
// code is still wanted.
type shown struct{ error }

func (s shown) Unwrap() error { return s.error }

// printError is the one place where an error reaches a person: what was being
// done and why it failed, then what to type next.
func printError(w io.Writer, err error) {
	if _, done := errors.AsType[shown](err); done {
		return
	}
	fmt.Fprintf(w, "error: %v\n", err)
	var hinter engine.Hinter
	if errors.As(err, &hinter) && hinter.Hint() != "" {
		fmt.Fprintf(w, "hint: %s\n", hinter.Hint())
	}
}
