package app

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/gpuboot/gpuboot/tui"
)

// secretQuestion asks for a password or a passphrase.
type secretQuestion struct {
	text string // as put to the person
	what string // what is needed, for the error where nobody can be asked
	flag string // what gives it without a question
}

// answers are the secrets that a person typed, in memory only, so that nobody is
// asked twice for the same.
type answers struct {
	ask func(context.Context, secretQuestion) (string, error)

	mu    sync.Mutex // one question at a time
	typed map[string]typedAnswer
}

type typedAnswer struct {
	text string
	err  error // tui.ErrDeclined or nil
}

func newAnswers(ask func(context.Context, secretQuestion) (string, error)) *answers {
	return &answers{ask: ask, typed: map[string]typedAnswer{}}
}

// get asks unless the question was answered, or declined, before.
func (a *answers) get(ctx context.Context, q secretQuestion) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.typed[q.text]; ok {
		return known.text, known.err
	}
	text, err := a.ask(ctx, q)
	if err == nil || errors.Is(err, tui.ErrDeclined) {
		a.typed[q.text] = typedAnswer{text, err}
	}
	return text, err
}

// forget drops all answers, as one of them was wrong.
func (a *answers) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.typed)
}

// handOver gives the answers to whoever goes on, with another way to ask.
func (a *answers) handOver(ask func(context.Context, secretQuestion) (string, error)) *answers {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &answers{ask: ask, typed: maps.Clone(a.typed)}
}
