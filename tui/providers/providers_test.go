package providers

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEveryRowIsWhole(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for _, p := range All() {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(p.ID) || ids[p.ID] {
			t.Errorf("id %q", p.ID)
		}
		ids[p.ID] = true
		if p.Name == "" || len(p.Kinds) == 0 || p.Source == "" {
			t.Errorf("%s lacks a name, a kind or a source", p.ID)
		}
		if _, err := time.Parse(time.DateOnly, p.Read); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
		if (p.Why == "") != (p.Fit == Fits) {
			t.Errorf("%s: fit %q with the reason %q", p.ID, p.Fit, p.Why)
		}
		if slices.Contains(p.Kinds, Container) && p.Fit == Fits {
			t.Errorf("%s sells containers and fits", p.ID)
		}
		for _, s := range append([]string{p.Why}, p.Traps...) {
			if s != "" && !strings.HasSuffix(s, ".") {
				t.Errorf("%s: %q is no sentence", p.ID, s)
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for query, want := range map[string][]string{
		"vast":           {"vast"},
		"Container":      {"runpod", "vast"},
		"root vlan":      {"latitude"},
		"nothing at all": nil,
	} {
		var got []string
		for _, p := range Find(query) {
			if slices.Contains(p.Kinds, Container) || query != "Container" {
				got = append(got, p.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %q, want %q", query, got, want)
		}
	}
	if n := len(Find("")); n != len(All()) {
		t.Errorf("no query gives %d", n)
	}
}

func TestByID(t *testing.T) {
	t.Parallel()
	p, ok := ByID("runpod")
	if !ok || p.Login() != "root" {
		t.Errorf("%+v", p)
	}
	if p, ok := ByID("gcp"); !ok || p.Login() != "" {
		t.Errorf("%+v", p)
	}
	if _, ok := ByID("nobody"); ok {
		t.Error("found nobody")
	}
	if len(SharedTraps()) == 0 {
		t.Error("no shared traps")
	}
}
