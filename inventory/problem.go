package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in an inventory file. Line and Column count from 1; 0 means
// the file as a whole.
type Pos struct {
	File         string
	Line, Column int
}

// String gives file:line:col, or file alone for the file as a whole.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is one mistake in an inventory.
type Problem struct {
	Pos Pos
	// Path is the key's way from the top, such as pools[0].hosts[2].labels.
	Path string
	// Message says what is wrong, in lower case and without a full stop.
	Message string
	// Hint says what to write instead, "" if there is nothing useful to say.
	Hint string
	// Source is the line of the file at Pos, with secrets masked.
	Source string
}

// Error gives "file:line:col: message (hint)".
func (p Problem) Error() string {
	s := p.Pos.String() + ": " + p.Message
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

// Problems are all mistakes of a file, sorted by position. As an error it is
// one line a problem.
type Problems []Problem

// Error gives one line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted orders by position; problems at one place keep the order they were
// found in. One that is found again, through an alias, is left out.
func (ps Problems) sorted() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return slices.CompactFunc(ps, func(a, b Problem) bool { return a.Pos == b.Pos && a.Message == b.Message })
}
