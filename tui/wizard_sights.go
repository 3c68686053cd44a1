package tui

import (
	"maps"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// looked takes the end of a look.
func (m wizardModel) looked(msg lookedMsg) wizardModel {
	if msg.round != m.round {
		return m // of hosts that nobody wants to see any more
	}
	m.looking--
	m.lookErr = msg.err
	m.seen = maps.Clone(m.seen)
	for _, s := range msg.seen {
		s.Host, s.GPUs = clean(s.Host), clean(s.GPUs)
		m.seen[s.Host] = s
	}
	return m
}

// unanswered says why nobody can go on yet: hosts that did not answer are neither
// silently taken nor silently left out.
func (m wizardModel) unanswered() []string {
	var waiting, failed []string
	answered := 0
	for _, h := range m.included().hosts {
		_, seen := m.seen[h.Name]
		switch s := m.sights.of(h.Name); {
		case seen && !s.failed():
			answered++
		case m.looking > 0 && !s.failed():
			waiting = append(waiting, h.Name)
		default:
			failed = append(failed, h.Name)
		}
	}
	var out []string
	if len(waiting) > 0 {
		out = append(out, "still looking at "+names(waiting))
	}
	if len(failed) > 0 {
		out = append(out, "no look at "+names(failed)+": r tries again, x leaves a host out")
	}
	if len(out) == 0 && answered == 0 {
		out = append(out, "every host is left out")
	}
	return out
}

// pressSights moves in the lists of hosts, and tries hosts again or leaves them
// out.
func (m wizardModel) pressSights(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	if len(m.hosts) == 0 {
		return m, nil
	}
	host := m.hosts[m.cur].Name
	switch {
	case key.Matches(msg, m.keys.Up):
		m.cur--
	case key.Matches(msg, m.keys.Down):
		m.cur++
	case key.Matches(msg, m.keys.Top):
		m.cur = 0
	case key.Matches(msg, m.keys.Bottom):
		m.cur = len(m.hosts) - 1
	case key.Matches(msg, m.keys.PageUp):
		m.text.top -= m.text.height
	case key.Matches(msg, m.keys.PageDown):
		m.text.top += m.text.height
	case key.Matches(msg, m.keys.Retry):
		return m.again([]string{host})
	case key.Matches(msg, m.keys.RetryAll):
		return m.again(m.failed())
	case key.Matches(msg, m.keys.Drop):
		if m.file != nil {
			m.problems = []string{"an opened inventory is used as it stands: take the host out of " + m.draft.File}
			return m, nil
		}
		m.draft, m.problems = m.draft.drop(host), nil
	}
	m.cur = max(min(m.cur, len(m.hosts)-1), 0)
	if m.hosts[m.cur].Name != host {
		m.text = pager{}
	}
	return m, nil
}

func (m wizardModel) failed() []string {
	var out []string
	for _, h := range m.included().hosts {
		if _, seen := m.seen[h.Name]; m.sights.of(h.Name).failed() || !seen && m.looking == 0 {
			out = append(out, h.Name)
		}
	}
	return out
}

// again looks at hosts once more. One that is being looked at is let alone.
func (m wizardModel) again(hosts []string) (wizardModel, tea.Cmd) {
	hosts = slices.DeleteFunc(slices.Clone(hosts), func(h string) bool {
		s := m.sights.of(h)
		return m.looking > 0 && !s.status.Final()
	})
	if len(hosts) == 0 {
		return m, nil
	}
	m.looking++
	m.problems, m.lookErr = nil, nil
	m.seen = maps.Clone(m.seen)
	for _, h := range hosts {
		delete(m.seen, h)
	}
	m.sights = m.sights.clone()
	m.sights.begin(hosts)
	return m, m.out.look(m.lookRequest(hosts), m.round, false)
}

// blocked are the hosts of which a finding forbids to go on.
func (m wizardModel) blocked() []string {
	var out []string
	for _, h := range m.included().hosts {
		if m.sights.of(h.Name).blocked() {
			out = append(out, h.Name)
		}
	}
	return out
}
