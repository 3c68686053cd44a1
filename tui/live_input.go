package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

func nameHas(name, part string) bool {
	return part == "" || strings.Contains(strings.ToLower(name), strings.ToLower(part))
}

// key gives a key to what is on top: a question, a wish to stop, the text field,
// then the page.
func (m liveModel) key(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case m.ask != nil:
		return m.keyQuestion(msg)
	case m.stop == stopAsked || m.stop == stopLeave:
		return m.keyStop(msg)
	case key.Matches(msg, m.keys.Stop):
		return m.wantStop()
	case m.typing:
		return m.keySearch(msg)
	case key.Matches(msg, m.keys.Quit):
		return m.wantStop()
	}
	if to, ok := m.pageOf(msg); ok {
		return m.open(to)
	}
	if m.page == pageTable {
		return m.keyTable(msg)
	}
	return m.keyPage(msg)
}

// pageOf says which page a key leads to; pressed again it leads back.
func (m liveModel) pageOf(msg tea.KeyMsg) (page, bool) {
	for _, way := range []struct {
		key  key.Binding
		page page
	}{{m.keys.Help, pageHelp}, {m.keys.Gates, pageGates}, {m.keys.Notes, pageNotes}} {
		if key.Matches(msg, way.key) {
			if m.page == way.page {
				return pageTable, true
			}
			return way.page, true
		}
	}
	return 0, false
}

func (m liveModel) open(p page) (tea.Model, tea.Cmd) {
	m.page, m.text, m.built = p, pager{}, ""
	if p == pageHost {
		return m.openTab(m.firstTab())
	}
	return m.refresh(), nil
}

// firstTab is what one most likely wants to know of a host.
func (m liveModel) firstTab() tab {
	if m.cur < len(m.shown) && m.snap.rows[m.shown[m.cur]].broken() {
		return tabError
	}
	return tabSteps
}

func (m liveModel) openTab(t tab) (tea.Model, tea.Cmd) {
	m.tab, m.text, m.built = t, pager{follow: t == tabOutput}, ""
	return m.refresh(), m.feed.look(m.curName)
}

func (m liveModel) keyTable(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	page := m.tableHeight()
	switch {
	case key.Matches(msg, m.keys.Up):
		m.cur--
	case key.Matches(msg, m.keys.Down):
		m.cur++
	case key.Matches(msg, m.keys.PageUp):
		m.cur -= page
	case key.Matches(msg, m.keys.PageDown):
		m.cur += page
	case key.Matches(msg, m.keys.Top):
		m.cur = 0
	case key.Matches(msg, m.keys.Bottom):
		m.cur = len(m.shown) - 1
	case key.Matches(msg, m.keys.Open):
		if len(m.shown) == 0 {
			return m, nil
		}
		return m.open(pageHost)
	default:
		return m.keyFilter(msg)
	}
	return m.moved()
}

// moved follows the cursor to another host.
func (m liveModel) moved() (tea.Model, tea.Cmd) {
	m.cur = max(min(m.cur, len(m.shown)-1), 0)
	if m.cur < len(m.shown) {
		m.curName = m.snap.rows[m.shown[m.cur]].name
	}
	m = m.refresh()
	if m.focus() == "" {
		return m, nil
	}
	return m, m.feed.look(m.curName)
}

func (m liveModel) keyFilter(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Failed):
		m.filter.failed, m.filter.unfinished = !m.filter.failed, false
	case key.Matches(msg, m.keys.Unfinished):
		m.filter.unfinished, m.filter.failed = !m.filter.unfinished, false
	case key.Matches(msg, m.keys.Search):
		m.typing = true
		m.input.SetValue(m.filter.name)
		m.input.CursorEnd()
		return m, m.input.Focus()
	case key.Matches(msg, m.keys.Pane):
		m.pane = m.pane.toggled(m.paneHeight() > 0)
		return m.moved()
	case key.Matches(msg, m.keys.Back):
		m.filter, m.pane = filter{}, paneAuto
	default:
		return m, nil
	}
	return m.refresh().leaveIfOver()
}

// leaveIfOver closes a view of an ended run once nobody reads it any more.
func (m liveModel) leaveIfOver() (tea.Model, tea.Cmd) {
	if m.over() {
		return m, tea.Quit
	}
	return m, nil
}

// keySearch edits the text that names must have; the table follows each letter.
func (m liveModel) keySearch(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch msg.Type {
	case tea.KeyEnter:
		m.typing = false
	case tea.KeyEsc:
		m.typing = false
		m.input.SetValue("")
	default:
		var cmd tea.Cmd
		m.input, cmd = m.input.Update(msg)
		m.filter.name = m.input.Value()
		return m.refresh(), cmd
	}
	m.input.Blur()
	m.filter.name = m.input.Value()
	return m.refresh(), nil
}

func (m liveModel) keyPage(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	if key.Matches(msg, m.keys.Back) || m.page == pageHost && key.Matches(msg, m.keys.Open) {
		m.page = pageTable
		return m.refresh().leaveIfOver()
	}
	if m.page == pageHost {
		switch {
		case key.Matches(msg, m.keys.Tab):
			return m.openTab((m.tab + 1) % tabCount)
		case key.Matches(msg, m.keys.Next):
			return m.turn(1)
		case key.Matches(msg, m.keys.Prev):
			return m.turn(-1)
		}
	}
	m.text, _ = m.text.move(m.keys, msg)
	return m, nil
}

// turn goes to another host on the host's page.
func (m liveModel) turn(by int) (tea.Model, tea.Cmd) {
	m.cur += by
	m.text, m.built = pager{follow: m.tab == tabOutput}, ""
	return m.moved()
}
