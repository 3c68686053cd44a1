package tui

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

func TestFromAddressesToAnInventory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key   string
		apply bool
	}{"save": {"s", false}, "save and apply": {"a", true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := trio()
			r := begin(t, wizardOptions(b)).does(
				"~addresses", pasted(trioAddresses), ctrlN, "~✓ answered", "~10.0.0.12", "~HOST",
				ctrlN).waitStep(b, ctrlN, "~not offered", ctrlN, "~✓ 3 changes", c.key).ends()
			if r != (Result{Path: "inventory.yaml", Apply: c.apply}) {
				t.Errorf("result %+v", r)
			}
			text, ok := b.file("inventory.yaml")
			if !ok {
				t.Fatal("nothing saved")
			}
			inv, err := inventory.Parse("inventory.yaml", []byte(text))
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if len(inv.Hosts) != 3 || inv.Hosts[0].Role != inventory.RoleServer || inv.Hosts[2].GPUs.Count != 8 || inv.Name != "gpu" {
				t.Errorf("inventory %+v", inv)
			}
			if !slices.Contains(b.plans, text) {
				t.Error("what was saved is not what was planned")
			}
		})
	}
}

func TestKeysAndPasswordsAreAsked(t *testing.T) {
	t.Parallel()
	b := newFake()
	for _, h := range []string{"a", "b"} {
		b.hosts[h] = fakeHost{key: &HostKey{Host: h, Address: "10.0.0.1:22", Type: "ssh-ed25519", Fingerprint: "SHA256:print-of-" + h}, secret: "passphrase of id_" + h + ":"}
	}
	s := begin(t, wizardOptions(b)).does(
		"~addresses", pasted("a=10.0.0.1\nb=10.0.0.2"), ctrlN,
		"~SHA256:print-of-a", "y", "~passphrase of id_a", "hunter2", "~*******", enter,
		"~SHA256:print-of-b", "n", "~host key refused",
		"G", "r")
	s.waitForAgain("SHA256:print-of-b").does("a", "~passphrase of id_b", "\x1b", "~not answered")
	s.does(ctrlC, "~Leave the wizard?", "y")
	if r := s.ends(); r != (Result{}) {
		t.Errorf("result %+v", r)
	}
	if want := []string{"a key true", "a secret hunter2", "b key false", "b key true"}; !slices.Equal(b.told, want) {
		t.Errorf("told %q", b.told)
	}
	if strings.Contains(s.written(), "hunter2") {
		t.Error("the passphrase is on the screen")
	}
}

func TestAnExistingInventoryIsUsedAsItStands(t *testing.T) {
	t.Parallel()
	const text = "# mine\nname: old\npools:\n  - {name: all, role: both, hosts: [\"a=10.0.0.1\"]}\n"
	b := newFake()
	b.files["old.yaml"] = text
	s := begin(t, wizardOptions(b)).does("~or open", "\t\t", "old.yaml", ctrlN, "~✓ answered",
		"x", "~used as it stands", ctrlN, "~FINDINGS", ctrlN, "~✓ 1 change", "p", "~saved already", "s")
	if r := s.ends(); r.Path != "old.yaml" || r.Apply {
		t.Errorf("result %+v", r)
	}
	if got, _ := b.file("old.yaml"); got != text {
		t.Errorf("the file was changed to %q", got)
	}
}

func TestABrokenInventoryIsExplained(t *testing.T) {
	t.Parallel()
	b := newFake()
	b.files["bad.yaml"] = "name: x\npools: 3\n"
	s := begin(t, wizardOptions(b)).does("~or open", "\t\t", "bad.yaml", ctrlN, "~bad.yaml:2:")
	s.stop()
	<-s.result
	if err := <-s.err; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	checkRestored(t, s.written())
}

func TestNothingIsReplacedUnasked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		acts []string
		want map[string]bool // path: made by the wizard
	}{
		"replaced":     {[]string{"y"}, map[string]bool{"inventory.yaml": true}},
		"another path": {[]string{"n", "2", enter, "~save as inventory.yaml2", "s"}, map[string]bool{"inventory.yaml": false, "inventory.yaml2": true}},
		"not at all":   {[]string{"x", "p", "\x7f\x7f\x7f\x7f", "json", enter, "~inventory.json", "s"}, map[string]bool{"inventory.yaml": false, "inventory.json": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := occupied()
			begin(t, wizardOptions(b)).does("~addresses", pasted(trioAddresses), ctrlN, "~gpu2     10.0.0.12              ✓ answered", ctrlN, "~FINDINGS",
				ctrlN, "~not offered", ctrlN, "~✓ 3 changes", "s", "~is there already").does(c.acts...).ends()
			for path, made := range c.want {
				text, _ := b.file(path)
				if strings.HasPrefix(text, "# Made by") != made {
					t.Errorf("%s: %q", path, text)
				}
			}
		})
	}
}

func TestASaveThatFails(t *testing.T) {
	t.Parallel()
	opt := wizardOptions(trio())
	opt.Path = "/forbidden/inventory.yaml"
	s := begin(t, opt).does("~addresses", pasted(trioAddresses), ctrlN, "~gpu2     10.0.0.12              ✓ answered", ctrlN, "~FINDINGS",
		ctrlN, "~not offered", ctrlN, "~✓ 3 changes", "s", "~"+fs.ErrPermission.Error(), ctrlC, "~Leave", "y")
	if r := s.ends(); r != (Result{}) {
		t.Errorf("result %+v", r)
	}
}

