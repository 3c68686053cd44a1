package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Terminal is a person who can be asked.
type Terminal interface {
	// Ask prints a question and reads one line.
	Ask(question string) (string, error)
	// AskSecret does so without an echo.
	AskSecret(question string) (string, error)
	io.Closer
}

type tty struct{ f *os.File }

// openTerminal opens the controlling terminal, so that a question works also
// where stdout and stderr go elsewhere.
func openTerminal() (Terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the terminal: %w", err)
	}
	return tty{f}, nil
}

func (t tty) Ask(question string) (string, error) {
	fmt.Fprint(t.f, question)
	line, err := bufio.NewReader(t.f).ReadString('\n')
	return strings.TrimSpace(line), err
}

func (t tty) AskSecret(question string) (string, error) {
	fmt.Fprint(t.f, question)
	defer fmt.Fprintln(t.f)
	secret, err := term.ReadPassword(int(t.f.Fd()))
	return string(secret), err
}

func (t tty) Close() error { return t.f.Close() }

// noTerminalError says that a question was needed and nobody is there.
type noTerminalError struct{ what, flag string }

func (e *noTerminalError) Error() string {
	return e.what + " is needed, and there is no terminal to ask"
}

// Hint names what gives it without a question.
func (e *noTerminalError) Hint() string { return e.flag }

// askSecret asks once; without a terminal it fails at once.
func (env *Env) askSecret(_ context.Context, q secretQuestion) (string, error) {
	if env.Terminal == nil {
		return "", &noTerminalError{q.what, q.flag}
	}
	t, err := env.Terminal()
	if err != nil {
		return "", &noTerminalError{q.what, q.flag}
	}
	defer t.Close()
	return t.AskSecret(q.text)
}
