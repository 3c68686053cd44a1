package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
	"github.com/gpuboot/gpuboot/tui"
)

func TestSaveIsWholeAndPrivate(t *testing.T) {
	t.Parallel()
	b, dir := newWizardBackend(&global{}), t.TempDir()
	path := filepath.Join(dir, "new", "inventory.yaml")
	want := func(text string) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "new", ".gpuboot-*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %q, %v", left, err)
		}
	}
	if err := b.Save(t.Context(), path, []byte("one"), false); err != nil {
		t.Fatal(err)
	}
	want("one")
	if err := b.Save(t.Context(), path, []byte("two"), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want fs.ErrExist", err)
	}
	want("one")
	if err := b.Save(t.Context(), path, []byte("two"), true); err != nil {
		t.Error(err)
	}
	want("two")
	for range 2 { // what is gone already is as good
		if err := b.Save(t.Context(), path, nil, true); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not removed: %v", err)
	}
}

func TestOpenGivesOnlyInventories(t *testing.T) {
	t.Parallel()
	b, path := newWizardBackend(&global{}), filepath.Join(t.TempDir(), "inventory.yaml")
	if _, err := b.Open(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want fs.ErrNotExist", err)
	}
	for text, good := range map[string]bool{"name: 7: x": false, string(inventory.Example()): true} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := b.Open(t.Context(), path)
		if good && (err != nil || string(got) != text) || !good && err == nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// A person is asked once for the same, unless what they said was wrong.
func TestAnswersAreKeptUntilWrong(t *testing.T) {
	t.Parallel()
	asked := 0
	ask := func(context.Context, secretQuestion) (string, error) {
		if asked++; asked == 2 {
			return "", tui.ErrDeclined
		}
		return "secret", nil
	}
	a := newAnswers(ask)
	get := func(a *answers, text, want string, wantErr error, times int) {
		t.Helper()
		got, err := a.get(t.Context(), secretQuestion{text: text})
		if got != want || !errors.Is(err, wantErr) || asked != times {
			t.Errorf("%s: %q, %v after %d questions", text, got, err, asked)
		}
	}
	get(a, "sudo", "secret", nil, 1)
	get(a, "sudo", "secret", nil, 1)
	get(a, "login", "", tui.ErrDeclined, 2)
	get(a, "login", "", tui.ErrDeclined, 2)
	get(a.handOver(ask), "sudo", "secret", nil, 2)
	a.forget()
	get(a, "sudo", "secret", nil, 3)
}

func TestPromiseNamesWhatTheDriverNames(t *testing.T) {
	t.Parallel()
	h100 := facts.SMIGPU{Name: "NVIDIA H100 80GB HBM3"}
	for want, f := range map[string]*facts.Facts{
		"":                  {},
		"2":                 {GPUs: []facts.PCIDevice{{}, {}, {VF: true}}},
		"1":                 {GPUs: []facts.PCIDevice{{}}, NVIDIA: facts.NVIDIA{GPUs: []facts.SMIGPU{h100, h100}}},
		"2x H100 80GB HBM3": {GPUs: []facts.PCIDevice{{}, {}}, NVIDIA: facts.NVIDIA{GPUs: []facts.SMIGPU{h100, h100}}},
	} {
		got, _ := promise(f)
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if want != "" {
			if err := new(inventory.GPUs).UnmarshalText([]byte(got)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAliasesAreThoseWithoutWildcards(t *testing.T) {
	t.Parallel()
	got := sshAliases([]byte("# Host no\nHost a b *.lab !c\n  HostName 10.0.0.1\nhost=d\nMatch host e\nHost a\n"))
	if want := []string{"a", "b", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
