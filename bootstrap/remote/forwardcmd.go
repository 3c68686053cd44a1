package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// maxCommandForwards bounds the connections that are carried by commands,
// as each keeps a session for as long as it lives.
const maxCommandForwards = 4

// dialByCommand lets a command on the host connect.
func (c *Conn) dialByCommand(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if err := c.carried.take(ctx); err != nil {
		return nil, err
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	// The command lives as long as the connection, not as the dialling.
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() {
		_, err := c.Run(runCtx, Cmd{Args: wire.ForwardArgs(host, port), Stdin: inR, Stdout: outW, internal: true})
		_ = outW.CloseWithError(io.EOF)
		_ = inR.CloseWithError(io.ErrClosedPipe)
		c.carried.give()
		ended <- err
	}()
	stream := &commandStream{PipeReader: outR, in: inW, cancel: cancel}
	stop := context.AfterFunc(ctx, func() { _ = stream.Close() })
	var mark [1]byte
	_, err = io.ReadFull(outR, mark[:])
	if !stop() {
		return nil, context.Cause(ctx)
	}
	if err != nil || mark[0] != wire.Connected {
		_ = stream.Close()
		return nil, carryError(<-ended)
	}
	return newPipeConn(stream, network, addr, c.name), nil
}

// carryError says why the command did not connect.
func carryError(err error) error {
	var e *ExitError
	switch {
	case err == nil:
		return &ForwardingError{errors.New("the command that should connect did not")}
	case !errors.As(err, &e):
		return err
	case e.Code == wire.ExitNoPeer:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	case e.Code == wire.ExitNoTool:
		return &ForwardingError{errors.New("forwarding is prohibited, and the host has neither python3 nor bash")}
	}
	return &ForwardingError{err}
}

// commandStream is stdin and stdout of a command as one stream.
type commandStream struct {
	*io.PipeReader
	in     *io.PipeWriter
	cancel context.CancelFunc
}

func (s *commandStream) Write(p []byte) (int, error) { return s.in.Write(p) }

// Close ends the command.
func (s *commandStream) Close() error {
	s.cancel()
	_ = s.in.Close() // a pipe in memory does not fail
	return s.PipeReader.Close()
}
