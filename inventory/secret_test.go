package inventory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSecretResolve(t *testing.T) {
	t.Setenv("GPUBOOT_TEST_SECRET", "from env\n")
	t.Setenv("GPUBOOT_TEST_EMPTY", "")
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("from file\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		secret Secret
		want   string
	}{
		{Secret{Env: "GPUBOOT_TEST_SECRET"}, "from env"},
		{Secret{File: file}, "from file"},
		{Secret{Command: "echo 'from command'"}, "from command"},
		{Secret{Command: "printf ' blanks stay '"}, " blanks stay "},
	} {
		got, err := c.secret.Resolve(t.Context())
		if err != nil || got != c.want {
			t.Errorf("%v: got %q, %v, want %q", c.secret, got, err, c.want)
		}
	}
}

func TestSecretErrorsNameTheReferenceAndNoValue(t *testing.T) {
	t.Setenv("GPUBOOT_TEST_EMPTY", "")
	t.Setenv("GPUBOOT_TEST_LINES", "hunter2\nhunter2\n")
	big := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(big, []byte(strings.Repeat("hunter2", maxSecret)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		secret Secret
		says   string
		class  error
	}{
		{Secret{}, "no reference", ErrNoSecret},
		{Secret{Env: "GPUBOOT_TEST_UNSET"}, "env GPUBOOT_TEST_UNSET", ErrNoSecret},
		{Secret{Env: "GPUBOOT_TEST_EMPTY"}, "env GPUBOOT_TEST_EMPTY", ErrNoSecret},
		{Secret{Env: "GPUBOOT_TEST_LINES"}, "more than one line", nil},
		{Secret{File: "/no/such/file"}, "file /no/such/file", os.ErrNotExist},
		{Secret{File: big}, "more than 65536 bytes", nil},
		{Secret{Command: "echo hunter2; exit 3"}, "exit status 3", nil},
		{Secret{Command: "yes hunter2"}, "command", nil},
	} {
		value, err := c.secret.Resolve(t.Context())
		if err == nil || value != "" {
			t.Errorf("%v: got %q and no error", c.secret, value)
			continue
		}
		if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v: error %q, want it to say %q", c.secret, err, c.says)
		}
		if c.class != nil && !errors.Is(err, c.class) {
			t.Errorf("%v: error %v is not %v", c.secret, err, c.class)
		}
	}
}

func TestSecretCommandEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := Secret{Command: "sleep 3 2>/dev/null & exec sleep 60"}.Resolve(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

func TestResolveSecretsReplacesReferencesAndListsValues(t *testing.T) {
	t.Setenv("GPUBOOT_TEST_A", "aaa")
	t.Setenv("GPUBOOT_TEST_B", "bbb")
	in := map[string]any{
		"plain": "x", "list": []any{"y"}, "a": Secret{Env: "GPUBOOT_TEST_A"},
		"deep": map[string]any{"deeper": map[string]any{"b": Secret{Env: "GPUBOOT_TEST_B"}}},
	}
	out, values, err := ResolveSecrets(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	deeper := out["deep"].(map[string]any)["deeper"].(map[string]any)
	if out["a"] != "aaa" || deeper["b"] != "bbb" || out["plain"] != "x" || strings.Join(values, " ") != "aaa bbb" {
		t.Errorf("got %v and %v", out, values)
	}
	if _, still := in["a"].(Secret); !still {
		t.Error("the map that was given was changed")
	}
	in["deep"] = map[string]any{"gone": Secret{Env: "GPUBOOT_TEST_UNSET"}}
	if _, _, err := ResolveSecrets(t.Context(), in); err == nil || !strings.Contains(err.Error(), "deep: gone: ") {
		t.Errorf("got %v, want an error that names the key", err)
	}
}

func TestSecretFilesAreTakenFromTheInventorysFolder(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	inv, err := Parse("/etc/gpuboot/a.yaml", []byte(`
name: a
k3s: {source: bin/k3s}
defaults: {password: {file: pw}, sudoPassword: {file: ~/pw}, identityFiles: [keys/a, ~/.ssh/b, /abs/c]}
hosts: [{address: h, role: both}]
`))
	if err != nil {
		t.Fatal(err)
	}
	h := inv.Hosts[0]
	got := strings.Join(append([]string{inv.K3s.Source, h.Password.File, h.SudoPassword.File}, h.IdentityFiles...), " ")
	want := "/etc/gpuboot/bin/k3s /etc/gpuboot/pw /home/me/pw /etc/gpuboot/keys/a /home/me/.ssh/b /abs/c"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
