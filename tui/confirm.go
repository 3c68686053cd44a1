package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// confirm is a question of the wizard's own, answered by one key.
type confirm struct {
	text    []string
	answers []confirmAnswer
	// other is what any other key does, esc among them.
	other func(m wizardModel) (wizardModel, tea.Cmd)
}

type confirmAnswer struct {
	key, label string
	do         func(m wizardModel) (wizardModel, tea.Cmd)
}

func stay(m wizardModel) (wizardModel, tea.Cmd) { return m, nil }

func (m wizardModel) pressConfirm(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	c := m.confirm
	m.confirm = nil
	for _, a := range c.answers {
		if msg.String() == a.key {
			return a.do(m)
		}
	}
	return c.other(m)
}

func (m wizardModel) confirmLines() []string {
	lines := []string{m.dim.Render(strings.Repeat(m.sym.rule, m.width))}
	for i, t := range m.confirm.text {
		if i == 0 {
			t = m.warn.Render(t)
		}
		lines = append(lines, wrap(t, m.width, "", "")...)
	}
	var keys []string
	for _, a := range m.confirm.answers {
		if a.label != "" {
			keys = append(keys, m.styles.key.Render(a.key)+" "+a.label)
		}
	}
	return append(lines, strings.Join(keys, "  "))
}

// askLeave is what ctrl+c leads to.
func (m wizardModel) askLeave() wizardModel {
	m = m.collect()
	leave := func(m wizardModel) (wizardModel, tea.Cmd) { return m, tea.Quit }
	c := &confirm{text: []string{"Leave the wizard?", "No inventory is written."}, other: stay}
	c.answers = append(c.answers, confirmAnswer{"y", "leave", leave})
	if m.opt.DraftPath != "" && !m.draft.empty() {
		c.answers = append(c.answers, confirmAnswer{"d", "leave and keep a draft in " + m.opt.DraftPath + " (it holds no password)", wizardModel.keepDraft})
	}
	c.answers = append(c.answers, confirmAnswer{"n", "stay", stay}, confirmAnswer{"ctrl+c", "", leave})
	m.confirm = c
	return m
}

func (m wizardModel) keepDraft() (wizardModel, tea.Cmd) {
	return m, m.out.save(m.opt.DraftPath, m.draft.marshal(), true, thenDraft, "")
}

// askResume offers a draft of an earlier time.
func (m wizardModel) askResume(d draft) wizardModel {
	m.confirm = &confirm{
		text: []string{"There is a draft of an earlier time: " + d.says() + ".", "Hosts are looked at again, as they may have changed."},
		answers: []confirmAnswer{
			{"y", "go on with it", func(m wizardModel) (wizardModel, tea.Cmd) {
				m.draft = d
				m.form = m.form.fill(d)
				return m.resize(), nil
			}},
			{"n", "start anew; the draft goes when an inventory is saved", stay},
		},
		other: func(m wizardModel) (wizardModel, tea.Cmd) { return m.askResume(d), nil },
	}
	return m
}

// askReplace is asked when a file is in the way of the inventory.
func (m wizardModel) askReplace(then afterSave) wizardModel {
	m.confirm = &confirm{
		text: []string{m.draft.Path + " is there already.", "To replace it loses what stands in it."},
		answers: []confirmAnswer{
			{"y", "replace it", func(m wizardModel) (wizardModel, tea.Cmd) { return m.save(then, true) }},
			{"n", "choose another path", func(m wizardModel) (wizardModel, tea.Cmd) { return m.editPath(), nil }},
		},
		other: stay,
	}
	return m
}
