package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxLine bounds a line that is kept, in bytes; a program that never ends its
// line must not fill the memory.
const maxLine = 2048

// clean makes foreign text safe to draw on one line: escape sequences and control
// characters go, of a line overwritten by carriage returns the last state stays.
func clean(s string) string {
	if plain(s) {
		return cut(s)
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = ansi.Strip(s)
	s = strings.TrimRight(s, "\r\n")
	if i := strings.LastIndexByte(s, '\r'); i >= 0 {
		s = s[i+1:]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case r == zeroWidthJoiner:
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r): // Cf could turn the direction of the line
			return -1
		}
		return r
	}, s)
	return cut(s)
}

// zeroWidthJoiner holds emoji of several parts together.
const zeroWidthJoiner = '\u200d'

// maxLines bounds a text that is kept.
const maxLines = 500

// cleanLines does it for a text of several lines, of which the last stay.
func cleanLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	lines = lines[max(0, len(lines)-maxLines):]
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return lines
}

// plain says that every byte is a printable ASCII character, so that its length
// is its width.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func cut(s string) string {
	if len(s) <= maxLine {
		return s
	}
	s = s[:maxLine]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + "…"
}

// width is how many terminal cells a text takes.
func width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// fit makes a text exactly w cells wide.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := width(s)
	if n > w {
		s = truncate(s, w)
		n = width(s)
	}
	return s + spaces(w-n)
}

// truncate shortens a text to at most w cells.
func truncate(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if width(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, "…")
}

// fitMiddle is fit for names, whose two ends tell them apart.
func fitMiddle(s string, w int) string {
	n := width(s)
	if n <= w || w < 8 {
		return fit(s, w)
	}
	head := (w - 1) / 2
	tail := w - 1 - head
	return fit(ansi.Truncate(s, head, "")+"…"+ansi.TruncateLeft(s, n-tail, ""), w)
}

// fitRight puts a short text at the right end of w cells.
func fitRight(s string, w int) string {
	if n := width(s); n < w {
		return spaces(w-n) + s
	}
	return fit(s, w)
}

const blank = "                                                                                                                                "

func spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blank):
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}

// wrap breaks a text into lines of at most w cells, at spaces where it can; each
// line begins with the indent, which the first one may replace by its own.
func wrap(s string, w int, first, indent string) []string {
	room := max(w-max(width(first), width(indent)), 10)
	lines := strings.Split(ansi.Wrap(s, room, ""), "\n")
	for i := range lines {
		if i == 0 {
			lines[i] = first + lines[i]
		} else {
			lines[i] = indent + strings.TrimLeft(lines[i], " ")
		}
	}
	return lines
}
