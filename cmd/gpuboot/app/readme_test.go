package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

// TestReadmeTellsTheTruth checks the README's inventory and that every command
// it names exists with its flags.
func TestReadmeTellsTheTruth(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	yaml := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(readme)
	if yaml == nil {
		t.Fatal("no inventory")
	}
	if inv, err := inventory.Parse("README.md", []byte(yaml[1])); err != nil || len(inv.Hosts) != 3 {
		t.Errorf("the inventory: %v", err)
	}
	commands := regexp.MustCompile(`(?m)^(?:\$ )?gpuboot( [a-z-]+)?([^#\n]*)`).FindAllStringSubmatch(readme, -1)
	if len(commands) < 10 {
		t.Errorf("only %d commands found", len(commands))
	}
	for _, c := range commands {
		args := append(strings.Fields(c[1]), "--help")
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(strings.SplitN(c[2], " -- ", 2)[0], -1) {
			_, help, _ := run(t, args...)
			if !strings.Contains(help, flag) {
				t.Errorf("%q: no flag %s", strings.TrimSpace(c[0]), flag)
			}
		}
		if code, help, errs := run(t, args...); code != 0 || c[1] != "" && !strings.Contains(help, "gpuboot"+c[1]) {
			t.Errorf("%q: exit code %d\n%s", strings.TrimSpace(c[0]), code, errs)
		}
	}
}
