package sshconfig

import (
	"errors"
	"fmt"
	"strings"
)

// Pos is a line of a file.
type Pos struct {
	File string
	Line int
}

// String is file:line.
func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// directive is one line: a keyword, in lower case, and its arguments.
type directive struct {
	pos  Pos
	key  string
	args []string
}

// parse reads a file to its directives. Blank lines and comments are
// passed over.
func parse(file, text string) ([]directive, error) {
	var all []directive
	line := 0
	for raw := range strings.Lines(text) {
		line++
		pos := Pos{file, line}
		raw = strings.Trim(raw, " \t\r\n\f")
		if raw == "" || raw[0] == '#' {
			continue
		}
		key, rest := keyword(raw)
		args, err := split(rest)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", pos, err)
		}
		all = append(all, directive{pos, strings.ToLower(key), args})
	}
	return all, nil
}

// keyword cuts the first word, which blanks or one "=" end.
func keyword(line string) (key, rest string) {
	end := strings.IndexAny(line, " \t=")
	if end < 0 {
		return line, ""
	}
	rest = strings.TrimLeft(line[end:], " \t")
	if after, ok := strings.CutPrefix(rest, "="); ok {
		rest = strings.TrimLeft(after, " \t")
	}
	return line[:end], rest
}

// split reads arguments: blanks between them, single and double quotes
// around them, a backslash before a quote, a backslash or (outside of
// quotes) a blank, and a comment that begins with "#".
func split(text string) ([]string, error) {
	var args []string
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" || text[0] == '#' {
			return args, nil
		}
		arg, rest, err := argument(text)
		if err != nil {
			return nil, err
		}
		args, text = append(args, arg), rest
	}
}

func argument(text string) (arg, rest string, err error) {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && escapes(text[i+1], quote):
			i++
			b.WriteByte(text[i])
		case quote == 0 && (c == ' ' || c == '\t'):
			return b.String(), text[i:], nil
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		default:
			b.WriteByte(c)
		}
	}
	if quote != 0 {
		return "", "", errors.New("a quote is not closed")
	}
	return b.String(), "", nil
}

// escapes says whether a backslash before c is taken away.
func escapes(c, quote byte) bool {
	return c == '"' || c == '\'' || c == '\\' || c == ' ' && quote == 0
}
