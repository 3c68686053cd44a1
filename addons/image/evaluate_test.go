package image

import (
	"slices"
	"strings"
	"testing"
)

func TestEvaluate(t *testing.T) {
	t.Parallel()
	cases := slices.Concat(natively(), minor(), major(), dropped(), young(), lists(), rest())
	if n := len(cases); n < 60 {
		t.Errorf("%d cases", n)
	}
	for _, c := range cases {
		t.Run(c.image+" on "+c.gpu+" with "+c.driver, func(t *testing.T) {
			t.Parallel()
			r := Evaluate(variant(t, c.image), host(t, c.driver, c.gpu))
			if r.Verdict != c.want {
				t.Errorf("%s, want %s", r.Verdict, c.want)
			}
			text := r.String()
			if c.check != "" {
				f, ok := by(r, c.check)
				if !ok || f.Verdict != c.want {
					t.Errorf("%s says %q, want %s", c.check, f.Verdict, c.want)
				}
				text = f.String()
			}
			for _, word := range c.words {
				if !strings.Contains(text, word) {
					t.Errorf("%q does not speak of %q", text, word)
				}
			}
			if t.Failed() {
				for _, f := range r.Findings {
					t.Log(f)
				}
			}
		})
	}
}
