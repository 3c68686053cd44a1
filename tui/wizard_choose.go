package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// enterChoose makes the choices from what was seen of the hosts that stay.
func (m wizardModel) enterChoose() wizardModel {
	m = m.goTo(stepChoose)
	m.choices = nil
	if m.opt.Choices == nil {
		return m
	}
	f := m.included()
	var seen []Seen
	for _, h := range f.hosts {
		seen = append(seen, m.seen[h.Name])
	}
	for _, c := range m.opt.Choices(seen) {
		c.Title, c.Why = clean(c.Title), clean(c.Why)
		m.choices = append(m.choices, c)
	}
	return m
}

// rowServers is the place of the list of servers, behind their number.
const rowServers = 1

// choosable lists all choices: the wizard's own, then the caller's.
func (m wizardModel) choosable() []Choice {
	f := m.included()
	servers := f.servers(m.draft)
	which := Choice{ID: "which", Title: "which hosts are servers", Why: "By themselves hosts without GPUs come first. Enter picks others.",
		Options: []Option{{Label: strings.Join(servers, ", "), Why: "the hosts that keep the cluster's state"}}}
	return append([]Choice{f.serverChoice(), which, f.workChoice(servers)}, m.choices...)
}

// chosen is the option of a choice that is taken now.
func (m wizardModel) chosen(c Choice) Option {
	values := m.draft.Chosen
	switch c.ID {
	case choiceServers:
		n := len(m.included().servers(m.draft))
		for _, o := range c.Options {
			if o.Value == strconv.Itoa(n) {
				return o // also an even number, until it is mended
			}
		}
		return Option{Value: strconv.Itoa(n), Label: plural(n, "server")}
	case choiceWork:
		values = map[string]string{c.ID: m.draft.Work}
	}
	o, _ := picked(c, values)
	return o
}

func (m wizardModel) setChoice(c Choice, value string) wizardModel {
	m.problems = nil
	switch c.ID {
	case choiceServers:
		m.draft.ServerCount, m.draft.Servers = atoi(value), nil
	case choiceWork:
		m.draft.Work = value
	default:
		m.draft = m.draft.choose(c.ID, value)
	}
	return m
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}

func (m wizardModel) pressChoose(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	all := m.choosable()
	c := all[min(m.cur, len(all)-1)]
	switch {
	case key.Matches(msg, m.keys.Up), key.Matches(msg, m.keys.FieldBack):
		m.cur--
	case key.Matches(msg, m.keys.Down), key.Matches(msg, m.keys.Field):
		m.cur++
	case key.Matches(msg, m.keys.Top):
		m.cur = 0
	case key.Matches(msg, m.keys.Bottom):
		m.cur = len(all) - 1
	case key.Matches(msg, m.keys.Left):
		return m.turnChoice(c, -1), nil
	case key.Matches(msg, m.keys.Right):
		return m.turnChoice(c, 1), nil
	case key.Matches(msg, m.keys.Pick):
		if m.cur == rowServers {
			return m.pickServers(), nil
		}
		return m.pickOption(c), nil
	}
	m.cur = max(min(m.cur, len(all)-1), 0)
	return m, nil
}

// turnChoice goes to the option before or behind, over those that are impossible.
func (m wizardModel) turnChoice(c Choice, by int) wizardModel {
	possible := slices.DeleteFunc(slices.Clone(c.Options), func(o Option) bool { return o.Impossible })
	if len(possible) < 2 {
		return m
	}
	now := m.chosen(c)
	at := slices.IndexFunc(possible, func(o Option) bool { return o.Value == now.Value })
	return m.setChoice(c, possible[(at+by+len(possible))%len(possible)].Value)
}

// pickOption lists all options with their reasons, also those that are impossible.
func (m wizardModel) pickOption(c Choice) wizardModel {
	var items []pickItem
	for _, o := range c.Options {
		items = append(items, pickItem{id: o.Value, label: clean(o.Label), detail: []string{clean(o.Why), c.Why}, impossible: o.Impossible})
	}
	m.picker = newPicker(c.Title, items, []string{m.chosen(c).Value}, false,
		func(m wizardModel, ids []string) wizardModel { return m.setChoice(c, ids[0]) })
	return m
}

func (m wizardModel) pickServers() wizardModel {
	var items []pickItem
	f := m.included()
	for _, h := range f.hosts {
		gpus := f.seen[h.Name].GPUs
		if gpus == "" {
			gpus = "no GPU"
		}
		items = append(items, pickItem{id: h.Name, label: h.Name, detail: []string{h.Address + ", " + gpus}})
	}
	m.picker = newPicker("Which hosts are servers? An odd number: space takes one, enter ends", items, f.servers(m.draft), true,
		func(m wizardModel, ids []string) wizardModel {
			m.draft.Servers, m.draft.ServerCount, m.problems = ids, len(ids), nil
			return m
		})
	return m
}

// leaveChoose holds the control plane to an odd number.
func (m wizardModel) leaveChoose() (wizardModel, tea.Cmd) {
	switch n := len(m.included().servers(m.draft)); {
	case n == 0:
		m.problems = []string{"a cluster needs a server"}
		return m, nil
	case n%2 == 0:
		m.problems = []string{fmt.Sprintf("%d servers: an even number survives no more failures than %d, and one more machine can break; take %d or %d", n, n-1, n-1, n+1)}
		return m, nil
	}
	return m.enterReview()
}

// chooseLines draws the choices, and below what hangs on the one at the cursor.
func (m wizardModel) chooseLines() []string {
	all := m.choosable()
	titles := 0
	for _, c := range all {
		titles = max(titles, width(choiceTitle(c)))
	}
	titles = min(titles, m.width/2)
	var lines []string
	if note := m.included().plainSSH(); note != "" {
		lines = append(wrap(note, m.width, m.info.Render(m.sym.blocked)+" ", "  "), "")
	}
	rows := max(m.bodyHeight()-len(lines)-8, 3)
	top := max(min(m.cur-rows/2, len(all)-rows), 0)
	for i := top; i < min(top+rows, len(all)); i++ {
		lines = append(lines, m.choiceRow(all[i], i == m.cur, titles))
	}
	return append(lines, m.choiceWhy(all[min(m.cur, len(all)-1)])...)
}

func choiceTitle(c Choice) string {
	if c.GPUs != "" {
		return c.Title + " of " + c.GPUs
	}
	return c.Title
}

func (m wizardModel) choiceRow(c Choice, at bool, titles int) string {
	title, label := fit(choiceTitle(c), titles), clean(m.chosen(c).Label)
	possible := 0
	for _, o := range c.Options {
		if !o.Impossible {
			possible++
		}
	}
	if possible > 1 {
		label = m.styles.key.Render(m.sym.left+" ") + label + m.styles.key.Render(" "+m.sym.right)
	}
	if at {
		return m.styles.key.Render(m.sym.cursor) + " " + m.bold.Render(title) + "  " + label
	}
	return "  " + title + "  " + label
}

func (m wizardModel) choiceWhy(c Choice) []string {
	lines := []string{"", m.dim.Render(strings.Repeat(m.sym.rule, m.width))}
	lines = append(lines, wrap(c.Why, m.width, "", "")...)
	o := m.chosen(c)
	if o.Why != "" {
		lines = append(lines, wrap(clean(o.Label+": "+o.Why), m.width, "", "")...)
	}
	not := 0
	for _, option := range c.Options {
		if option.Impossible {
			not++
		}
	}
	if not > 0 {
		lines = append(lines, m.dim.Render(fmt.Sprintf("not offered: %s; enter says why", plural(not, "option"))))
	}
	return lines
}