// Quitting anywhere leaves the terminal as it was, and no inventory.
func TestQuittingTheWizardAnywhere(t *testing.T) {
	t.Parallel()
	way := []string{"~addresses", pasted(trioAddresses), ctrlN, "~gpu2     10.0.0.12              ✓ answered", ctrlN, "~FINDINGS", ctrlN, "~not offered", ctrlN, "~✓ 3 changes"}
	for n := 1; n <= len(way); n++ {
		for how, keys := range map[string][]string{"keys": {ctrlC, "~Leave the wizard?", "y"}, "draft": {ctrlC, "~keep a draft", "d"}, "context": nil} {
			if how == "draft" && n < 2 {
				continue // nothing to keep
			}
			t.Run(how+" after "+strings.Trim(way[n-1], "~\x0e\x1b"), func(t *testing.T) {
				t.Parallel()
				b := trio()
				s := begin(t, wizardOptions(b)).does(way[:n]...).does(keys...)
				if how == "context" {
					s.stop()
				}
				r, err := <-s.result, <-s.err
				if (err != nil) != (how == "context") || r.Draft != (how == "draft") {
					t.Errorf("result %+v, error %v", r, err)
				}
				checkRestored(t, s.written())
				if _, saved := b.file("inventory.yaml"); saved {
					t.Error("an inventory was written")
				}
				if _, kept := b.file("draft.json"); kept != (how == "draft") {
					t.Errorf("a draft was kept: %v", kept)
				}
			})
		}
	}
}

func TestADraftIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	b := trio()
	begin(t, wizardOptions(b)).does("~addresses", pasted(trioAddresses), ctrlN, "~gpu2     10.0.0.12              ✓ answered", ctrlN, "~FINDINGS",
		ctrlN, "~not offered", "\x1b[C", "~3 servers", ctrlC, "~keep a draft", "d").ends()
	draft, _ := b.file("draft.json")
	if strings.Contains(draft, "password") {
		t.Error("a draft with a password")
	}
	opt := wizardOptions(b)
	opt.Draft = []byte(draft)
	begin(t, opt).does("~cluster gpu, 2 entries of hosts", "y", "~gpu[1-2]", ctrlN, "~gpu2     10.0.0.12              ✓ answered", ctrlN, "~FINDINGS",
		ctrlN, "~3 servers", ctrlN, "~✓ 3 changes", "s").ends()
	text, _ := b.file("inventory.yaml")
	inv, err := inventory.Parse("inventory.yaml", []byte(text))
	if err != nil || len(inv.Servers()) != 3 {
		t.Errorf("%v in %s", err, text)
	}
	if _, kept := b.file("draft.json"); kept {
		t.Error("the draft is still there")
	}
}

func TestADraftMayBeRefusedOrBroken(t *testing.T) {
	t.Parallel()
	opt := wizardOptions(trio())
	opt.Draft = draft{Name: "old", Addresses: "10.9.9.9"}.marshal()
	w := newWiz(t, opt, size{80, 24})
	w.press("x")
	if w.confirm == nil {
		t.Error("another key answered the question")
	}
	w.press("n")
	if w.confirm != nil || w.form.addresses.Value() != "" {
		t.Error("the draft was taken")
	}
	for _, bad := range []string{"{", `{"version": 99}`} {
		opt.Draft = []byte(bad)
		if w := newWiz(t, opt, size{80, 24}); w.confirm != nil || len(w.problems) == 0 {
			t.Errorf("%s: %v %q", bad, w.confirm, w.problems)
		}
	}
}

// Hosts that were looked at are not bothered again by going back and forth; others
// are.
func TestBackAndForth(t *testing.T) {
	t.Parallel()
	b := trio()
	w := newWiz(t, wizardOptions(b), size{80, 24})
	w.toStep(stepReview)
	w.press("esc", "esc", "esc", "esc", "ctrl+n", "ctrl+n", "ctrl+n", "ctrl+n")
	if w.step != stepReview || len(b.looks) != 1 || len(b.plans) != 1 {
		t.Errorf("at %s after %d looks and %d plans", w.step, len(b.looks), len(b.plans))
	}
	w.press("esc", "right", "ctrl+n")
	if len(b.plans) != 2 {
		t.Errorf("%d plans after another choice", len(b.plans))
	}
	w.press("esc", "esc", "esc", "esc")
	w.paste("\ngpu3=10.0.0.13")
	w.press("ctrl+n")
	if len(b.looks) != 2 || len(b.looks[1]) != 4 {
		t.Errorf("looks %q", b.looks)
	}
}

// A host that hangs is given up when other hosts are wanted.
func TestAHangingLookEndsWithItsRound(t *testing.T) {
	t.Parallel()
	b := newFake()
	b.hosts["slow"] = fakeHost{hang: true}
	s := begin(t, wizardOptions(b)).does("~addresses", pasted("slow=10.0.0.1"), ctrlN, "~▸ probe", ctrlN, "~still looking at slow", "\x1b",
		"~or open", pasted("\n10.0.0.2"), ctrlN, "~10.0.0.2               · queued", ctrlC, "~Leave", "y")
	s.ends()
}
