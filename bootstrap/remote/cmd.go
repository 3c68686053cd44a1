package remote

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Cmd is one command.
type Cmd struct {
	// Args is the argv; Args[0] is looked up in the PATH of the host. Use
	// {"sh", "-c", script} for a script.
	Args []string
	// Stdin is read until its end and then closed on the host. A read
	// error other than io.EOF ends the command. Nil is an empty stdin.
	//
	// Run may return while a Read of Stdin is still blocked, as with
	// os/exec: the command ended without wanting more.
	Stdin io.Reader
	// Stdout and Stderr get the output as it comes. Nil collects it in
	// Result. A write error ends the command.
	Stdout, Stderr io.Writer
	// Root runs the command as root, see the package documentation.
	Root bool
	// Secret keeps Args and output out of every error.
	Secret bool

	internal bool // a script of ours, which no error names
}

// maxLine bounds the command line. Linux takes no single argument above
// 128 KiB, and the login shell gets the whole line as one.
const maxLine = 120 << 10

// check finds what no host could run.
func (c Cmd) check() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return errors.New("running a command: no command given")
	}
	for _, a := range c.Args {
		if strings.ContainsRune(a, 0) {
			return fmt.Errorf("running %s: an argument holds a NUL byte", c.name())
		}
	}
	return nil
}

// name is what errors call the command.
func (c Cmd) name() string {
	if c.Secret {
		return "a command"
	}
	return c.Args[0]
}

// failed says what was being done when err came.
func (c Cmd) failed(err error) error {
	if c.internal {
		return err
	}
	return fmt.Errorf("running %s: %w", c.name(), err)
}

// Result is the output of a command, as far as it was not streamed.
type Result struct {
	Stdout, Stderr []byte
	// Dropped counts bytes of both that were not kept, because a result
	// holds at most 8 MiB of each. Zero means complete.
	Dropped int64
}
