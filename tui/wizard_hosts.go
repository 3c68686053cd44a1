package tui

import (
	"errors"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/inventory"
)

// pressHosts edits the first step's form.
func (m wizardModel) pressHosts(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	f := m.form
	switch {
	case key.Matches(msg, m.keys.Field):
		m.form = f.move(1)
	case key.Matches(msg, m.keys.FieldBack):
		m.form = f.move(-1)
	case f.at == fieldProvider:
		return m.pressProvider(msg), nil
	case f.at == fieldAliases:
		if key.Matches(msg, m.keys.Pick) || msg.Type == tea.KeySpace {
			return m.pickAliases(), nil
		}
		m.form = f.upOrDown(msg)
	case f.at != fieldAddresses && key.Matches(msg, m.keys.Pick):
		m.form = f.move(1)
	case f.at != fieldAddresses && (msg.Type == tea.KeyUp || msg.Type == tea.KeyDown):
		m.form = f.upOrDown(msg)
	default:
		var cmd tea.Cmd
		m.form, cmd = f.press(msg)
		m.problems = nil
		return m, cmd
	}
	return m, nil
}

func (f form) upOrDown(msg tea.KeyMsg) form {
	switch msg.Type {
	case tea.KeyUp:
		return f.move(-1)
	case tea.KeyDown:
		return f.move(1)
	}
	return f
}

// leaveHosts checks the entries and begins to connect; an inventory that exists
// is read first.
func (m wizardModel) leaveHosts() (wizardModel, tea.Cmd) {
	m = m.collect()
	if m.draft.File != "" {
		return m, m.out.open(m.draft.File)
	}
	m.file = nil
	if m.draft.Name == "" {
		m.problems = []string{"the cluster needs a name"}
		return m, nil
	}
	var hosts []inventory.Host
	if hosts, m.problems = m.draft.hosts(); len(m.problems) > 0 {
		return m, nil
	}
	m.hosts = hosts
	return m.connect(string(m.draft.lookText(m.hosts)))
}

// opened goes on with an inventory that was read.
func (m wizardModel) opened(msg openedMsg) (wizardModel, tea.Cmd) {
	if m.step != stepHosts || msg.path != m.draft.File {
		return m, nil
	}
	if msg.err != nil {
		m.problems = []string{clean(msg.err.Error())}
		return m, nil
	}
	inv, err := inventory.Parse(msg.path, msg.data)
	if problems, ok := errors.AsType[inventory.Problems](err); ok {
		for _, p := range problems {
			m.problems = append(m.problems, clean(p.Error()))
		}
		return m, nil
	}
	m.file, m.hosts, m.draft.Name = msg.data, inv.Hosts, inv.Name
	return m.connect(msg.path + "\n" + string(msg.data))
}

// connect goes to the next step, and looks at the hosts unless they are those
// that were looked at before.
func (m wizardModel) connect(what string) (wizardModel, tea.Cmd) {
	m = m.goTo(stepConnect)
	if what == m.lookedAt {
		return m, nil
	}
	m.lookedAt, m.seen, m.lookErr, m.sights, m.looking = what, map[string]Seen{}, nil, sights{}, 1
	m.draft.Dropped = slices.DeleteFunc(slices.Clone(m.draft.Dropped), func(d string) bool {
		return !slices.ContainsFunc(m.hosts, func(h inventory.Host) bool { return h.Name == d })
	})
	m.round++
	return m, m.out.look(m.lookRequest(hostSet{hosts: m.hosts}.names()), m.round, true)
}

// lookRequest is for hosts by name, with an inventory that has all of them.
func (m wizardModel) lookRequest(only []string) LookRequest {
	text := m.file
	if text == nil {
		text = m.draft.lookText(m.hosts)
	}
	return LookRequest{File: m.path(), Inventory: text, Only: only}
}
