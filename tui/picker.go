package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// pickItem is one line of a picker.
type pickItem struct {
	id, label  string
	detail     []string // explained below the list, a paragraph each
	impossible bool     // listed for its detail, cannot be taken
}

// picker is a list to choose from, over the whole body: of one item, or of any
// number. Typing narrows it.
type picker struct {
	title  string
	items  []pickItem
	many   bool
	taken  []string // ids
	cur    int      // in shown
	filter textinput.Model
	done   func(m wizardModel, ids []string) wizardModel
}

func newPicker(title string, items []pickItem, taken []string, many bool, done func(wizardModel, []string) wizardModel) *picker {
	p := &picker{title: title, items: items, many: many, taken: slices.Clone(taken), filter: newField("type to narrow: "), done: done}
	p.filter.Focus()
	for i, it := range items {
		if !many && slices.Contains(taken, it.id) {
			p.cur = i
		}
	}
	return p
}

// shown are the items that have what was typed.
func (p *picker) shown() []pickItem {
	return slices.DeleteFunc(slices.Clone(p.items), func(it pickItem) bool {
		return !nameHas(it.label+" "+it.id+" "+strings.Join(it.detail, " "), p.filter.Value())
	})
}

// pressPicker takes a key for the picker that is open.
func (m wizardModel) pressPicker(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	p := *m.picker
	shown := p.shown()
	switch msg.Type {
	case tea.KeyEsc:
		m.picker = nil
		return m, nil
	case tea.KeyUp:
		p.cur--
	case tea.KeyDown:
		p.cur++
	case tea.KeyPgUp:
		p.cur -= m.pickerRows()
	case tea.KeyPgDown:
		p.cur += m.pickerRows()
	case tea.KeySpace:
		if p.many && p.cur < len(shown) && !shown[p.cur].impossible {
			p.taken = toggled(p.taken, shown[p.cur].id)
		}
	case tea.KeyEnter:
		return m.takePicked(p, shown)
	default:
		p.filter, _ = p.filter.Update(msg)
		shown = p.shown()
	}
	p.cur = max(min(p.cur, len(shown)-1), 0)
	m.picker = &p
	return m, nil
}

func (m wizardModel) takePicked(p picker, shown []pickItem) (wizardModel, tea.Cmd) {
	if !p.many {
		if p.cur >= len(shown) || shown[p.cur].impossible {
			return m, nil
		}
		p.taken = []string{shown[p.cur].id}
	}
	m.picker = nil
	return p.done(m, p.taken), nil
}

func toggled(ids []string, id string) []string {
	if i := slices.Index(ids, id); i >= 0 {
		return slices.Delete(slices.Clone(ids), i, i+1)
	}
	return append(slices.Clip(ids), id)
}

// pickerRows is how many items are on the screen.
func (m wizardModel) pickerRows() int { return max((m.bodyHeight()-4)/2, 3) }

// pickerLines draws the list, then what is to be said of the item at the cursor.
func (m wizardModel) pickerLines() []string {
	p := m.picker
	shown := p.shown()
	rows := m.pickerRows()
	top := max(min(p.cur-rows/2, len(shown)-rows), 0)
	lines := []string{m.header.Render(p.title), truncate(p.filter.View(), m.width)}
	for i := top; i < min(top+rows, len(shown)); i++ {
		lines = append(lines, m.pickerLine(shown[i], i == p.cur))
	}
	if len(shown) == 0 {
		return append(lines, m.dim.Render("  nothing has that text"))
	}
	lines = append(lines, m.dim.Render(strings.Repeat(m.sym.rule, m.width)))
	for _, d := range shown[p.cur].detail {
		lines = append(lines, wrap(d, m.width, "  ", "  ")...)
	}
	return lines
}

func (m wizardModel) pickerLine(it pickItem, at bool) string {
	mark, sign := "  ", m.sym.radioOff
	taken := slices.Contains(m.picker.taken, it.id)
	switch {
	case m.picker.many && taken:
		sign = m.sym.tickOn
	case m.picker.many:
		sign = m.sym.tickOff
	case taken:
		sign = m.sym.radioOn
	}
	label := it.label
	if it.impossible {
		label = m.dim.Render(label + " (not possible here)")
		sign = m.dim.Render(m.sym.skipped)
	}
	if at {
		mark = m.styles.key.Render(m.sym.cursor) + " "
		label = m.bold.Render(label)
	}
	return mark + sign + " " + label
}
