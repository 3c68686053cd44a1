package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// streams are the recorded runs that goldens are made of.
func streams() map[string]func() *script {
	return map[string]func() *script{"fresh": freshTrio, "broken": brokenTrio, "fleet": fleet}
}

func TestLiveTable(t *testing.T) {
	t.Parallel()
	for name, make := range streams() {
		for dim, at := range sizes() {
			t.Run(name+"/"+dim, func(t *testing.T) {
				t.Parallel()
				goldenFrame(t, liveOf(make(), at).View(), at)
			})
		}
	}
}

func TestLivePages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stream *script
		keys   []string
	}{
		"fresh/steps":    {freshTrio(), []string{"enter"}},
		"fresh/output":   {freshTrio(), []string{"enter", "tab", "tab"}},
		"fresh/no-pane":  {freshTrio(), []string{"o"}},
		"fleet/pane":     {fleet(), []string{"down", "o"}},
		"fresh/gates":    {freshTrio(), []string{"w"}},
		"fresh/notes":    {freshTrio(), []string{"n"}},
		"fresh/help":     {freshTrio(), []string{"?"}},
		"fresh/help-end": {freshTrio(), []string{"?", "end"}},
		"fresh/stop":     {freshTrio(), []string{"ctrl+c"}},
		"fresh/stopping": {freshTrio(), []string{"ctrl+c", "y"}},
		"fresh/leave":    {freshTrio(), []string{"ctrl+c", "y", "ctrl+c"}},
		"broken/error":   {brokenTrio(), []string{"enter"}},
		"broken/blocked": {brokenTrio(), []string{"down", "enter"}},
		"fleet/failed":   {fleet(), []string{"f"}},
		"fleet/open":     {fleet(), []string{"u", "end"}},
		"fleet/name":     {fleet(), []string{"/", "0", "9"}},
		"fleet/nothing":  {fleet(), []string{"/", "x", "enter"}},
		"fleet/gates":    {fleet(), []string{"w"}},
	} {
		for dim, at := range sizes() {
			t.Run(name+"/"+dim, func(t *testing.T) {
				t.Parallel()
				m := liveOf(c.stream, at)
				m.cancel = func() {}
				m = press(m, c.keys...)
				goldenFrame(t, m.View(), at)
			})
		}
	}
}

func TestLiveQuestions(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]*question{
		"yes":    newQuestion("These changes disturb running work:\n  gpu1: restart k3s: its configuration differs; 3 pods hold GPUs here\nGo on? [yes]", false),
		"secret": newQuestion("sudo password of gpu1:", true),
	} {
		for dim, at := range sizes() {
			t.Run(name+"/"+dim, func(t *testing.T) {
				t.Parallel()
				m := send(liveOf(freshTrio(), at), askMsg{q})
				goldenFrame(t, press(m, "y", "e").View(), at)
			})
		}
	}
}

// Names that are long, wide, or hostile must not push the table apart.
func TestWideAndLongNames(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.run("gpuboot up 訓練クラスター.yaml")
	hosts := []string{
		"gpu-node-with-a-very-long-name.rack-17.dc-north.example.net", "gpu-node-with-a-very-long-name.rack-18.dc-north.example.net",
		"訓練ノード一号機の長い名前", "узел-7", "👩🏽‍🚀-node", "ev\x1b[31mil\x07\u202etxt", "n",
	}
	s.phase(phaseApply, hosts...)
	for _, h := range hosts {
		j := job{h, workerSteps()}
		s.start(j, 1)
		s.output(j, 1, "\x1b[2J\x1b[1;1Hdownloading 10%\rdownloading 20%\r\n", "進捗 ▇▇▇ 40%")
		s.emit(engine.Event{Kind: engine.KindNote, Host: h, Step: "install k3s", Message: "ダウンロード中です、少々お待ちください、とても長いメモ"})
	}
	for dim, at := range sizes() {
		t.Run(dim, func(t *testing.T) {
			t.Parallel()
			goldenFrame(t, liveOf(s, at).View(), at)
		})
	}
}

func TestManyStagesFitByShowingTheLast(t *testing.T) {
	t.Parallel()
	s := thousand(3, 60)
	s.events = s.events[:len(s.events)/2]
	for dim, at := range sizes() {
		t.Run(dim, func(t *testing.T) {
			t.Parallel()
			goldenFrame(t, liveOf(s, at).View(), at)
		})
	}
}

// Whatever the size, the picture fits it.
func TestEverySizeFits(t *testing.T) {
	t.Parallel()
	for _, w := range []int{minWidth, 41, 57, 79, 100, 251} {
		for _, h := range []int{minHeight, 13, 17, 90} {
			at := size{w, h}
			m := liveOf(fleet(), at)
			m.cancel = func() {}
			for _, keys := range [][]string{{}, {"o"}, {"enter"}, {"?"}, {"n"}, {"w"}, {"ctrl+c"}, {"/", "x"}} {
				checkFrame(t, press(m, keys...).View(), at)
			}
		}
	}
	m := press(liveOf(fleet(), size{200, 60}), "end", "o")
	for _, at := range []size{{80, 24}, {minWidth, minHeight}, {250, 70}, {80, 24}} {
		m = send(m, tea.WindowSizeMsg{Width: at.w, Height: at.h})
		checkFrame(t, m.View(), at)
		if !strings.Contains(m.View(), m.sym.cursor+" gpu100") {
			t.Errorf("the host at the cursor went out of sight at %v", at)
		}
	}
	if v := liveOf(fleet(), size{20, 5}).View(); width(v) > 20 {
		t.Errorf("too small: %q", v)
	}
}
