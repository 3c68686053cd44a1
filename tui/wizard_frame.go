package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// View draws the model: exactly as many lines as the terminal has, none wider.
func (m wizardModel) View() string {
	if m.width < minWidth || m.height < minHeight {
		return truncate(fmt.Sprintf("%dx%d is too small, %dx%d at least", m.width, m.height, minWidth, minHeight), m.width)
	}
	foot := m.foot()
	h := max(m.height-1-len(foot), 0)
	body := m.body()
	if len(body) > h {
		body = body[:h]
	}
	lines := append(make([]string, 0, m.height), m.head())
	lines = append(lines, body...)
	for len(lines) < m.height-len(foot) {
		lines = append(lines, "")
	}
	lines = append(lines, foot...)
	return m.frame(lines, m.width)
}

// head shows the way: all steps, and where one is.
func (m wizardModel) head() string {
	parts := make([]string, 0, stepCount)
	for s := range stepCount {
		name := fmt.Sprintf("%d %s", s+1, s)
		switch {
		case s == m.step:
			parts = append(parts, m.styles.key.Render("["+name+"]"))
		case s < m.step:
			parts = append(parts, m.good.Render(m.sym.done)+" "+s.String())
		default:
			parts = append(parts, m.dim.Render(name))
		}
	}
	return m.title.Render("gpuboot") + "  " + strings.Join(parts, "  ")
}

func (m wizardModel) body() []string {
	switch {
	case m.help:
		return m.text.view()
	case m.picker != nil:
		return m.pickerLines()
	}
	switch m.step {
	case stepHosts:
		return m.hostsLines()
	case stepConnect, stepLook:
		return m.sightsLines()
	case stepChoose:
		return m.chooseLines()
	}
	return append([]string{m.reviewHead()}, m.text.view()...)
}

// foot is what the person is asked, else why the step cannot be left, and the keys
// that matter here.
func (m wizardModel) foot() []string {
	switch {
	case m.asking.up():
		return m.asking.lines(m.styles, m.width)
	case m.confirm != nil:
		return squeeze(m.confirmLines(), m.height-3)
	case m.review.editing:
		return []string{m.review.path.View() + m.dim.Render("  enter keeps, esc drops")}
	}
	var lines []string
	for _, p := range m.problems {
		lines = append(lines, wrap(p, m.width, m.bad.Render(m.sym.failed)+" ", "  ")...)
	}
	if limit := max(m.height/3, 2); len(lines) > limit {
		lines = append(lines[:limit-1:limit-1], m.dim.Render(fmt.Sprintf("  and %d lines more", len(lines)-limit+1)))
	}
	return append(lines, m.hints())
}

func (m wizardModel) hints() string {
	k := m.keys
	var show []key.Binding
	switch {
	case m.picker != nil && m.picker.many:
		return m.dim.Render("space takes  enter ends  esc drops")
	case m.picker != nil:
		return m.dim.Render("enter takes  esc drops")
	case m.help:
		return m.dim.Render("↑ ↓ scroll  esc back")
	}
	switch m.step {
	case stepHosts:
		show = []key.Binding{k.Field, k.Pick}
	case stepConnect, stepLook:
		show = []key.Binding{k.Retry, k.Drop, k.PageDown}
	case stepChoose:
		show = []key.Binding{k.Right, k.Pick}
	case stepReview:
		show = []key.Binding{k.Tab, k.Path, k.Save, k.Apply}
	}
	words := map[string]string{
		k.Field.Help().Key: "field", k.Pick.Help().Key: "list", k.Retry.Help().Key: "retry", k.Drop.Help().Key: "leave out", k.PageDown.Help().Key: "scroll",
		k.Right.Help().Key: "change", k.Path.Help().Key: "path", k.Save.Help().Key: "save", k.Apply.Help().Key: "save and apply",
	}
	if m.step == stepReview {
		words[k.Tab.Help().Key] = "inventory/plan"
	}
	if m.step != stepReview {
		show = append(show, k.Next)
		words[k.Next.Help().Key] = "next"
	}
	show = append(show, k.Back, k.Help, k.Quit)
	words[k.Back.Help().Key], words[k.Help.Help().Key], words[k.Quit.Help().Key] = "back", "keys", "leave"
	parts := make([]string, len(show))
	for i, b := range show {
		name, _, _ := strings.Cut(b.Help().Key, " ") // of several keys the first will do here
		parts[i] = m.styles.key.Render(name) + " " + m.dim.Render(words[b.Help().Key])
	}
	return strings.Join(parts, "  ")
}

// bodyHeight is what head and foot leave.
func (m wizardModel) bodyHeight() int { return max(m.height-1-len(m.foot()), 1) }

// resize makes what is shown agree with the size of the terminal.
func (m wizardModel) resize() wizardModel {
	h := m.bodyHeight()
	m.form = m.form.size(m.width-labelWidth-2, h-7-min(len(m.providerNote()), 1)*2)
	switch {
	case m.help:
		m.text = m.text.set(m.helpLines(), h)
	case m.step == stepConnect || m.step == stepLook:
		rows := m.sightsHeight()
		m.top = max(min(m.top, m.cur, max(len(m.hosts)-rows, 0)), m.cur-rows+1, 0)
		m.text = m.text.set(m.sightDetail(), h-rows-2)
	case m.step == stepReview:
		m.text = m.text.set(m.reviewLines(), h-1)
	}
	return m
}

// scrolled moves a text by a key.
func (p pager) scrolled(k wizardKeys, msg tea.KeyMsg) pager {
	switch {
	case key.Matches(msg, k.Up):
		p.top--
	case key.Matches(msg, k.Down):
		p.top++
	case key.Matches(msg, k.PageUp):
		p.top -= p.height
	case key.Matches(msg, k.PageDown):
		p.top += p.height
	case key.Matches(msg, k.Top):
		p.top = 0
	case key.Matches(msg, k.Bottom):
		p.top = len(p.lines)
	}
	return p.clamp()
}

func (m wizardModel) pressHelp(msg tea.KeyMsg) wizardModel {
	if key.Matches(msg, m.keys.Back) {
		m.help, m.text = false, pager{}
		return m
	}
	m.text = m.text.scrolled(m.keys, msg)
	return m
}

// helpLines explains every key.
func (m wizardModel) helpLines() []string {
	var lines []string
	for i, g := range m.keys.groups() {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, m.header.Render(g.title))
		for _, b := range g.keys {
			lines = append(lines, "  "+m.styles.key.Render(fit(b.Help().Key, 14))+b.Help().Desc)
		}
	}
	return lines
}
