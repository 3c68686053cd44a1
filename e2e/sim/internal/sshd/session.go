package sshd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// session serves one session channel.
func (s *Server) session(nc ssh.NewChannel, slots chan struct{}) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	default:
		_ = nc.Reject(ssh.ConnectionFailed, "open failed")
		return
	}
	ch, requests, err := nc.Accept()
	if err != nil {
		return
	}
	var stop func()
	for r := range requests {
		switch {
		case r.Type == "exec" && stop == nil:
			var msg struct{ Command string }
			_ = ssh.Unmarshal(r.Payload, &msg) // an empty command fails by itself
			_ = r.Reply(true, nil)
			stop = s.start(ch, msg.Command)
		case r.Type == "shell" && stop == nil:
			_ = r.Reply(true, nil)
			stop = s.start(ch, "motd")
		case r.Type == "signal" && stop != nil:
			stop()
		default:
			_ = r.Reply(r.Type == "env" || r.Type == "pty-req", nil)
		}
	}
}

// process is one command line that runs.
type process struct {
	s    *Server
	ch   ssh.Channel
	pid  int
	line remotetest.Line
}

// start runs a command line beside the session and returns what ends it.
func (s *Server) start(ch ssh.Channel, text string) func() {
	s.count.Execs.Add(1)
	ctx, kill := context.WithCancel(context.Background())
	p := &process{s: s, ch: ch, pid: s.enter(kill)}
	s.work.Go(func() {
		code := p.run(ctx, text)
		killed := ctx.Err() != nil
		s.leave(p.pid)
		kill()
		p.exit(code, killed)
	})
	return kill
}

func (s *Server) enter(kill func()) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pid++
	s.groups[s.pid] = kill
	return s.pid
}

func (s *Server) leave(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.groups, pid)
}

// kill ends a process group.
func (s *Server) kill(group int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kill := s.groups[group]; kill != nil {
		kill()
	}
}

func (p *process) exit(code int, killed bool) {
	_ = p.ch.CloseWrite()
	if killed {
		_, _ = p.ch.SendRequest("exit-signal", false, ssh.Marshal(&struct {
			Signal      string
			Core        bool
			Error, Lang string
		}{Signal: "TERM"}))
	} else {
		_, _ = p.ch.SendRequest("exit-status", false, ssh.Marshal(&struct{ Code uint32 }{uint32(code)}))
	}
	_ = p.ch.Close() // the link may be gone
}

// run is a command line from its text to its exit code.
func (p *process) run(ctx context.Context, text string) int {
	line, err := remotetest.ParseLine(text)
	if err != nil { // somebody's own ssh
		return p.command(ctx, []string{"sh", "-c", text}, p.s.cfg.User == "root")
	}
	p.line = line
	root := p.s.cfg.User == "root"
	if line.Mode == remotetest.SudoAsk || line.Mode == remotetest.SudoNo {
		_, _ = io.WriteString(p.ch.Stderr(), remotetest.SudoBegins(line))
		root = true
	}
	out, stderr := remotetest.Begins(line, p.pid)
	_, _ = io.WriteString(p.ch, out)
	_, _ = io.WriteString(p.ch.Stderr(), stderr)
	if op, ok := remotetest.OperationOf(line); ok {
		return p.operate(ctx, op, root)
	}
	return p.command(ctx, line.Args, root)
}

func (p *process) command(ctx context.Context, args []string, root bool) int {
	p.s.count.Commands.Add(1)
	op := Op{Kind: "command", What: words(args)}
	p.s.cfg.Watch(op)
	code := p.s.cfg.Machine.Run(ctx, &Command{Args: args, Root: root, Stdin: p.ch, Stdout: p.ch, Stderr: p.ch.Stderr()})
	op.Done = true
	p.s.cfg.Watch(op)
	return code
}

// words are the short words of a command: a script is left out.
func words(args []string) string {
	var short []string
	for _, a := range args {
		if len(a) < 80 && !strings.Contains(a, "\n") {
			short = append(short, a)
		}
	}
	return strings.Join(short, " ")
}

func (p *process) complain(format string, args ...any) int {
	fmt.Fprintf(p.ch.Stderr(), format+"\n", args...)
	return 1
}
