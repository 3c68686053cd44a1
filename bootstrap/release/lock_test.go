package release_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/release"
)

func TestTheLockKeepsItsOrderWhateverCameFirst(t *testing.T) {
	t.Parallel()
	locks := map[string]bool{}
	w := newWorld(t, "order")
	for _, order := range [][]string{{"amd64", "arm64"}, {"arm64", "amd64"}} {
		for _, arch := range order {
			if _, err := w.K3s(t.Context(), tag, arch, w.mirror, nil); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(w.LockFile)
		if err != nil {
			t.Fatal(err)
		}
		locks[string(data)] = true
		if err := os.Remove(w.LockFile); err != nil {
			t.Fatal(err)
		}
	}
	if len(locks) != 1 {
		t.Errorf("%d different lock files: %v", len(locks), locks)
	}
}

func TestAnUnusableLockStopsEverything(t *testing.T) {
	t.Parallel()
	entry := `{"name":"k3s","version":"v1.36.5+k3s1","arch":"amd64","sha256":"` + strings.Repeat("a", 64) + `"}`
	for name, lock := range map[string]string{
		"empty":            "",
		"merge conflict":   "<<<<<<< HEAD\n{}",
		"newer format":     `{"format": 2, "artefacts": []}`,
		"no format":        `{"artefacts": []}`,
		"unknown field":    `{"format": 1, "artefacts": [], "signature": "x"}`,
		"digest is none":   `{"format": 1, "artefacts": [` + strings.ReplaceAll(entry, "aaaa", "AAAA") + `]}`,
		"digest is a path": `{"format": 1, "artefacts": [` + strings.ReplaceAll(entry, strings.Repeat("a", 64), "../../etc/passwd") + `]}`,
		"twice":            `{"format": 1, "artefacts": [` + entry + "," + entry + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "lock")
			if err := os.WriteFile(w.LockFile, []byte(lock), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := w.get(t)
			_, peekErr := w.Peek(t.Context(), tag, "amd64", w.mirror)
			if !errors.Is(err, release.ErrLock) || !errors.Is(peekErr, release.ErrLock) {
				t.Errorf("got %v and %v", err, peekErr)
			}
			if asks := w.server.Asks(); len(asks) > 0 {
				t.Errorf("requests: %q", asks)
			}
		})
	}
}

func TestALockThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "unwritable")
	w.LockFile += "/in/no/folder"
	if _, err := w.get(t); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
