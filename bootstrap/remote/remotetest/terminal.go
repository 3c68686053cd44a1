package remotetest

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/crypto/ssh"
)

// Terminal is a terminal that a client asked for.
type Terminal struct {
	// Line is the command, "" for the login shell.
	Line          string
	Term          string
	Width, Height int
	// Resized gets each new size; at most 16 wait in it.
	Resized <-chan [2]int
	// Conn is what is typed, and what the terminal shows.
	Conn io.ReadWriter
}

// OnShell answers sessions with a terminal: do is the shell, its result the
// exit code. Without it the host gives nobody a terminal.
func (h *Host) OnShell(do func(ctx context.Context, t Terminal) int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shell = do
}

// terminal is what a session asked for before it began.
type terminal struct {
	Terminal
	resized chan [2]int
}

// askTerminal answers pty-req and window-change, and says whether the request was one.
func (h *Host) askTerminal(t **terminal, req *ssh.Request) bool {
	switch req.Type {
	case "pty-req":
		var msg struct {
			Term                         string
			Columns, Rows, Width, Height uint32
			Modes                        string
		}
		err := ssh.Unmarshal(req.Payload, &msg)
		h.mu.Lock()
		ok := h.shell != nil && err == nil
		h.mu.Unlock()
		if ok {
			*t = &terminal{Terminal{Term: msg.Term, Width: int(msg.Columns), Height: int(msg.Rows)}, make(chan [2]int, 16)}
		}
		_ = req.Reply(ok, nil)
	case "window-change":
		var msg struct{ Columns, Rows, Width, Height uint32 }
		if *t != nil && ssh.Unmarshal(req.Payload, &msg) == nil {
			select {
			case (*t).resized <- [2]int{int(msg.Columns), int(msg.Rows)}:
			default:
				h.t.Errorf("remotetest: nobody reads the sizes of the terminal")
			}
		}
	default:
		return false
	}
	return true
}

// show runs the shell of a terminal.
func (h *Host) show(ctx context.Context, ch ssh.Channel, t *terminal, line string) {
	h.mu.Lock()
	do := h.shell
	h.mu.Unlock()
	t.Line, t.Resized, t.Conn = line, t.resized, ch
	code := do(ctx, t.Terminal)
	_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(&struct{ Code uint32 }{uint32(code)}))
	_ = ch.Close()
}

// String is for failures.
func (t Terminal) String() string {
	return fmt.Sprintf("%s %dx%d %q", t.Term, t.Width, t.Height, t.Line)
}
