package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/inventory"
	"github.com/gpuboot/gpuboot/tui"
)

// wizardBackend does for the wizard what the commands preflight, plan and init
// do. It records no host key: `up` does, after the person has agreed to it.
type wizardBackend struct {
	global *global
	flags  runFlags

	mu    sync.Mutex
	asker tui.Asker // of the latest look
}

var _ tui.Backend = (*wizardBackend)(nil)

func newWizardBackend(g *global) *wizardBackend {
	b := &wizardBackend{global: g}
	b.flags = runFlags{parallel: engine.DefaultParallel, askSudo: true, askLogin: true, answers: newAnswers(b.ask)}
	return b
}

// Look implements tui.Backend.
func (b *wizardBackend) Look(ctx context.Context, r tui.LookRequest) ([]tui.Seen, error) {
	b.mu.Lock()
	b.asker = r.Ask
	b.mu.Unlock()
	s, err := b.session(ctx, r.File, r.Inventory, r.Sink)
	if err != nil {
		return nil, err
	}
	defer s.dialer.shared.Close()
	// The others stay alone: a host is also tried again alone. What hosts have in
	// common shows when all are looked at, and in the plan.
	s.inv.Hosts = slices.DeleteFunc(s.inv.Hosts, func(h inventory.Host) bool { return !slices.Contains(r.Only, h.Name) })
	out, err := s.Preflight(ctx, s.request(nil))
	if out == nil {
		return nil, err
	}
	b.forgetWrong(out)
	var seen []tui.Seen
	for _, h := range s.inv.Hosts {
		if f := out.Facts[h.Name]; f != nil {
			gpus, count := promise(f)
			seen = append(seen, tui.Seen{Host: h.Name, GPUs: gpus, GPUCount: count, Facts: f})
		}
	}
	if ctx.Err() != nil {
		return seen, context.Cause(ctx)
	}
	return seen, lookError(err)
}

// lookError is what concerns no single host; findings have been shown by then.
func lookError(err error) error {
	own := ownError(err)
	if errors.As(own, new(bootstrap.Blocked)) {
		return nil
	}
	return own
}

// Plan implements tui.Backend.
func (b *wizardBackend) Plan(ctx context.Context, file string, text []byte, sink engine.Sink) error {
	s, err := b.session(ctx, file, text, sink)
	if err != nil {
		return err
	}
	defer s.dialer.shared.Close()
	_, err = s.Plan(ctx, s.request(nil))
	return err
}

// session prepares a run that writes nothing, with an inventory that may be in
// no file yet.
func (b *wizardBackend) session(ctx context.Context, file string, text []byte, sink engine.Sink) (*session, error) {
	inv, err := inventory.Parse(file, text)
	if err != nil {
		return nil, err
	}
	s, err := b.global.prepare(ctx, inv, &b.flags, false)
	if err != nil {
		return nil, err
	}
	s.Sink = engine.Serial(s.Redactor.Wrap(sink))
	s.Retry = nil // the wizard has a key for it
	return s, nil
}

// forgetWrong drops what was typed when a host did not take it, so that another
// try asks again.
func (b *wizardBackend) forgetWrong(out *bootstrap.Outcome) {
	for _, err := range out.Missing {
		if errors.Is(err, remote.ErrAuth) || errors.Is(err, remote.ErrSudo) {
			b.flags.answers.forget()
			return
		}
	}
}

// ask puts a question on the wizard's screen. A plan has no asker of its own; it
// comes after a look.
func (b *wizardBackend) ask(ctx context.Context, q secretQuestion) (string, error) {
	b.mu.Lock()
	asker := b.asker
	b.mu.Unlock()
	if asker == nil {
		return "", &noTerminalError{q.what, q.flag}
	}
	text, err := asker.Secret(ctx, q.text)
	if err != nil {
		return "", fmt.Errorf("asking for %s: %w", q.what, err)
	}
	return text, nil
}
