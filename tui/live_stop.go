package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// wantStop is what a wish to end leads to: out at once where nothing can be lost,
// else a question.
func (m liveModel) wantStop() (tea.Model, tea.Cmd) {
	switch {
	case m.snap.closed || m.cancel == nil:
		m.left = !m.snap.closed
		return m, tea.Quit
	case m.stop == stopSent:
		m.stop = stopLeave
	default:
		m.stop = stopAsked
	}
	return m.refresh(), nil
}

// keyStop takes the answer to either question. Ctrl-C once more means yes, as it
// does everywhere; anything else but y means no.
func (m liveModel) keyStop(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	yes := msg.String() == "y" || msg.String() == "Y" || msg.Type == tea.KeyCtrlC
	switch {
	case m.stop == stopAsked && msg.String() == "d":
		m.left = true
		return m, tea.Quit
	case m.stop == stopAsked && yes:
		m.stop = stopSent
		stop := m.cancel
		return m.refresh(), func() tea.Msg { stop(); return nil }
	case m.stop == stopAsked:
		m.stop = stopNo
	case yes:
		m.left = true
		return m, tea.Quit
	default:
		m.stop = stopSent
	}
	return m.refresh().leaveIfOver()
}

// stopLines draws what the wish to end has come to.
func (m liveModel) stopLines() []string {
	t := m.snap.tally
	switch m.stop {
	case stopAsked:
		text := m.warn.Render("Stop the run?") + fmt.Sprintf(" %d hosts are in the middle of a step, %d wait, %d have not begun. "+
			"Running steps are told to end and are waited for. What was done stays; the same command again goes on from there.", t.Running, t.Waiting, t.NotBegun)
		return append(wrap(text, m.width, "", ""),
			m.styles.key.Render("y")+" stop  "+m.styles.key.Render("n")+" go on  "+m.styles.key.Render("d")+" leave the view, the run goes on")
	case stopSent:
		return []string{m.warn.Render("Stopping: ") + fmt.Sprintf("waiting for %d running steps to end. ctrl+c again leaves the view.", t.Running)}
	case stopLeave:
		return []string{
			m.warn.Render("Leave the view?") + fmt.Sprintf(" %d steps still end by themselves; the command waits for them.", t.Running),
			m.styles.key.Render("y") + " leave  " + m.styles.key.Render("n") + " stay",
		}
	}
	return nil
}
