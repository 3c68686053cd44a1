package remote

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// execution is one run of one command.
type execution struct {
	c    *Conn
	cmd  Cmd
	mode wire.Mode
	// terminal says that sudo gets a terminal, way what was known of its wish
	// for one when the command was made.
	terminal bool
	way      int32
	stop     context.CancelCauseFunc // ends the run

	out, err       frame // what the session prints
	stdout, stderr sink  // what the command prints
	kept           [2]head

	begun chan struct{} // closed by the begin mark
	ask   chan struct{} // one for each prompt of sudo
	ended chan struct{} // closed when exit and exitErr are set

	exit    exit
	exitErr error
	group   atomic.Int64 // process group on the host, or minus a process; 0 until it is known
	failed  atomic.Pointer[error]

	shell, noSudo, asked, answered, wrongPassword atomic.Bool
}

func newExecution(c *Conn, cmd Cmd, line wire.Line, stop context.CancelCauseFunc) *execution {
	x := &execution{
		c: c, cmd: cmd, mode: line.Mode, terminal: line.Terminal, way: c.sudo.way.Load(), stop: stop,
		begun: make(chan struct{}), ask: make(chan struct{}, 8), ended: make(chan struct{}),
	}
	for i, s := range []*sink{&x.stdout, &x.stderr} {
		x.kept[i].max = maxCollect
		*s = sink{w: []io.Writer{cmd.Stdout, cmd.Stderr}[i], fail: x.writeFailed}
		s.tail.max = maxTail
		if s.w == nil {
			s.w = &x.kept[i]
		}
	}
	begin := []byte(wire.BeginMark + line.Nonce)
	x.out = frame{begin: begin, onBegin: x.onBegin, dst: &x.stdout,
		marks: []mark{{[]byte(wire.NoSudoMark + line.Nonce), func() { x.noSudo.Store(true) }}}}
	x.err = frame{begin: begin, onBegin: func(string) {}, dst: &x.stderr, marks: []mark{
		{[]byte(wire.ShellMark + line.Nonce), func() { x.shell.Store(true) }},
		{[]byte(wire.AskMark + line.Nonce), x.onAsk},
	}}
	x.out.noise.max, x.err.noise.max = maxNoise, maxNoise
	return x
}

// fail ends the run for a reason of ours, which counts more than how the
// command ends because of it.
func (x *execution) fail(err error) {
	x.failed.CompareAndSwap(nil, &err)
	x.stop(err)
}

// failure is the reason of fail, nil when there is none.
func (x *execution) failure() error {
	if err := x.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// onBegin reads "PID GROUP" behind the begin mark.
func (x *execution) onBegin(rest string) {
	numbers := strings.Fields(rest)
	if len(numbers) > 0 {
		group, _ := strconv.ParseInt(numbers[len(numbers)-1], 10, 32)
		if len(numbers) == 1 {
			group = -group // the process alone
		}
		x.group.Store(group)
	}
	x.learn()
	close(x.begun)
}

// onAsk never blocks: more prompts than fit are as wrong as two.
func (x *execution) onAsk() {
	x.asked.Store(true)
	select {
	case x.ask <- struct{}{}:
	default:
	}
}

func (x *execution) writeFailed(err error) {
	x.fail(fmt.Errorf("writing its output: %w", err))
}

// noise is what came before the begin mark. Only for use after the end.
func (x *execution) noise() string {
	text := append(x.out.noise.bytes(), x.err.noise.bytes()...)
	return strings.TrimSpace(string(append(text, x.err.held...)))
}

func (x *execution) result() Result {
	out, err := &x.kept[0], &x.kept[1]
	return Result{Stdout: out.data, Stderr: err.data, Dropped: out.dropped + err.dropped}
}

// mute keeps late output from the writers of a caller that has gone on.
func (x *execution) mute() {
	x.stdout.mute()
	x.stderr.mute()
}

// feed writes what goes to stdin: the sudo password if sudo asks, then the
// input of the command, then the end.
func (x *execution) feed(ctx context.Context, w io.WriteCloser) {
	if x.mode == wire.SudoAsk && !x.converse(ctx, w) || x.mode == wire.SudoNo && !x.mayFeed(ctx) {
		return
	}
	if x.cmd.Stdin != nil {
		in := &source{r: x.cmd.Stdin}
		if _, err := transfer(w, in); err != nil && in.err != nil {
			// An end of stdin would look like complete input.
			x.fail(fmt.Errorf("reading its input: %w", in.err))
			return
		}
	}
	_ = w.Close() // the command may have ended and closed it
}

// converse answers sudo and says whether the command has begun.
func (x *execution) converse(ctx context.Context, w io.WriteCloser) bool {
	wait := time.NewTimer(sudoWait)
	defer wait.Stop()
	for {
		select {
		case <-x.begun:
			return true
		case <-ctx.Done():
			return false
		case <-wait.C:
			x.fail(&SudoError{Host: x.c.name, Asked: x.answered.Load(),
				Reason: fmt.Sprintf("sudo neither asked with our prompt nor began within %v", sudoWait),
				hint:   "see on the host whether sudo wants a second factor or a terminal"})
			return false
		case <-x.ask:
		}
		if x.answered.Load() {
			// Closing makes sudo give up; its exit becomes the error.
			x.wrongPassword.Store(true)
			_ = w.Close()
			continue
		}
		secret, err := x.c.answer(ctx)
		if err != nil {
			x.fail(err)
			return false
		}
		x.answered.Store(true)
		if _, err := io.WriteString(w, secret+"\n"); err != nil {
			return false
		}
	}
}

// source remembers the error of a reader, to tell it from that of the
// writer in transfer.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// sink is where the output of the command goes.
type sink struct {
	mu   sync.Mutex
	w    io.Writer
	tail tail
	fail func(error)
	off  bool
}

// Write never fails, so that the session is drained to its end: a full
// window would keep the command from hearing that it should stop.
func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return len(p), nil
	}
	_, _ = s.tail.Write(p)
	if _, err := s.w.Write(p); err != nil {
		s.off = true
		s.fail(err)
	}
	return len(p), nil
}

func (s *sink) mute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = true
}
