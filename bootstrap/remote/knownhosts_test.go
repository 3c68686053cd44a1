package remote

import (
	"strings"
	"testing"
)

func FuzzParseKnown(f *testing.F) {
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFVYDcQzTLAJYfNWx8RYyLz0eqzVRPyEFJBoqbKSxjXg"
	for _, row := range []string{
		"host " + key, "[host]:22,!*.x,a?b " + key + " comment", "@revoked * " + key, "@cert-authority *.x " + key,
		"|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= " + key, "|1|x|y " + key, "garbage", "[0.0.0.0]:0", "", "#",
	} {
		f.Add(row, "host")
	}
	f.Fuzz(func(t *testing.T, text, host string) {
		for _, r := range parseKnown("f", []byte(text)) {
			r.match(host)
			if r.line < 1 || r.line > strings.Count(text, "\n")+1 || r.key == nil {
				t.Errorf("row %+v of %q", r, text)
			}
		}
	})
}

func TestWildcard(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, host string
		want          bool
	}{
		{"*", "anything", true}, {"*.example.com", "a.b.example.com", true}, {"*.example.com", "example.com", false},
		{"10.0.?.1", "10.0.5.1", true}, {"10.0.?.1", "10.0.55.1", false}, {"[h]:22", "[h]:22", true}, {"[h]", "h", false},
		{`a\*`, "a*", false}, {"HOST", "host", true}, {"", "", true}, {"a", "", false},
	} {
		if got := matchName(tt.pattern, tt.host); got != tt.want {
			t.Errorf("%q matches %q: %v", tt.pattern, tt.host, got)
		}
	}
}
