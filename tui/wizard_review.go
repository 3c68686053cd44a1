package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/inventory"
)

// enterReview shows the inventory and asks for its plan, unless that is known.
func (m wizardModel) enterReview() (wizardModel, tea.Cmd) {
	m = m.goTo(stepReview)
	m.review.saving = false
	return m.askPlan()
}

func (m wizardModel) askPlan() (wizardModel, tea.Cmd) {
	text := m.inventory()
	if m.review.asked && string(m.review.text) == string(text) {
		return m, nil
	}
	m.review.state, m.review.err, m.review.text, m.review.asked = nil, nil, text, true
	if err := m.selfCheck(text); err != nil {
		m.problems = err
		return m, nil
	}
	return m, m.out.plan(m.path(), text)
}

// selfCheck holds the text that the wizard wrote to the rules for inventories
// that people write.
func (m wizardModel) selfCheck(text []byte) []string {
	_, err := inventory.Parse(m.path(), text)
	problems, _ := errors.AsType[inventory.Problems](err)
	var out []string
	for _, p := range problems {
		out = append(out, clean(p.Error()))
	}
	return out
}

func (m wizardModel) pressReview(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Tab):
		m.review.plan, m.text = !m.review.plan, pager{}
	case key.Matches(msg, m.keys.Path):
		return m.editPath(), nil
	case key.Matches(msg, m.keys.Save):
		return m.save(thenLeave, false)
	case key.Matches(msg, m.keys.Apply):
		return m.save(thenApply, false)
	default:
		m.text = m.text.scrolled(m.keys, msg)
	}
	return m, nil
}

// editPath lets the person type where the inventory goes.
func (m wizardModel) editPath() wizardModel {
	if m.file != nil {
		m.problems = []string{m.draft.File + " is saved already"}
		return m
	}
	m.review.path = newField("save as: ")
	m.review.path.SetValue(m.draft.Path)
	m.review.path.CursorEnd()
	m.review.path.Focus()
	m.review.editing = true
	return m
}

func (m wizardModel) pressPath(msg tea.KeyMsg) (wizardModel, tea.Cmd) {
	switch msg.Type {
	case tea.KeyEnter:
		if path := clean(strings.TrimSpace(m.review.path.Value())); path != "" {
			m.draft.Path = path
		}
		m.review.editing = false
	case tea.KeyEsc:
		m.review.editing = false
	default:
		var cmd tea.Cmd
		m.review.path, cmd = m.review.path.Update(msg)
		return m, cmd
	}
	return m.askPlan() // the path may matter for relative paths inside
}

// save writes the inventory; an opened one is there already.
func (m wizardModel) save(then afterSave, replace bool) (wizardModel, tea.Cmd) {
	m.problems = nil
	switch {
	case m.review.saving:
		return m, nil
	case then == thenApply && m.review.state == nil:
		m.problems = []string{"the plan is not known yet"}
		return m, nil
	case then == thenApply && m.review.err != nil:
		m.problems = []string{"it cannot be applied as it is: tab shows why"}
		return m, nil
	}
	if problems := m.selfCheck(m.review.text); len(problems) > 0 {
		m.problems = problems
		return m, nil
	}
	if m.file != nil {
		return m.saved(savedMsg{path: m.path(), then: then})
	}
	m.review.saving = true
	draft := ""
	if len(m.opt.Draft) > 0 {
		draft = m.opt.DraftPath
	}
	return m, m.out.save(m.draft.Path, m.review.text, replace, then, draft)
}

// saved goes on when a write has ended.
func (m wizardModel) saved(msg savedMsg) (wizardModel, tea.Cmd) {
	m.review.saving = false
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		return m.askReplace(msg.then), nil
	case msg.err != nil:
		m.problems = []string{clean(msg.err.Error())}
		return m, nil
	case msg.then == thenDraft:
		m.result = Result{Draft: true}
		m.farewell = "draft kept in " + msg.path + "; gpuboot offers it again"
	default:
		m.result = Result{Path: msg.path, Apply: msg.then == thenApply}
		if !m.result.Apply {
			m.farewell = "inventory: " + msg.path + "\nnext: gpuboot up " + msg.path
		}
	}
	return m, tea.Quit
}

// reviewLines is the text of the step: the inventory, or the plan.
func (m wizardModel) reviewLines() []string {
	if m.review.plan {
		return m.planLines()
	}
	var lines []string
	for l := range strings.SplitSeq(strings.TrimRight(string(m.review.text), "\n"), "\n") {
		l = clean(strings.ReplaceAll(l, "\t", "    "))
		style := m.styles.plainText
		if strings.HasPrefix(strings.TrimSpace(l), "#") {
			style = m.dim
		}
		for _, part := range wrap(l, m.width, "", spaces(len(l)-len(strings.TrimLeft(l, " "))+2)) {
			lines = append(lines, style.Render(part))
		}
	}
	return lines
}

// planLines is the plan with its reasons.
func (m wizardModel) planLines() []string {
	r := m.review
	if r.state == nil {
		return []string{m.dim.Render("asking for the plan " + m.sym.more)}
	}
	var lines []string
	if r.err != nil {
		info := engine.Describe("", r.err)
		info.Cause, info.Hint, info.Output = cleanText(info.Cause), cleanText(info.Hint), cleanText(info.Output)
		lines = append(lines, m.bad.Render(m.sym.failed+" up would refuse this"))
		lines = append(lines, m.errorInfo(info, m.width)...)
		lines = append(lines, "")
	}
	if len(r.state.Changes) == 0 && r.err == nil {
		lines = append(lines, "Nothing would be changed.")
	} else if r.err == nil {
		lines = append(lines, fmt.Sprintf("%s would be made, none has been.", plural(len(r.state.Changes), "change")))
	}
	return append(lines, m.notes(r.state.Findings, r.state.Warnings, r.state.Changes, m.width)...)
}

// reviewHead says what is on the screen and where it will go.
func (m wizardModel) reviewHead() string {
	tabs := []string{" inventory ", " plan "}
	at := 0
	if m.review.plan {
		at = 1
	}
	tabs[at] = m.styles.key.Render("[" + strings.TrimSpace(tabs[at]) + "]")
	state := "the plan is being made"
	switch {
	case m.review.state == nil:
	case m.review.err != nil:
		state = m.bad.Render(m.sym.failed + " up would refuse this")
	default:
		state = m.good.Render(m.sym.done) + " " + plural(len(m.review.state.Changes), "change")
	}
	file := "save as " + m.path()
	if m.file != nil {
		file = m.path() + ", as it stands"
	}
	return strings.Join(tabs, " ") + "  " + state + "  " + m.dim.Render(file)
}
