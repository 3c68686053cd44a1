package tui

import (
	"context"
	"strings"
	"testing"
)

// session is a whole wizard on a recorded terminal, with a fake backend.
type session struct {
	*terminal
	t      *testing.T
	stop   context.CancelFunc
	result chan Result
	err    chan error
}

func begin(t *testing.T, opt WizardOptions) *session {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	s := &session{newTerminal(t), t, stop, make(chan Result, 1), make(chan error, 1)}
	opt.In, opt.Out = s.in, s
	opt.Getenv = func(string) string { return "" }
	go func() {
		r, err := Wizard(ctx, opt)
		s.result <- r
		s.err <- err
	}()
	return s
}

// does waits for each text that begins with "~" and types the others.
func (s *session) does(acts ...string) *session {
	s.t.Helper()
	for _, a := range acts {
		if text, ok := strings.CutPrefix(a, "~"); ok {
			s.waitFor(s.t, text)
			continue
		}
		s.press(s.t, a)
	}
	return s
}

const (
	ctrlN = "\x0e"
	ctrlC = "\x03"
	enter = "\r"
)

func pasted(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

// ends waits for the wizard to end, and for the terminal to be as it was.
func (s *session) ends() Result {
	s.t.Helper()
	r, err := <-s.result, <-s.err
	if err != nil {
		s.t.Errorf("error %v", err)
	}
	checkRestored(s.t, s.written())
	return r
}

// waitStep waits until the look has ended, then goes on.
func (s *session) waitStep(b *fakeBackend, acts ...string) *session {
	s.t.Helper()
	s.waitFor(s.t, "FINDINGS")
	return s.does(acts...)
}

// waitForAgain waits for a text that was there before.
func (s *session) waitForAgain(text string) *session {
	s.t.Helper()
	before := strings.Count(s.written(), text)
	s.waitUntil(s.t, text+" again", func(all string) bool { return strings.Count(all, text) > before })
	return s
}
