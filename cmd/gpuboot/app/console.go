package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// Console is the user's terminal for an interactive shell.
type Console interface {
	io.ReadWriter
	// Raw passes on every key, also those that make signals, until restore.
	Raw() (restore func() error, err error)
	Size() (remote.Size, error)
	// Resized gives each new size until ctx ends.
	Resized(ctx context.Context) <-chan remote.Size
}

// stdConsole is stdin and stdout where both are terminals.
type stdConsole struct {
	io.Reader
	io.Writer
}

func newConsole() Console { return stdConsole{os.Stdin, os.Stdout} }

func (stdConsole) Raw() (func() error, error) {
	fd := int(os.Stdin.Fd())
	old, err := term.MakeRaw(fd)
	if err != nil {
		return nil, fmt.Errorf("taking over the terminal: %w", err)
	}
	return func() error { return term.Restore(fd, old) }, nil
}

func (stdConsole) Size() (remote.Size, error) {
	w, h, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return remote.Size{}, fmt.Errorf("asking the terminal for its size: %w", err)
	}
	return remote.Size{Width: w, Height: h}, nil
}

func (c stdConsole) Resized(ctx context.Context) <-chan remote.Size {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGWINCH)
	sizes := make(chan remote.Size)
	go func() {
		defer signal.Stop(signals)
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
			}
			size, err := c.Size()
			if err != nil {
				continue // the next change may tell more
			}
			select {
			case sizes <- size:
			case <-ctx.Done():
				return
			}
		}
	}()
	return sizes
}
