package inventory

import (
	"regexp"
	"strings"
)

// maxSourceLine is the longest line, in bytes, that is repeated with a problem.
const maxSourceLine = 200

// sourceLine returns the line at pos with what looks like a secret masked, or ""
// if there is none worth showing.
func sourceLine(lines []string, pos Pos) string {
	if pos.Line < 1 || pos.Line > len(lines) || len(lines[pos.Line-1]) > maxSourceLine {
		return ""
	}
	line := strings.TrimRight(strings.ToValidUTF8(lines[pos.Line-1], "\uFFFD"), "\r")
	if m := secretOnLine.FindStringSubmatchIndex(line); m != nil {
		return line[:m[0]] + line[m[0]:max(m[0], m[3])] + mask
	}
	return line
}

const mask = "********"

// secretOnLine finds a plain value behind a key that sounds like a secret (the
// group is the key), and a login with a password in it. It guards every line
// that is shown, as a mistake may stand beside a password that was wrongly
// written into the file. The rest of the line is not shown either.
var secretOnLine = regexp.MustCompile(`(?i)((?:pass|pwd|secret|token|access-key|auth)[\w-]*["']?\s*:\s*)[^\s{&*!#]|[^\s"',\[{]+:[^\s"',]*@`)

// reportKey reports a problem with a key and shows the line only up to it: the
// value of an unknown key may be a secret under a misspelt name.
func (d *decoder) reportKey(where at, message, hint string) {
	d.report(where, message, hint)
	p := &d.problems[len(d.problems)-1]
	head, tail := cutColumn(p.Source, where.pos.Column)
	if key, _, found := strings.Cut(tail, ":"); found {
		p.Source = head + key + ": …"
	}
}

// reportSecret reports a value that is probably a secret and shows none of it.
func (d *decoder) reportSecret(where at, message, hint string) {
	d.report(where, message, hint)
	p := &d.problems[len(d.problems)-1]
	if p.Source == "" {
		return
	}
	head, _ := cutColumn(p.Source, where.pos.Column)
	p.Source = strings.TrimSuffix(head, mask) + mask
}

// cutColumn splits a line before the column, which counts characters from 1.
func cutColumn(line string, column int) (head, tail string) {
	runes := []rune(line)
	i := min(max(column-1, 0), len(runes))
	return string(runes[:i]), string(runes[i:])
}

// Pretty gives the problem for a person: the message, the line of the file with
// a caret under the place, and the hint.
func (p Problem) Pretty() string {
	var b strings.Builder
	b.WriteString(p.Pos.String() + ": " + p.Message + "\n")
	if p.Source != "" {
		head, _ := cutColumn(p.Source, p.Pos.Column)
		b.WriteString("    " + p.Source + "\n    " + strings.Map(blank, head) + "^\n")
	}
	if p.Hint != "" {
		b.WriteString("  hint: " + p.Hint + "\n")
	}
	return b.String()
}

// blank keeps tabs, so that the caret stands right under the place.
func blank(r rune) rune {
	if r == '\t' {
		return r
	}
	return ' '
}

// Pretty gives all problems for a person, a blank line between two.
func (ps Problems) Pretty() string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Pretty()
	}
	return strings.Join(out, "\n")
}
