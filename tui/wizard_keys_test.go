package tui

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"
)

// wizardPath is keys, with texts to wait for and to paste between them, and what
// the screen must then show. "~x" waits for x, "=x" pastes x.
type wizardPath struct {
	backend func() *fakeBackend
	keys    []string
	want    string
}

func toConnect(more ...string) []string {
	return append([]string{"=" + trioAddresses, "ctrl+n", "~gpu2     10.0.0.12              ✓ answered"}, more...)
}

func toLook(more ...string) []string {
	return toConnect(append([]string{"ctrl+n", "~FINDINGS"}, more...)...)
}

func toChoose(more ...string) []string {
	return toLook(append([]string{"ctrl+n", "~servers of the control plane"}, more...)...)
}

func toReview(more ...string) []string {
	return toChoose(append([]string{"ctrl+n", "~✓ 3 changes"}, more...)...)
}

// wizardPaths drive every step, with a fake backend.
var wizardPaths = []wizardPath{
	// hosts
	{trio, []string{"tab"}, "❯ ssh_config"},
	{trio, []string{"shift+tab"}, "❯ private key"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab"}, "❯ rented from"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "right"}, "Amazon Web Services"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "right", "right", "left"}, "Amazon Web Services"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "left"}, "Vultr"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "up"}, "❯ cluster name"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "enter"}, "Rented from"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "enter", "n", "e", "b", "enter"}, "Nebius"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "enter", "down", "pgdown", "pgup", "enter"}, "‹ Amazon Web Services"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "enter", "down", "down", "up", "enter"}, "Amazon Web Services"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "enter", "x", "y", "z"}, "nothing has that text"},
	{trio, []string{"shift+tab", "shift+tab", "shift+tab", "enter", "esc"}, "‹ not said ›"},
	{trio, []string{"shift+tab", "enter"}, "❯ addresses"},
	{trio, []string{"shift+tab", "up"}, "❯ login"},
	{trio, []string{"tab", "down"}, "❯ or open"},
	{trio, []string{"tab", "enter", "down", " ", "enter"}, "gpubox"},
	{trio, []string{"tab", "enter", " ", " ", "down", " ", "enter"}, "❯ ssh_config   gpubox"},
	{trio, []string{"ctrl+n"}, "no host yet"},
	{trio, []string{"=10.0.0.[5-1]", "ctrl+n"}, "line 1: range"},
	{trio, []string{"?"}, "Everywhere"},
	{trio, []string{"?", "end"}, "save and apply now"},
	{trio, []string{"?", "down", "pgdown", "pgup", "up", "home", "esc"}, "or open"},
	{trio, []string{"?", "?"}, "or open"},
	{trio, []string{"esc"}, "Leave the wizard?"},
	{trio, []string{"ctrl+c"}, "Leave the wizard?"},
	{trio, []string{"ctrl+c", "n", "tab"}, "❯ ssh_config"},
	{trio, []string{"tab", "tab", "=nowhere.yaml", "ctrl+n"}, "reading nowhere.yaml: file does not exist"},
	// connect
	{trio, toConnect("down"), "❯ gpu1"},
	{trio, toConnect("j", "j", "k"), "── gpu1"},
	{trio, toConnect("end"), "── gpu2"},
	{trio, toConnect("G", "g", "down"), "── gpu1"},
	{trio, toConnect("G", "home", "j"), "── gpu1"},
	{trio, toConnect("x"), "- left out"},
	{trio, toConnect("x", "x", "ctrl+n"), "FINDINGS"},
	{trio, toConnect("x", "down", "x", "down", "x", "ctrl+n"), "every host is left out"},
	{troubled, toConnect("ctrl+n"), "no look at gpu1"},
	{troubled, toConnect("down", "r", "~gpu1     10.0.0.11              ✓ answered", "ctrl+n"), "FINDINGS"},
	{troubled, toConnect("R", "~gpu1     10.0.0.11              ✓ answered", "ctrl+n"), "FINDINGS"},
	{troubled, toConnect("down"), "ssh root@10.0.0.11"},
	{trio, toConnect("ctrl+p", "~or open", "ctrl+n"), "✓ answered"},
	{trio, toConnect("esc", "~or open", "tab"), "❯ ssh_config"},
	// look
	{trio, toLook("down"), "mlx5, 400 Gb/s"},
	{troubled, toConnect("R", "~gpu1     10.0.0.11              ✓ answered", "ctrl+n", "end"), "systemd-detect-virt: docker"},
	{troubled, toConnect("R", "~gpu1     10.0.0.11              ✓ answered", "ctrl+n", "~FINDINGS", "ctrl+n"), "findings forbid to go on with gpu2"},
	{troubled, toConnect("R", "~gpu1     10.0.0.11              ✓ answered", "ctrl+n", "end", "x", "ctrl+n"), "servers of the control plane"},
	{troubled, toConnect("R", "~gpu1     10.0.0.11              ✓ answered", "ctrl+n", "end", "pgdown", "pgdown", "pgup", "pgdown"), "InfiniBand"},
	{trio, toLook("esc"), "STATE"},
	// choose
	{trio, toChoose("right"), "‹ 3 servers ›"},
	{trio, toChoose("left"), "‹ 3 servers ›"},
	{trio, toChoose("right"), "cp1, gpu1, gpu2"},
	{trio, toChoose("enter", "down", "down", "enter"), "‹ 3 servers ›"},
	{trio, toChoose("enter", "down", "enter"), "an even number"},
	{trio, toChoose("down", "enter", " ", "down", " ", "enter"), "❯ which hosts are servers       gpu1"},
	{trio, toChoose("down", "enter", "down", " ", "enter", "ctrl+n"), "take 1 or 3"},
	{trio, toChoose("down", "enter", " ", "enter", "ctrl+n"), "[5 review]"},
	{trio, toChoose("tab", "tab", "right"), "servers also run work"},
	{trio, toChoose("j", "k", "down", "up", "end", "home", "down", "shift+tab", "down", "j", "j"), "Pods of different hosts talk over it."},
	{trio, toChoose("G", "k", "right"), "‹ 10.0.0.0/24 (eth1) ›"},
	{trio, toChoose("G", "enter", "down"), "this version does not set it up"},
	{trio, toChoose("esc"), "FINDINGS"},
	// review
	{trio, toReview("tab"), "install k3s as server (it is not there)"},
	{trio, toReview("tab", "~install k3s as server", "tab"), "# Made by gpuboot's wizard on 2026-12-01"},
	{trio, toReview("end"), "- gpu2=10.0.0.12"},
	{trio, toReview("pgdown", "pgup", "down", "up", "G", "g", "pgdown"), "- gpu2=10.0.0.12"},
	{trio, toReview("p", "2", "enter"), "save as inventory.yaml2"},
	{trio, toReview("p", "2", "esc", "tab"), "save as inventory.yaml"},
	{trio, toReview("esc", "~not offered", "right", "ctrl+n"), "role: both"},
	{blockedPlan, toReviewOf("✗ up would refuse this", "a"), "it cannot be applied as it is"},
	{blockedPlan, toReviewOf("✗ up would refuse this", "tab"), "gpuboot plan shows it"},
	{occupied, toReview("s"), "inventory.yaml is there already"},
	{occupied, toReview("s", "~is there already", "n", "2", "enter", "p"), "save as: inventory.yaml2"},
	{trio, toReview("p", "backspace", "enter", "~inventory.yam", "s"), ""},
}

// blockedPlan is a trio whose plan is refused.
func blockedPlan() *fakeBackend {
	b := trio()
	b.plan = hintError{"gpu1: another k3s is there", "gpuboot plan shows it"}
	return b
}

func toReviewOf(state string, more ...string) []string {
	return toChoose(append([]string{"ctrl+n", "~" + state}, more...)...)
}

// occupied is a trio with a file where the inventory would go.
func occupied() *fakeBackend {
	b := trio()
	b.files["inventory.yaml"] = "name: precious"
	return b
}

func TestEveryWizardPath(t *testing.T) {
	t.Parallel()
	for _, p := range wizardPaths {
		t.Run(strings.Join(p.keys, ","), func(t *testing.T) {
			t.Parallel()
			opt := wizardOptions(p.backend())
			m := newWizardModel(opt, newOutside(t.Context(), opt.Backend), colourless())
			tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
			for _, k := range p.keys {
				switch text, rest := k[:1], k[1:]; {
				case text == "~":
					waitFor(t, tm, rest)
				case text == "=":
					tm.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Paste: true})
				default:
					tm.Send(keyMsg(k))
				}
			}
			if p.want != "" {
				waitFor(t, tm, p.want)
				_ = tm.Quit()
			}
			tm.WaitFinished(t, teatest.WithFinalTimeout(patience))
		})
	}
}

func TestEveryWizardKeyIsExplainedAndTried(t *testing.T) {
	t.Parallel()
	w := newWiz(t, wizardOptions(trio()), size{120, 60})
	help := strings.Join(w.helpLines(), "\n")
	var pressed []string
	for _, p := range wizardPaths {
		pressed = append(pressed, p.keys...)
	}
	listed := 0
	for _, g := range w.keys.groups() {
		listed += len(g.keys)
	}
	v := reflect.ValueOf(w.keys)
	for i := range v.NumField() {
		b, name := v.Field(i).Interface().(key.Binding), v.Type().Field(i).Name
		if b.Help().Desc == "" || !strings.Contains(help, b.Help().Key) || !strings.Contains(help, b.Help().Desc) {
			t.Errorf("%s is not explained", name)
		}
		for _, k := range b.Keys() {
			if !slices.Contains(pressed, k) {
				t.Errorf("%s: no path presses %q", name, k)
			}
		}
	}
	if listed != v.NumField() {
		t.Errorf("the help lists %d of %d", listed, v.NumField())
	}
}
