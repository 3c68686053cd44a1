package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// BenchmarkFrame is one picture of a run of 1,000 hosts with 20 steps each at
// 200×60: the snapshot with every row made anew, Update and View. The house allows
// 5 ms for Update and View.
func BenchmarkFrame(b *testing.B) {
	s := thousand(1000, 20)
	f := feedOf(s.events[:len(s.events)*2/3])
	for name, keys := range map[string][]string{"table": nil, "pane": {"o"}, "filter": {"/", "1"}, "host": {"enter"}, "output": {"enter", "tab", "tab"}, "gates": {"w"}, "notes": {"n"}} {
		b.Run(name, func(b *testing.B) {
			m := send(newLiveModel(f, colourless()), tea.WindowSizeMsg{Width: 200, Height: 60})
			m = press(m, keys...)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				f.board.touchAll()
				snap := f.picture(m.focus())
				b.StartTimer()
				next, _ := m.Update(frameMsg{snap, false})
				if next.View() == "" {
					b.Fatal("nothing drawn")
				}
			}
		})
	}
}

// BenchmarkSnapshot is what a picture costs the run that is pictured, as events
// wait for it: every row made anew.
func BenchmarkSnapshot(b *testing.B) {
	s := thousand(1000, 20)
	f := feedOf(s.events[:len(s.events)*2/3])
	b.ReportAllocs()
	for b.Loop() {
		f.board.touchAll()
		f.picture("")
	}
}

// BenchmarkTake is what an event costs its sender.
func BenchmarkTake(b *testing.B) {
	s := thousand(1000, 20)
	b.ReportAllocs()
	f, i := newFeed(nil, nil), 0
	for b.Loop() {
		if i == len(s.events) {
			f, i = newFeed(nil, nil), 0
		}
		f.take(s.events[i])
		i++
	}
}

// BenchmarkKey is a key pressed in a run of 1,000 hosts.
func BenchmarkKey(b *testing.B) {
	s := thousand(1000, 20)
	m := send(newLiveModel(feedOf(s.events[:len(s.events)/2]), colourless()), tea.WindowSizeMsg{Width: 200, Height: 60})
	var model tea.Model = m
	for b.Loop() {
		model, _ = model.Update(keyMsg("down"))
		_ = model.View()
	}
}

// BenchmarkWizard is a key pressed in a wizard that looks at 250 hosts, as many as the default pod network has room for.
func BenchmarkWizard(b *testing.B) {
	var text strings.Builder
	for i := range 250 {
		fmt.Fprintf(&text, "gpu%04d=10.%d.%d.%d\n", i, 1+i/62500, i/250%250, 1+i%250)
	}
	opt := wizardOptions(newFake())
	m := newWizardModel(opt, newOutside(b.Context(), opt.Backend), colourless())
	m.width, m.height = 200, 60
	m.form.addresses.SetValue(text.String())
	m, look := m.leaveHosts()
	done := look().(lookedMsg)
	next, _ := m.Update(sightsMsg{round: m.round, sights: m.out.sights.clone(), now: today()})
	next, _ = next.Update(done)
	for _, s := range []step{stepConnect, stepLook, stepChoose, stepReview} {
		b.Run(s.String(), func(b *testing.B) {
			model := next
			for model.(wizardModel).step < s {
				model, _ = model.Update(keyMsg("ctrl+n"))
			}
			for b.Loop() {
				model, _ = model.Update(keyMsg("down"))
				_ = model.View()
			}
		})
	}
}
