package remote

import (
	"context"
	"errors"
	"io"
	"net"
)

// transport is what a Conn runs over: SSH, or this machine.
type transport interface {
	// start runs a command line in the login shell. Both writers get all
	// output before wait returns.
	start(ctx context.Context, line string, stdout, stderr io.Writer) (process, error)
	dial(ctx context.Context, network, addr string) (net.Conn, error)
	// cause is why the link is gone, nil while it is not known to be.
	cause() error
	close() error
}

// process is a started command line.
type process interface {
	stdin() io.WriteCloser
	// wait returns how it ended, or an error when that is not known.
	wait() (exit, error)
	// signal asks the process to end; it may go unheard.
	signal()
	// close drops the process: its streams end, wait returns.
	close()
}

// exit is how a process ended.
type exit struct {
	code int
	sig  string
}

// errNoSession: the server refuses another session, as it does above
// MaxSessions.
var errNoSession = errors.New("the server refuses another session")

// errNoStatus: the session ended and said nothing about the process.
var errNoStatus = errors.New("the session ended without an exit status")
