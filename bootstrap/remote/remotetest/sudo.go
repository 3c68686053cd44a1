package remotetest

import (
	"fmt"
	"io"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// sudo behaves like sudo and gives the exit code of a refusal, 0 for none.
func (p *process) sudo() int {
	out, stderr := p.ch, p.ch.Stderr()
	fmt.Fprintf(stderr, "%s%s\n", wire.ShellMark, p.line.Nonce)
	if p.h.cfg.sudoTTY && !p.line.Terminal {
		return p.refuse("sudo: sorry, you must have a tty to run sudo\n")
	}
	switch p.h.cfg.sudo {
	case sudoNone:
		if p.h.cfg.user == "root" {
			return 0
		}
		fmt.Fprintf(out, "%s%s\n", wire.NoSudoMark, p.line.Nonce)
		return 126
	case sudoFree:
		return 0
	case sudoDenied:
		if p.line.Mode == wire.SudoNo {
			return p.refuse("sudo: a password is required\n")
		}
		p.ask()
		return p.refuse(p.h.cfg.user + " is not in the sudoers file.\n")
	}
	if p.line.Mode == wire.SudoNo {
		return p.refuse("sudo: a password is required\n")
	}
	return p.askThrice()
}

// askThrice reads passwords until one is right.
func (p *process) askThrice() int {
	for tries := 1; ; tries++ {
		got, ok := p.ask()
		switch {
		case ok && got == p.h.cfg.sudoSecret:
			return 0
		case !ok:
			return p.refuse("sudo: no password was provided\nsudo: 1 incorrect password attempt\n")
		case tries == 3:
			return p.refuse("sudo: 3 incorrect password attempts\n")
		}
		_, _ = io.WriteString(p.ch.Stderr(), "Sorry, try again.\n")
	}
}

// ask prompts and reads a line byte by byte, as sudo does.
func (p *process) ask() (string, bool) {
	p.h.count.add(func(c *Counters) { c.SudoAsked++ })
	_, _ = io.WriteString(p.ch.Stderr(), wire.AskMark+p.line.Nonce)
	var line []byte
	var b [1]byte
	for {
		if _, err := io.ReadFull(p.ch, b[:]); err != nil {
			return "", false
		}
		if b[0] == '\n' {
			return string(line), true
		}
		line = append(line, b[0])
	}
}

func (p *process) refuse(text string) int {
	_, _ = io.WriteString(p.ch.Stderr(), text)
	return 1
}
