package render

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// escapes matches the control sequences that programs send to terminals: CSI
// (colour, cursor), OSC (title, links) and the short ones.
func escapes() *regexp.Regexp {
	return regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-~])")
}

// cleaner makes foreign text safe to print.
type cleaner struct{ escapes *regexp.Regexp }

func newCleaner() cleaner { return cleaner{escapes()} }

// line gives one line of text without control sequences and characters. Of a
// line that was overwritten by carriage returns the last state is kept.
func (c cleaner) line(s string) string {
	s = strings.TrimRight(s, "\r\n")
	s = c.escapes.ReplaceAllString(s, "")
	if i := strings.LastIndexByte(s, '\r'); i >= 0 {
		s = s[i+1:]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r), bidi(r):
			return -1
		}
		return r
	}, s)
}

// bidi tells the characters that reorder a line, so that it reads as something
// else than it is.
func bidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f
}

// lines cleans each line of a text and drops empty ones at both ends.
func (c cleaner) lines(s string) []string {
	var out []string
	for l := range strings.SplitSeq(strings.Trim(s, "\r\n"), "\n") {
		out = append(out, c.line(l))
	}
	if len(out) == 1 && out[0] == "" {
		return nil
	}
	return out
}

// first joins the lines of a text to one.
func (c cleaner) first(s string) string { return strings.Join(c.lines(s), "; ") }

// width is the number of columns that a text takes in a terminal.
func width(s string) int {
	cond := runewidth.Condition{StrictEmojiNeutral: true} // not the locale's: output is the same everywhere
	return cond.StringWidth(s)
}

// pad fills a text up to a width with spaces.
func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(0, w-width(s)))
}

// duration is short and precise enough: "120ms", "12.3s", "4m59s".
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// amount gives a count with its unit. Bytes are in the decimal units of disks
// and network lines.
func amount(n int64, unit string) string {
	if unit != "B" {
		return fmt.Sprint(n)
	}
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, i := float64(n)/1000, 0
	for v >= 999.95 && i < 3 {
		v, i = v/1000, i+1
	}
	return fmt.Sprintf("%.1f %s", v, [...]string{"kB", "MB", "GB", "TB"}[i])
}

// progress says how far something is: "12.4 MB/66.1 MB  19 %", "3/8 images  37 %",
// and only the amount if the whole is not known. It says 100 % only at the end.
func progress(done, total int64, unit string) string {
	if total <= 0 {
		return withUnit(amount(done, unit), unit)
	}
	percent := int64(float64(done) / float64(total) * 100)
	if done < total {
		percent = min(percent, 99)
	}
	return fmt.Sprintf("%s  %d %%", withUnit(amount(done, unit)+"/"+amount(total, unit), unit), percent)
}

func withUnit(s, unit string) string {
	if unit == "B" || unit == "" {
		return s
	}
	return s + " " + unit
}

// count gives "1 host", "2 hosts".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
