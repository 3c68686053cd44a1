package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// wizardAsk is a question of a look: a key to accept, or a secret.
type wizardAsk struct {
	key    *HostKey
	text   string
	yes    chan bool   // answers a key; has room for one
	secret chan answer // answers a secret; has room for one
	gone   func() bool // nobody waits for the answer any more
}

// asker puts the questions of looks on the screen.
type asker struct{ o *outside }

// AcceptKey implements Asker.
func (a asker) AcceptKey(ctx context.Context, k HostKey) (bool, error) {
	k = HostKey{clean(k.Host), clean(k.Address), clean(k.Type), clean(k.Fingerprint)}
	q := &wizardAsk{key: &k, yes: make(chan bool, 1), gone: func() bool { return ctx.Err() != nil }}
	if err := a.send(ctx, q); err != nil {
		return false, err
	}
	select {
	case yes := <-q.yes:
		return yes, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// Secret implements Asker.
func (a asker) Secret(ctx context.Context, question string) (string, error) {
	q := &wizardAsk{text: cleanText(question), secret: make(chan answer, 1), gone: func() bool { return ctx.Err() != nil }}
	if err := a.send(ctx, q); err != nil {
		return "", err
	}
	select {
	case s := <-q.secret:
		return s.text, s.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (a asker) send(ctx context.Context, q *wizardAsk) error {
	select {
	case a.o.asks <- q:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// askedMsg brings a question to the screen.
type askedMsg struct{ ask *wizardAsk }

// nextAsk waits for a question.
func (o *outside) nextAsk() tea.Cmd {
	return func() tea.Msg {
		select {
		case q := <-o.asks:
			return askedMsg{q}
		case <-o.context().Done():
			return nil
		}
	}
}

// asking is the questions that wait, the first on the screen, and the field for a
// secret.
type asking struct {
	queue []*wizardAsk
	field textinput.Model
}

func (a asking) up() bool { return len(a.queue) > 0 }

// add puts a question behind the others.
func (a asking) add(q *wizardAsk) asking {
	a.queue = append(slices.Clip(a.queue), q)
	if len(a.queue) == 1 {
		a = a.show()
	}
	return a
}

// prune takes away questions that nobody waits for any more.
func (a asking) prune() asking {
	if !slices.ContainsFunc(a.queue, func(q *wizardAsk) bool { return q.gone() }) {
		return a
	}
	return a.show()
}

// show makes the field ready for the first question.
func (a asking) show() asking {
	a.queue = slices.DeleteFunc(slices.Clone(a.queue), func(q *wizardAsk) bool { return q.gone() })
	if a.up() && a.queue[0].secret != nil {
		a.field = newSecretField("> ")
		a.field.Focus()
	}
	return a
}

// maxKeys is how many host keys are shown, and so can be accepted, at once.
const maxKeys = 8

// keys gives the hosts' keys at the head of the queue, which are asked together.
func (a asking) keys() []*wizardAsk {
	n := slices.IndexFunc(a.queue, func(q *wizardAsk) bool { return q.key == nil })
	if n < 0 {
		n = len(a.queue)
	}
	return a.queue[:min(n, maxKeys)]
}

// press takes a key.
func (a asking) press(msg tea.KeyMsg) (asking, tea.Cmd) {
	if a.queue[0].key != nil {
		return a.pressKey(msg)
	}
	q := a.queue[0]
	var reply answer
	switch msg.Type {
	case tea.KeyEnter:
		reply.text = a.field.Value()
	case tea.KeyEsc, tea.KeyCtrlC:
		reply.err = ErrDeclined
	default:
		var cmd tea.Cmd
		a.field, cmd = a.field.Update(msg)
		return a, cmd
	}
	a.queue, a.field = a.queue[1:], textinput.Model{} // the secret stays nowhere
	return a.show(), func() tea.Msg { q.secret <- reply; return nil }
}

// pressKey accepts or refuses the first key, or accepts all that are shown.
func (a asking) pressKey(msg tea.KeyMsg) (asking, tea.Cmd) {
	n, yes := 1, true
	switch msg.String() {
	case "y":
	case "a":
		n = len(a.keys())
	case "n", "esc", "ctrl+c":
		yes = false
	default:
		return a, nil
	}
	answered := a.queue[:n]
	a.queue = a.queue[n:]
	return a.show(), func() tea.Msg {
		for _, q := range answered {
			q.yes <- yes
		}
		return nil
	}
}

// lines draws the first question.
func (a asking) lines(s styles, w int) []string {
	lines := []string{s.dim.Render(strings.Repeat(s.sym.rule, w))}
	if a.queue[0].key == nil {
		for l := range strings.SplitSeq(a.queue[0].text, "\n") {
			lines = append(lines, wrap(s.bold.Render(l), w, "", "")...)
		}
		return append(lines, truncate(a.field.View(), w), s.dim.Render("enter answers "+s.sym.sep+" esc gives none; it is asked once and not kept"))
	}
	keys := a.keys()
	lines = append(lines, s.bold.Render("Nothing vouches for these host keys yet. Compare them with what your provider shows."))
	for i, q := range keys {
		mark := "  "
		if i == 0 {
			mark = s.key.Render(s.sym.cursor) + " "
		}
		lines = append(lines, mark+fit(q.key.Host, min(16, w/5))+" "+q.key.Type+" "+q.key.Fingerprint+" "+s.dim.Render(q.key.Address))
	}
	foot := s.key.Render("y") + " accept the first  " + s.key.Render("n") + " refuse the first"
	if len(keys) > 1 {
		foot += "  " + s.key.Render("a") + fmt.Sprintf(" accept these %d", len(keys))
	}
	if more := len(a.queue) - len(keys); more > 0 {
		foot += s.dim.Render(fmt.Sprintf("  %d more to come", more))
	}
	return append(lines, foot)
}
