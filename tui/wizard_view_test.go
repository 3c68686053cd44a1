package tui

import (
	"io"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// The wizard's screens, with a fake backend.
func TestWizardScreens(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(w *wiz){
		"hosts/empty":     func(*wiz) {},
		"hosts/filled":    func(w *wiz) { w.paste(trioAddresses); w.press("shift+tab", "shift+tab", "shift+tab", "right", "right") },
		"hosts/problem":   func(w *wiz) { w.paste("gpu1=10.0.0.11\n10.0.0.11, Bad_Name=10.0.0.12\nroot@[::1"); w.press("ctrl+n") },
		"hosts/container": func(w *wiz) { w.setForTest("runpod") },
		"hosts/providers": func(w *wiz) { w.press("shift+tab", "shift+tab", "shift+tab", "enter", "v", "a", "s", "t") },
		"hosts/aliases":   func(w *wiz) { w.press("tab", "enter", " ") },
		"hosts/leave":     func(w *wiz) { w.paste("10.0.0.1"); w.press("ctrl+c") },
		"hosts/help":      func(w *wiz) { w.press("?") },
		"connect/done":    func(w *wiz) { w.toStep(stepConnect) },
		"look/gpus":       func(w *wiz) { w.toStep(stepLook); w.press("down") },
		"choose/start":    func(w *wiz) { w.toStep(stepChoose) },
		"choose/why":      func(w *wiz) { w.toStep(stepChoose); w.press("enter", "down") },
		"choose/servers":  func(w *wiz) { w.toStep(stepChoose); w.press("down", "enter", "down", " ") },
		"choose/even":     func(w *wiz) { w.toStep(stepChoose); w.press("down", "enter", "down", " ", "enter", "ctrl+n") },
		"choose/callers":  func(w *wiz) { w.toStep(stepChoose); w.press("end", "up", "right") },
		"review/yaml":     func(w *wiz) { w.toStep(stepReview) },
		"review/plan":     func(w *wiz) { w.toStep(stepReview); w.press("tab") },
		"review/path":     func(w *wiz) { w.toStep(stepReview); w.press("p") },
	} {
		for dim, at := range sizes() {
			t.Run(name+"/"+dim, func(t *testing.T) {
				t.Parallel()
				w := newWiz(t, wizardOptions(trio()), at)
				show(w)
				goldenFrame(t, w.View(), at)
			})
		}
	}
}

func (w *wiz) setForTest(provider string) { w.wizardModel = w.setProvider(provider).resize() }

func TestWizardScreensOfTrouble(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(w *wiz){
		"connect": func(w *wiz) { w.toStep(stepConnect); w.press("down") },
		"stays":   func(w *wiz) { w.toStep(stepConnect); w.press("ctrl+n") },
		"dropped": func(w *wiz) { w.toStep(stepConnect); w.press("down", "x") },
		"look":    func(w *wiz) { w.toStep(stepConnect); w.press("down", "r", "ctrl+n", "end") },
	} {
		for dim, at := range sizes() {
			t.Run(name+"/"+dim, func(t *testing.T) {
				t.Parallel()
				w := newWiz(t, wizardOptions(troubled()), at)
				show(w)
				goldenFrame(t, w.View(), at)
			})
		}
	}
}

// One host and one GPU: the wizard says that SSH may be enough.
func TestOneGPUScreen(t *testing.T) {
	t.Parallel()
	for dim, at := range sizes() {
		t.Run(dim, func(t *testing.T) {
			t.Parallel()
			w := newWiz(t, wizardOptions(newFake()), at)
			w.paste("203.0.113.7")
			w.press("ctrl+n", "ctrl+n", "ctrl+n")
			goldenFrame(t, w.View(), at)
		})
	}
}

// Whatever the size, and in the middle of everything, the picture fits it.
func TestEverySizeFitsTheWizard(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"hosts": nil, "leave": {"ctrl+c"}, "help": {"?"}, "connect": {"ctrl+n"}, "look": {"ctrl+n", "ctrl+n"}, "choose": {"ctrl+n", "ctrl+n", "ctrl+n"},
		"list": {"ctrl+n", "ctrl+n", "ctrl+n", "enter"}, "review": {"ctrl+n", "ctrl+n", "ctrl+n", "ctrl+n"}, "plan": {"ctrl+n", "ctrl+n", "ctrl+n", "ctrl+n", "tab"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWiz(t, wizardOptions(trio()), size{80, 24})
			w.paste(trioAddresses + "\nlong[1-60]=a-very-long-name.example.net-[1-60]")
			w.press(keys...)
			for _, at := range []size{{200, 60}, {minWidth, minHeight}, {41, 70}, {79, 13}, {251, 12}, {100, 24}} {
				w.take(tea.WindowSizeMsg{Width: at.w, Height: at.h})
				checkFrame(t, w.View(), at)
			}
			w.take(tea.WindowSizeMsg{Width: 9, Height: 3})
			if width(w.View()) > 9 {
				t.Errorf("too small: %q", w.View())
			}
		})
	}
}

func TestTheWizardInASCII(t *testing.T) {
	t.Parallel()
	w := newWiz(t, wizardOptions(troubled()), size{80, 24})
	w.styles = newStyles(io.Discard, func(string) string { return "" }, true)
	w.paste(trioAddresses)
	for _, k := range []string{"?", "?", "ctrl+n", "R", "ctrl+n", "down", "down", "x", "ctrl+n", "enter", "esc", "ctrl+n", "tab", "ctrl+c"} {
		w.press(k)
		for _, r := range w.View() {
			if r > '~' {
				t.Fatalf("%q in\n%s", r, w.View())
			}
		}
	}
}
