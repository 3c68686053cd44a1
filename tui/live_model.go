package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// page is what the live view shows.
type page int

const (
	pageTable page = iota
	pageHost
	pageGates
	pageNotes
	pageHelp
)

// tab is a part of the host's page.
type tab int

const (
	tabSteps tab = iota
	tabError
	tabOutput
	tabCount
)

// stopping is how far the wish to end has come.
type stopping int

const (
	stopNo    stopping = iota
	stopAsked          // "stop the run?" is on the screen
	stopSent           // the run was told
	stopLeave          // told, and "leave the view?" is on the screen
)

// filter says which hosts the table shows.
type filter struct {
	failed, unfinished bool
	name               string
}

// liveModel is the live view. It is a value: Update gives a new one.
type liveModel struct {
	feed *feed // used only in commands
	keys liveKeys
	styles
	name   string // shown as the title, instead of the command the events name
	cancel func()
	stay   bool

	snap          *snapshot
	width, height int

	shown    []int // the hosts that pass the filter, by their place in snap.rows
	cur, top int   // in shown
	curName  string
	filter   filter
	typing   bool // the name filter is being typed
	input    textinput.Model

	page  page
	tab   tab
	pane  paneWish
	text  pager  // of the page
	built string // what text was made from

	ask  *question   // on the screen
	asks []*question // behind it
	stop stopping
	left bool // the person left before the end
}

func newLiveModel(f *feed, st styles) liveModel {
	return liveModel{feed: f, keys: newLiveKeys(), styles: st, input: newField("name: "), snap: f.picture(""), width: 80, height: 24}
}

// Init asks for the first picture.
func (m liveModel) Init() tea.Cmd { return m.feed.look("") }

// Update takes one message.
func (m liveModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m = m.refresh()
		return m, m.feed.look(m.focus())
	case startMsg:
		return m, m.feed.next("")
	case frameMsg:
		m.snap = msg.snap.keepFocus(m.snap, m.focus())
		m = m.refresh()
		if m.over() {
			return m, tea.Quit
		}
		if msg.loop {
			return m, m.feed.next(m.focus())
		}
		return m, nil
	case askMsg:
		m.asks = append(slices.Clip(m.asks), msg.question)
		return m.nextQuestion()
	case withdrawMsg:
		return m.withdraw(msg.reply)
	case tea.KeyMsg:
		return m.key(msg)
	}
	return m, nil
}

// startMsg begins the loop of frames. Tests that bring their own leave it out.
type startMsg struct{}

// focus names the host whose details the next picture must have.
func (m liveModel) focus() string {
	if m.page == pageHost || m.paneHeight() > 0 {
		return m.curName
	}
	return ""
}

// over says that the view may close by itself: the run has ended, and nobody is
// reading anything but the table.
func (m liveModel) over() bool {
	return m.snap.closed && !m.stay && !m.reading() && m.ask == nil
}

func (m liveModel) reading() bool {
	return m.page != pageTable || m.pane == paneOn || m.typing || m.filter != filter{}
}

// refresh makes what is shown agree with the picture, the size and the filter.
func (m liveModel) refresh() liveModel {
	m.shown = m.filter.hosts(m.snap.rows, m.shown)
	m.cur = min(m.cur, max(len(m.shown)-1, 0))
	if i := m.placeOf(m.curName); i >= 0 {
		m.cur = i
	}
	if m.cur < len(m.shown) {
		m.curName = m.snap.rows[m.shown[m.cur]].name
	}
	m = m.scroll()
	return m.rebuild()
}

// hosts lists the places of the hosts that pass. It makes a new list, as the old
// one may belong to an older model.
func (f filter) hosts(rows []*row, old []int) []int {
	out := make([]int, 0, max(len(old), 16))
	for i, r := range rows {
		if f.failed && !r.broken() || f.unfinished && !r.unfinished() || !nameHas(r.name, f.name) {
			continue
		}
		out = append(out, i)
	}
	return out
}

// placeOf finds a host among those shown. It looks near the cursor first: the
// list rarely changes.
func (m liveModel) placeOf(name string) int {
	if m.cur < len(m.shown) && m.snap.rows[m.shown[m.cur]].name == name {
		return m.cur
	}
	for i, at := range m.shown {
		if m.snap.rows[at].name == name {
			return i
		}
	}
	return -1
}

// scroll keeps the cursor inside the table.
func (m liveModel) scroll() liveModel {
	h := m.tableHeight()
	m.top = min(m.top, m.cur, max(len(m.shown)-h, 0))
	m.top = max(m.top, m.cur-h+1, 0)
	return m
}
