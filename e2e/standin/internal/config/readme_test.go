package config

import (
	"os"
	"strings"
	"testing"
)

func TestReadmeListsTheFlagsThatDoNothing(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "These flags are taken")
	text, _, found := strings.Cut(text, "Those that describe")
	if !found {
		t.Fatal("README.md has no list of flags that do nothing")
	}
	for _, cmd := range []Command{Server(), Agent()} {
		for _, f := range cmd.Flags {
			named := strings.Contains(text, "`"+f.Name+"`")
			if s3 := strings.HasPrefix(f.Name, "etcd-s3"); f.Inert && !named && !s3 {
				t.Errorf("%s: --%s does nothing, and README.md does not say so", cmd.Name, f.Name)
			} else if !f.Inert && named {
				t.Errorf("%s: README.md says that --%s does nothing", cmd.Name, f.Name)
			}
		}
	}
}
