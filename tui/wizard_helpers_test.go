package tui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func today() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

// trio is a server without GPUs and two hosts with eight each.
func trio() *fakeBackend {
	b := newFake()
	b.hosts["cp1"] = fakeHost{seen: Seen{}, facts: map[string]string{"os": "Ubuntu 24.04.3 LTS", "memory": "62 GiB", "gpus": "none", "disks": "nvme0n1 894 GiB, in use"}}
	for _, name := range []string{"gpu1", "gpu2"} {
		b.hosts[name] = fakeHost{
			seen: Seen{GPUs: "8x H100", GPUCount: 8},
			facts: map[string]string{
				"os": "Ubuntu 24.04.3 LTS", "memory": "2015 GiB", "gpus": "8x NVIDIA H100 80GB HBM3", "driver": "580.95.05",
				"rdma": "8x mlx5, 400 Gb/s, InfiniBand", "disks": "nvme0n1 1788 GiB, in use; nvme1n1 3576 GiB, free",
			},
		}
	}
	return b
}

// troubled is a trio of which one host fails at first and one has findings.
func troubled() *fakeBackend {
	b := trio()
	h := b.hosts["gpu1"]
	h.fails = []error{hintError{"login refused for ubuntu: tried the agent's 2 keys", "try another login: ssh root@10.0.0.11"}}
	b.hosts["gpu1"] = h
	h = b.hosts["gpu2"]
	h.fails = nil
	h.findings = []engine.Event{
		{Level: "block", ID: "container", Message: "this is a container rented by the provider, it has no own kernel", Evidence: "systemd-detect-virt: docker", Fix: "rent a VM or a bare-metal machine"},
		{Level: "warn", ID: "small-disk", Message: "/var has 21 GB free", Evidence: "df: /dev/vda1 40G 19G", Fix: "100 GB are advised"},
	}
	b.hosts["gpu2"] = h
	return b
}

const trioAddresses = "cp1=10.0.0.10\ngpu[1-2]=10.0.0.[11-12]"

// someChoices are what a caller may offer: one for the cluster, one for the hosts
// of each kind of GPU.
func someChoices(seen []Seen) []Choice {
	out := []Choice{{
		ID: "interface", Key: "defaults.interface", Title: "network between hosts", Why: "Pods of different hosts talk over it.",
		Options: []Option{
			{Label: "gpuboot decides: eth1", Why: "private, and reaches every host"},
			{Value: "10.0.0.0/24", Label: "10.0.0.0/24 (eth1)", Why: "the same, written down"},
			{Value: "203.0.113.0/24", Label: "203.0.113.0/24 (eth0)", Why: "public: traffic would be paid for", Impossible: true},
		},
	}}
	kinds := map[string]bool{}
	for _, s := range seen {
		if s.GPUs == "" || kinds[s.GPUs] {
			continue
		}
		kinds[s.GPUs] = true
		out = append(out, Choice{ID: "mode-" + s.GPUs, Title: "GPU mode", Why: "How pods share a GPU.", GPUs: s.GPUs, Options: []Option{
			{Label: "whole GPUs", Why: "a pod gets a GPU for itself"},
			{Value: "mig", Label: "MIG", Why: "this version does not set it up", Impossible: true},
		}})
	}
	return out
}

func wizardOptions(b Backend) WizardOptions {
	return WizardOptions{
		Backend: b, Path: "inventory.yaml", DraftPath: "draft.json", Choices: someChoices, Now: today,
		SSHHosts: []SSHHost{{"bastion", "198.51.100.1", "ops"}, {"gpubox", "", ""}},
	}
}

// wiz is a wizard whose commands run one after the other, where they end by
// themselves. Questions of looks need a running program.
type wiz struct {
	wizardModel
	t    *testing.T
	left bool
}

func newWiz(t *testing.T, opt WizardOptions, at size) *wiz {
	t.Helper()
	w := &wiz{wizardModel: newWizardModel(opt, newOutside(t.Context(), opt.Backend), colourless()), t: t}
	w.take(tea.WindowSizeMsg{Width: at.w, Height: at.h})
	return w
}

// take gives a message to the model, runs the command it gives, and shows what the
// outside has seen meanwhile.
func (w *wiz) take(msg tea.Msg) {
	w.t.Helper()
	next, cmd := w.Update(msg)
	w.wizardModel = next.(wizardModel)
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		w.left = true
	default:
		w.see()
		w.take(msg)
	}
}

func (w *wiz) see() {
	w.out.mu.Lock()
	s := sightsMsg{round: w.out.round, sights: w.out.sights.clone(), now: today()}
	w.out.mu.Unlock()
	next, _ := w.Update(s)
	w.wizardModel = next.(wizardModel)
}

func (w *wiz) press(keys ...string) {
	w.t.Helper()
	for _, k := range keys {
		w.take(keyMsg(k))
	}
}

// paste puts a text into the field with the cursor, as a terminal does.
func (w *wiz) paste(s string) {
	w.t.Helper()
	w.take(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
}

// toStep goes to a step with the trio's addresses.
func (w *wiz) toStep(s step) {
	w.t.Helper()
	w.paste(trioAddresses)
	for range s {
		w.press("ctrl+n")
	}
	if w.step != s {
		w.t.Fatalf("at step %s, not %s: %q", w.step, s, fmt.Sprint(w.problems))
	}
}
