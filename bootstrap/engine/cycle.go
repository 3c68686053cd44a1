package engine

import (
	"fmt"
	"strings"
)

// cycles looks for steps that wait for each other, over gates and over the
// order inside a lane, and reports the first such circle.
func (v *validator) cycles() {
	s := search{validator: v, colour: make([][]uint8, len(v.lanes))}
	for i := range v.lanes {
		s.colour[i] = make([]uint8, len(v.lanes[i].Steps))
	}
	for i := range v.lanes {
		// The last step depends on all before it.
		if n := len(v.lanes[i].Steps); n > 0 && s.visit(node{i, n - 1}, "") {
			v.add("steps wait for each other: %s", s.describe())
			return
		}
	}
}

const (
	white uint8 = iota // not seen
	grey               // on the path
	black              // has no circle behind it
)

type edge struct {
	to   node
	gate string // empty: the step before in the same lane
}

// search is a depth-first walk from a step to what it depends on.
type search struct {
	*validator
	colour [][]uint8
	path   []edge
}

// visit reports whether a circle was found; path then ends with the edge that
// closes it.
func (s *search) visit(n node, gate string) bool {
	s.path = append(s.path, edge{n, gate})
	switch s.colour[n.lane][n.step] {
	case grey:
		return true
	case black:
		s.path = s.path[:len(s.path)-1]
		return false
	}
	s.colour[n.lane][n.step] = grey
	for _, g := range s.at(n).Needs {
		if s.visit(s.openers[g], g) {
			return true
		}
	}
	if n.step > 0 && s.visit(node{n.lane, n.step - 1}, "") {
		return true
	}
	s.colour[n.lane][n.step] = black
	s.path = s.path[:len(s.path)-1]
	return false
}

func (s *search) describe() string {
	last := s.path[len(s.path)-1].to
	begin := 0
	for s.path[begin].to != last {
		begin++
	}
	var b strings.Builder
	b.WriteString(s.name(last))
	for i, e := range s.path[begin+1:] {
		if i > 0 {
			b.WriteString(", which")
		}
		if e.gate != "" {
			fmt.Fprintf(&b, " waits for gate %q of %s", e.gate, s.name(e.to))
		} else {
			fmt.Fprintf(&b, " comes after %s", s.name(e.to))
		}
	}
	return b.String()
}
