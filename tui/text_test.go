package tui

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                   "",
		"plain":                              "plain",
		"\x1b[31mred\x1b[0m":                 "red",
		"\x1b]0;title\x07text":               "text",
		"10%\r20%\r\n":                       "20%",
		"a\tb\nc":                            "a b c",
		"bell\x07 null\x00 del\x7f c1\u009b": "bell null del c1",
		"turn\u202eed":                       "turned",
		"\xff\xfe":                           "\uFFFD",
		"日本":                                 "日本",
		"👩🏽‍🚀":                               "👩🏽‍🚀",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := clean(strings.Repeat("é", maxLine)); len(got) > maxLine+len("…") || !utf8.ValidString(got) {
		t.Errorf("a long line has %d bytes", len(got))
	}
	if got := cleanLines(strings.Repeat("a\n", 2*maxLines)); len(got) != maxLines {
		t.Errorf("%d lines kept", len(got))
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"abc", 5, "abc  "}, {"abcdef", 4, "abc…"}, {"abc", 0, ""}, {"日本語", 5, "日本…"}, {"日本語", 4, "日… "}, {"", 2, "  "},
	} {
		if got := fit(c.in, c.w); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"node-0001-gpu", 9, "node…-gpu"}, {"short", 9, "short    "}, {"訓練ノード一号機", 9, "訓練…号機"}, {"abcdefghij", 7, "abcdef…"},
	} {
		if got := fitMiddle(c.in, c.w); got != c.want {
			t.Errorf("fitMiddle(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestWrapKeepsItsWidth(t *testing.T) {
	t.Parallel()
	got := wrap("one two three 日本語日本語 averyveryverylongword", 16, "- ", "  ")
	for _, l := range got {
		if width(l) > 16 {
			t.Errorf("%q is %d wide", l, width(l))
		}
	}
	if got[0] != "- one two three" || !strings.HasPrefix(got[1], "  ") {
		t.Errorf("%q", got)
	}
}

func TestDurationsAndAmounts(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 400 * time.Millisecond: "0.4s", 12 * time.Second: "12s", 245 * time.Second: "4m05s",
		2*time.Hour + 3*time.Minute: "2h03m", 100 * time.Hour: "4d04h",
	} {
		if got := short(d); got != want || len(got) > timeWidth {
			t.Errorf("short(%v) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		3 * time.Second: "a few seconds", 42 * time.Second: "about 40 s", 100 * time.Second: "about 2 min", 100 * time.Minute: "about 1.7 h",
	} {
		if got := about(d); got != want {
			t.Errorf("about(%v) = %q, want %q", d, got, want)
		}
	}
	for want, got := range map[string]string{
		"41 of 74 MB": amount(41e6, 74e6, "B"), "3 of 8 images": amount(3, 8, "images"), "3 images": amount(3, 0, "images"),
		"12 kB": amount(12_000, 0, "B"), "1 of 12 GB": amount(1e9, 12e9, "B"), "5 of 9 B": amount(5, 9, "B"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whatever a host prints, what is drawn of it has no control character, and the
// width that was asked for.
func FuzzCleanAndFit(f *testing.F) {
	for _, s := range []string{"plain", "\x1b[2J\x1b[Hx", "a\rb", "日本\u200d語", "\xc3\x28", "👩🏽‍🚀\ufe0f", "\x1b]8;;http://x\x07y", "\x9b31m"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = min(max(w, 0), 300)
		got := clean(s)
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if unicode.IsControl(r) {
				t.Errorf("%U stays in %q", r, got)
			}
		}
		if n := width(fit(got, w)); n != w {
			t.Errorf("fit(%q, %d) is %d wide", got, w, n)
		}
		if n := width(fitMiddle(got, w)); n != w {
			t.Errorf("fitMiddle(%q, %d) is %d wide", got, w, n)
		}
	})
}
