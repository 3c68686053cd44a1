package remote

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

const (
	// killWait bounds the command that ends another one.
	killWait = 6 * time.Second
	// dropWait bounds the wait for a session that was closed.
	dropWait = 2 * time.Second
)

// Run runs a command and waits for its end. It returns what was collected
// also with an error.
//
// The error is an ExitError when the command ran and failed, a SudoError
// or ShellError when it did not begin, an ErrClosed when the link broke
// (the command may have run, and may still run), or that of ctx.
//
// When ctx ends, the process group of the command is ended on the host,
// with SIGTERM and two seconds later with SIGKILL, over a session of its
// own. Where the link is dead that is not possible and Run returns after
// some seconds all the same.
func (c *Conn) Run(ctx context.Context, cmd Cmd) (Result, error) {
	if err := cmd.check(); err != nil {
		return Result{}, err
	}
	if c.mode(cmd) == wire.SudoAsk {
		if err := c.refusal(); err != nil {
			return Result{}, err
		}
	}
	res, x, err := c.run(ctx, cmd, c.line(cmd))
	if x != nil && x.wantsTerminal(err) {
		return c.runOnTerminal(ctx, cmd, res, err)
	}
	return res, err
}

// run is one try; the execution is nil when it did not come to one.
func (c *Conn) run(ctx context.Context, cmd Cmd, line wire.Line) (Result, *execution, error) {
	text := line.String()
	if len(text) > maxLine {
		return Result{}, nil, fmt.Errorf("running %s: the command line is longer than %d bytes; send the data by stdin", cmd.name(), maxLine)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := newExecution(c, cmd, line, cancel)
	p, err := x.start(ctx, text)
	if err != nil {
		x.mute()
		return Result{}, nil, cmd.failed(err)
	}
	defer c.slots.give()
	res, err := x.finish(ctx, p)
	return res, x, err
}

// refusedTries is how often a refused session is asked for again when no
// other session of ours is left to wait for. The server may still be busy
// with the end of one.
const refusedTries = 5

// start takes a slot and starts the line. When the server allows fewer
// sessions than we thought, it waits for one of ours to end.
func (x *execution) start(ctx context.Context, text string) (process, error) {
	x.c.stats.commands.Add(1)
	for tries := 0; ; {
		if err := x.c.slots.take(ctx); err != nil {
			return nil, err
		}
		p, err := x.c.link.start(ctx, text, &x.out, &x.err)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, errNoSession) {
			x.c.slots.give()
			return nil, err
		}
		if x.c.slots.shrink() {
			continue
		}
		if tries++; tries > refusedTries {
			return nil, err
		}
		if err := wait(ctx, 10*time.Millisecond<<tries); err != nil {
			return nil, err
		}
	}
}

// finish sees the process to its end.
func (x *execution) finish(ctx context.Context, p process) (Result, error) {
	x.follow(ctx, p)
	var err error
	select {
	case <-x.ended:
		if err = x.failure(); err == nil {
			return x.result(), x.outcome()
		}
	case <-ctx.Done():
		err = context.Cause(ctx)
		if !x.end(ctx, p) {
			return Result{}, x.cmd.failed(err)
		}
	}
	return x.result(), x.cmd.failed(err)
}

// follow feeds the process and waits for it, beside the caller.
func (x *execution) follow(ctx context.Context, p process) {
	go x.feed(ctx, p.stdin())
	go func() {
		x.exit, x.exitErr = p.wait()
		close(x.ended)
	}()
}

// end ends the process on the host and says whether its streams are done.
func (x *execution) end(ctx context.Context, p process) bool {
	p.signal()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killWait)
	defer cancel()
	x.awaitBegin(p)
	if group := x.group.Load(); (group > 1 || group < -1) && x.c.Err() == nil {
		x.c.kill(ctx, int(group), x.cmd.Root)
	}
	p.close()
	wait := time.NewTimer(dropWait)
	defer wait.Stop()
	select {
	case <-x.ended:
		return true
	case <-wait.C:
		x.mute()
		return false
	}
}

// awaitBegin gives a command that was just started the time to tell its
// process group, without which it could not be ended. When sudo waits for
// a password instead, an end of its input makes it give up.
func (x *execution) awaitBegin(p process) {
	if x.asked.Load() && !x.answered.Load() {
		_ = p.stdin().Close()
	}
	wait := time.NewTimer(dropWait)
	defer wait.Stop()
	for {
		select {
		case <-x.ask:
			_ = p.stdin().Close()
			continue
		case <-x.begun:
		case <-x.ended:
		case <-wait.C:
		}
		return
	}
}

// kill ends a process group. It takes no slot, as it must not wait for the
// commands that it ends. Its own failure changes nothing for the caller.
func (c *Conn) kill(ctx context.Context, group int, root bool) {
	cmd := Cmd{Args: wire.KillArgs(group), Root: root}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	line := c.line(cmd)
	x := newExecution(c, cmd, line, cancel)
	p, err := c.link.start(ctx, line.String(), &x.out, &x.err)
	if err != nil {
		return
	}
	defer p.close()
	x.follow(ctx, p)
	select {
	case <-x.ended:
	case <-ctx.Done():
	}
}

// outcome turns the end of the process into the error of Run.
func (x *execution) outcome() error {
	switch {
	case x.exitErr != nil:
		return x.cmd.failed(x.c.lost(x.exitErr))
	case !x.out.open && (x.mode == wire.SudoAsk || x.mode == wire.SudoNo) && x.shell.Load():
		return x.cmd.failed(x.denied(x.exit.code))
	case !x.out.open:
		return x.cmd.failed(&ShellError{Host: x.c.name, Code: x.exit.code, Evidence: x.noise()})
	case x.exit.code == 0 && x.exit.sig == "":
		return nil
	}
	e := &ExitError{Host: x.c.name, Code: x.exit.code, Signal: x.exit.sig}
	if x.cmd.Secret {
		return e
	}
	e.Stderr = x.stderr.tail.bytes()
	if !x.cmd.internal { // the output of ReadFile may be a secret
		e.Args, e.Stdout = x.cmd.Args, x.stdout.tail.bytes()
	}
	return e
}

// lost makes an ErrClosed that says why, if the link knows it.
func (c *Conn) lost(err error) error {
	if cause := c.link.cause(); cause != nil {
		return cause
	}
	if errors.Is(err, ErrClosed) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}

// newNonce makes a mark unique. It is no secret: it only has to differ
// from whatever else a host prints.
func newNonce() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return hex.EncodeToString(b[:])
}
