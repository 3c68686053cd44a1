package tui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/inventory"
)

// step is one step of the wizard.
type step int

const (
	stepHosts step = iota
	stepConnect
	stepLook
	stepChoose
	stepReview
	stepCount
)

// String names the step for people.
func (s step) String() string {
	return [stepCount]string{"hosts", "connect", "look", "choose", "review"}[s]
}

// wizardModel is the wizard. It is a value: Update gives a new one.
type wizardModel struct {
	opt WizardOptions
	out *outside // used only in commands
	styles
	keys          wizardKeys
	width, height int

	step     step
	draft    draft
	problems []string // why the step cannot be left
	asking   asking
	confirm  *confirm
	picker   *picker
	help     bool
	text     pager // of the help, a host's details, or the review

	form form

	hosts    []inventory.Host // that the draft names, those left out among them
	file     []byte           // the inventory that was opened
	lookedAt string           // the draft's hosts as they were looked at last
	looking  int              // looks that run
	round    int              // counts fresh starts of looking, so that late answers are told apart
	lookErr  error
	sights   sights
	seen     map[string]Seen
	now      time.Time

	cur, top int // in the lists of hosts, and of choices
	choices  []Choice

	review review

	result   Result
	farewell string
}

// review is the last step's own state.
type review struct {
	plan    bool // the plan is shown, not the inventory
	state   *engine.State
	err     error
	text    []byte // the inventory, as it is reviewed and saved
	asked   bool   // its plan has been asked for
	editing bool   // the path is being typed
	path    textinput.Model
	saving  bool
}

func newWizardModel(opt WizardOptions, out *outside, st styles) wizardModel {
	d := draft{Name: "gpu", Path: opt.Path}
	m := wizardModel{opt: opt, out: out, styles: st, keys: newWizardKeys(), width: 80, height: 24, draft: d, form: newForm(d), seen: map[string]Seen{}}
	if len(opt.Draft) > 0 {
		old, err := parseDraft(opt.Draft)
		if err != nil {
			m.problems = []string{clean(err.Error())}
		} else {
			m = m.askResume(old)
		}
	}
	return m.resize()
}

// Init listens to what the outside has to say.
func (m wizardModel) Init() tea.Cmd { return tea.Batch(m.out.next(m.opt.Now), m.out.nextAsk()) }

// Update takes one message.
func (m wizardModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m.resize(), nil
	case tea.KeyMsg:
		next, cmd := m.press(msg)
		return next.resize(), cmd
	}
	next, cmd := m.hear(msg)
	return next.resize(), cmd
}

// hear takes what commands bring.
func (m wizardModel) hear(msg tea.Msg) (wizardModel, tea.Cmd) {
	switch msg := msg.(type) {
	case sightsMsg:
		if msg.round == m.round {
			m.sights = msg.sights
		}
		m.now = msg.now
		m.asking = m.asking.prune()
		if msg.loop {
			return m, m.out.next(m.opt.Now)
		}
	case askedMsg:
		m.asking = m.asking.add(msg.ask)
		return m, m.out.nextAsk()
	case lookedMsg:
		return m.looked(msg), nil
	case openedMsg:
		return m.opened(msg)
	case plannedMsg:
		if string(m.review.text) == msg.inventory {
			m.review.state, m.review.err = msg.state, msg.err
		}
	case savedMsg:
		return m.saved(msg)
	}
	return m, nil
}

// press gives a key to what is on top.
func (m wizardModel) press(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	switch {
	case m.asking.up():
		var cmd tea.Cmd
		m.asking, cmd = m.asking.press(msg)
		return m, cmd
	case m.confirm != nil:
		return m.pressConfirm(msg)
	case key.Matches(msg, m.keys.Quit):
		return m.askLeave(), nil
	case m.picker != nil:
		return m.pressPicker(msg)
	case m.review.editing:
		return m.pressPath(msg)
	case key.Matches(msg, m.keys.Help):
		m.help, m.text = !m.help, pager{}
		return m, nil
	case m.help:
		return m.pressHelp(msg), nil
	case key.Matches(msg, m.keys.Next):
		return m.forward()
	case key.Matches(msg, m.keys.Back):
		return m.back(), nil
	}
	switch m.step {
	case stepHosts:
		return m.pressHosts(msg)
	case stepConnect, stepLook:
		return m.pressSights(msg)
	case stepChoose:
		return m.pressChoose(msg)
	}
	return m.pressReview(msg)
}

// goTo changes the step. What was entered stays.
func (m wizardModel) goTo(s step) wizardModel {
	m.step, m.problems, m.cur, m.top, m.text = s, nil, 0, 0, pager{}
	return m
}

func (m wizardModel) back() wizardModel {
	switch {
	case m.step == stepHosts:
		return m.askLeave()
	case m.step == stepReview && m.file != nil:
		return m.goTo(stepLook) // an opened inventory has nothing to choose
	}
	return m.goTo(m.step - 1)
}

// forward leaves the step if nothing is missing in it.
func (m wizardModel) forward() (wizardModel, tea.Cmd) {
	m.problems = nil
	switch m.step {
	case stepHosts:
		return m.leaveHosts()
	case stepConnect:
		if m.problems = m.unanswered(); len(m.problems) > 0 {
			return m, nil
		}
		return m.goTo(stepLook), nil
	case stepLook:
		if m.problems = m.unanswered(); len(m.problems) > 0 {
			return m, nil
		}
		if hosts := m.blocked(); len(hosts) > 0 {
			m.problems = []string{"findings forbid to go on with " + names(hosts) + ": mend them and look again with r, or leave the host out with x"}
			return m, nil
		}
		if m.file != nil {
			return m.enterReview()
		}
		return m.enterChoose(), nil
	case stepChoose:
		return m.leaveChoose()
	}
	return m, nil
}

// collect puts what stands in fields into the draft.
func (m wizardModel) collect() wizardModel {
	if m.step == stepHosts {
		m.draft = m.form.read(m.draft)
	}
	return m
}

// included are the hosts that were not left out.
func (m wizardModel) included() hostSet {
	f := hostSet{seen: m.seen}
	for _, h := range m.hosts {
		if !slices.Contains(m.draft.Dropped, h.Name) {
			f.hosts = append(f.hosts, h)
		}
	}
	return f
}

// inventory is the text that is reviewed and saved.
func (m wizardModel) inventory() []byte {
	if m.file != nil {
		return m.file
	}
	return inventoryText(m.draft, m.included(), m.choices, m.opt.Now())
}

// path is the file that the text is, or will be.
func (m wizardModel) path() string {
	if m.file != nil {
		return m.draft.File
	}
	return m.draft.Path
}
