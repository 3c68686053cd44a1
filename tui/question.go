package tui

import (
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// ErrDeclined says that a person did not answer a question. It is not asked
// again: the run takes it for a no.
var ErrDeclined = errors.New("the question was not answered")

// question is asked by the run while the view is up.
type question struct {
	text  string
	input textinput.Model
	reply chan answer // has room for one, so that nobody waits for its reader
	lines pager
}

type answer struct {
	text string
	err  error
}

// askMsg puts a question on the screen, behind those that are there.
type askMsg struct{ question *question }

// withdrawMsg takes away a question that nobody waits for any more, by its reply
// channel. It may have been answered long since.
type withdrawMsg struct{ reply chan answer }

// nextQuestion shows the first question that waits, if none is on the screen.
func (m liveModel) nextQuestion() (tea.Model, tea.Cmd) {
	if m.ask != nil || len(m.asks) == 0 {
		return m.refresh(), nil
	}
	q := *m.asks[0]
	m.asks = m.asks[1:]
	cmd := q.input.Focus()
	m.ask = &q
	return m.refresh(), cmd
}

func (m liveModel) withdraw(reply chan answer) (tea.Model, tea.Cmd) {
	if m.ask != nil && m.ask.reply == reply {
		m.ask = nil
	}
	m.asks = slices.DeleteFunc(slices.Clone(m.asks), func(q *question) bool { return q.reply == reply })
	return m.nextQuestion()
}

func newQuestion(text string, secret bool) *question {
	in := newField("> ")
	if secret {
		in = newSecretField("> ")
	}
	return &question{text: cleanText(text), input: in, reply: make(chan answer, 1)}
}

// answer sends the answer, which is the last that happens to a question, and
// shows the next.
func (m liveModel) answer(a answer) (tea.Model, tea.Cmd) {
	reply := m.ask.reply
	m.ask = nil
	next, cmd := m.nextQuestion()
	return next, tea.Batch(cmd, func() tea.Msg {
		reply <- a
		return nil
	})
}

// keyQuestion types the answer. Up, down and the page keys scroll a question that
// is longer than its place.
func (m liveModel) keyQuestion(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	q := *m.ask
	switch msg.Type {
	case tea.KeyEnter:
		return m.answer(answer{text: q.input.Value()})
	case tea.KeyEsc, tea.KeyCtrlC:
		return m.answer(answer{err: ErrDeclined})
	case tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown:
		q.lines = q.lines.set(q.wrapped(m.width), m.questionHeight())
		q.lines, _ = q.lines.move(m.keys, msg)
		m.ask = &q
		return m, nil
	}
	var cmd tea.Cmd
	q.input, cmd = q.input.Update(msg)
	m.ask = &q
	return m, cmd
}

// questionHeight is how many lines of a question fit.
func (m liveModel) questionHeight() int {
	return max(min(m.height/2, m.height-headLines-7), 1)
}

func (q question) wrapped(w int) []string {
	var lines []string
	for l := range strings.SplitSeq(q.text, "\n") {
		lines = append(lines, wrap(l, w, "", "")...)
	}
	return lines
}

// questionLines draws the question at the foot of the view.
func (m liveModel) questionLines() []string {
	q := m.ask
	all := q.wrapped(m.width)
	p := q.lines.set(all, min(len(all), m.questionHeight()))
	lines := []string{m.dim.Render(strings.Repeat(m.sym.rule, m.width))}
	for _, l := range p.view() {
		lines = append(lines, m.bold.Render(l))
	}
	foot := "enter answers " + m.sym.sep + " esc does not"
	if p.more() {
		foot += " " + m.sym.sep + " pgup pgdn scroll"
	}
	return append(lines, truncate(q.input.View(), m.width), m.dim.Render(foot))
}
