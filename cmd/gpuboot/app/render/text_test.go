package render

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestCleanLine(t *testing.T) {
	t.Parallel()
	c := newCleaner()
	for in, want := range map[string]string{
		"plain":                              "plain",
		"\x1b[1;31mred\x1b[0m":               "red",
		"\x1b]0;title\x07text":               "text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;": "link",
		"\x1b(Bcharset \x1bc reset":          "charset  reset",
		"10 %\r20 %\r30 %\r\n":               "30 %",
		"tab\there":                          "tab here",
		"bell\a null\x00 del\x7f c1\u009b":   "bell null del c1",
		"bad \xff utf-8":                     "bad  utf-8",
		"\u202egnp.exe":                      "gnp.exe",
		"機械 ü 🚀":                             "機械 ü 🚀",
		"\x1b":                               "",
	} {
		if got := c.line(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzCleanLine(f *testing.F) {
	f.Add("\x1b[31mred\x1b]0;t\x07")
	f.Add("a\rb\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := newCleaner().line(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestProgressText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		done, total int64
		unit, want  string
	}{
		{0, 100, "B", "0 B/100 B  0 %"},
		{12_400_000, 66_100_000, "B", "12.4 MB/66.1 MB  18 %"},
		{66_099_999, 66_100_000, "B", "66.1 MB/66.1 MB  99 %"},
		{66_100_000, 66_100_000, "B", "66.1 MB/66.1 MB  100 %"},
		{999_949, 0, "B", "999.9 kB"},
		{999_950, -1, "B", "1.0 MB"},
		{5_000_000_000_000_000, 0, "B", "5000.0 TB"},
		{3, 8, "images", "3/8 images  37 %"},
		{3, 0, "images", "3 images"},
		{3, 0, "", "3"},
		{9, 8, "pods", "9/8 pods  112 %"},
	} {
		if got := progress(c.done, c.total, c.unit); got != c.want {
			t.Errorf("%d of %d %s: %q, want %q", c.done, c.total, c.unit, got, c.want)
		}
	}
}

func TestDurationText(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 3 * time.Millisecond: "0s", 123 * time.Millisecond: "120ms", 9*time.Second + 87*time.Millisecond: "9.1s",
		59*time.Second + 990*time.Millisecond: "1m0s", 299*time.Second + 400*time.Millisecond: "4m59s", 3*time.Hour + time.Second: "3h0m1s",
	} {
		if got := duration(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

func TestColourOnlyWhereItIsWanted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		terminal      bool
		noColor, term string
		want          bool
	}{
		{true, "", "xterm", true}, {true, "", "", true}, {false, "", "xterm", false}, {true, "1", "xterm", false}, {true, "", "dumb", false},
	} {
		env := map[string]string{"NO_COLOR": c.noColor, "TERM": c.term}
		if got := Colour(c.terminal, func(k string) string { return env[k] }); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
