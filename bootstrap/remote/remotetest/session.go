package remotetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// process is one command line on the host.
type process struct {
	h      *Host
	ch     ssh.Channel
	text   string
	line   wire.Line
	bad    error // text is no line of package wire
	group  int
	cancel context.CancelFunc
}

// session serves one session channel.
func (h *Host) session(sc *ssh.ServerConn, nc ssh.NewChannel) {
	if !h.enter(sc) {
		_ = nc.Reject(ssh.ConnectionFailed, "open failed")
		return
	}
	defer h.leave(sc)
	ch, reqs, err := nc.Accept()
	if err != nil {
		return
	}
	h.count.add(func(c *Counters) { c.Sessions++ })
	var p *process
	var tty *terminal
	for req := range reqs {
		switch {
		case h.askTerminal(&tty, req):
		case tty != nil && (req.Type == "shell" || req.Type == "exec"):
			var msg struct{ Command string }
			_ = ssh.Unmarshal(req.Payload, &msg)
			_ = req.Reply(true, nil)
			t := tty
			h.work.Go(func() { h.show(h.t.Context(), ch, t, msg.Command) })
		case req.Type == "exec" && p == nil:
			var msg struct{ Command string }
			_ = ssh.Unmarshal(req.Payload, &msg)
			ctx, cancel := context.WithCancel(context.Background())
			p = &process{h: h, ch: ch, text: msg.Command, group: h.newGroup(cancel), cancel: cancel}
			p.line, p.bad = wire.Parse(msg.Command)
			_ = req.Reply(true, nil)
			h.work.Go(func() { p.run(ctx) })
		case req.Type == "signal" && p != nil:
			p.signal()
		case req.WantReply:
			_ = req.Reply(false, nil)
		}
	}
}

// signal reaches what runs as the login, and not what sudo started.
func (p *process) signal() {
	p.h.count.add(func(c *Counters) { c.Signals++ })
	if p.line.Mode != wire.SudoAsk && p.line.Mode != wire.SudoNo {
		p.cancel()
	}
}

// run is the life of a command line.
func (p *process) run(ctx context.Context) {
	defer p.h.endGroup(p.group)
	code := p.login(ctx)
	_ = p.ch.CloseWrite()
	if ctx.Err() != nil {
		_, _ = p.ch.SendRequest("exit-signal", false, ssh.Marshal(&struct {
			Signal      string
			Core        bool
			Error, Lang string
		}{Signal: "TERM"}))
	} else {
		_, _ = p.ch.SendRequest("exit-status", false, ssh.Marshal(&struct{ Code uint32 }{uint32(code)}))
	}
	_ = p.ch.Close()
}

// login is the login shell.
func (p *process) login(ctx context.Context) int {
	f := p.h.fault()
	if !wait(ctx, f.delay) {
		return 1
	}
	if f.nologin != "" {
		_, _ = io.WriteString(p.ch, f.nologin)
		return 1
	}
	_, _ = io.WriteString(p.ch, p.h.cfg.noise)
	_, _ = io.WriteString(p.ch.Stderr(), p.h.cfg.noise)
	if p.bad != nil {
		p.h.t.Errorf("remotetest: the command line %q: %v", p.text, p.bad)
		return 127
	}
	root := p.h.cfg.user == "root"
	if p.line.Mode == wire.SudoAsk || p.line.Mode == wire.SudoNo {
		if code := p.sudo(); code != 0 {
			return code
		}
		root = true
	}
	fmt.Fprintf(p.ch, "%s%s %d %d\n", wire.BeginMark, p.line.Nonce, p.group, p.group)
	fmt.Fprintf(p.ch.Stderr(), "%s%s\n", wire.BeginMark, p.line.Nonce)
	return p.command(ctx, root)
}

// wait is for faults that are slow; it is false when ctx ends first.
func wait(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// command runs what is behind the begin mark.
func (p *process) command(ctx context.Context, root bool) int {
	if code, ours := p.operate(ctx, root); ours {
		return code
	}
	args := p.line.Args
	p.h.count.add(func(c *Counters) { c.Commands++ })
	call := Call{Args: args, Root: root, Stdin: &stdin{ctx.Done(), p.ch}, Stdout: p.ch, Stderr: p.ch.Stderr(), Host: p.h}
	x := p.h.find(call)
	if x == nil {
		p.h.t.Errorf("remotetest: no handler for %q (root: %v)", args, root)
		fmt.Fprintf(p.ch.Stderr(), "remotetest: no handler for %q\n", args)
		return 127
	}
	return x.run(ctx, &call)
}

// stdin is the input of a command, which ends with it.
type stdin struct {
	killed <-chan struct{}
	r      io.Reader
}

func (s *stdin) Read(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(b)) // b is not ours after the return
	done := make(chan result, 1)
	go func() { // ends with the session at the latest
		n, err := s.r.Read(own)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		copy(b, own[:r.n])
		return r.n, r.err
	case <-s.killed:
		return 0, errKilled
	}
}

// errKilled is what a command meets that does not look at its context.
var errKilled = errors.New("killed")

// find notes a call and gives its handler, the newest first.
func (h *Host) find(c Call) *Handler {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, Call{Args: c.Args, Root: c.Root, Host: h})
	for _, x := range slices.Backward(h.handlers) {
		if x.match(c.Args) {
			x.calls++
			return x
		}
	}
	return nil
}
