package engine

import (
	"fmt"
	"strings"
)

// InvalidError lists what is wrong with the lanes given to a run. It is a
// programming error: trying again does not help.
type InvalidError struct{ Problems []string }

// Error gives all problems, each of which names its step.
func (e *InvalidError) Error() string {
	return "invalid steps: " + strings.Join(e.Problems, "; ")
}

// Validate finds what would keep the lanes from running to their end: names
// that are empty or used twice, a step without Run, a gate that no step or more
// than one step opens, and steps that wait for each other. The error is an
// *InvalidError with all problems, in lane order.
func Validate(lanes []Lane) error {
	v := &validator{lanes: lanes, openers: make(map[string]node)}
	v.names()
	v.collectOpeners()
	v.needs()
	if len(v.problems) == 0 {
		v.cycles()
	}
	if len(v.problems) == 0 {
		return nil
	}
	return &InvalidError{v.problems}
}

// node is a step by its position.
type node struct{ lane, step int }

type validator struct {
	lanes    []Lane
	openers  map[string]node
	problems []string
}

func (v *validator) add(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

func (v *validator) at(n node) *Step { return &v.lanes[n.lane].Steps[n.step] }

func (v *validator) name(n node) string {
	return fmt.Sprintf("%s/%s", v.lanes[n.lane].Name, v.at(n).Name)
}

// each calls f for every step in lane order.
func (v *validator) each(f func(n node, s *Step)) {
	for i := range v.lanes {
		for j := range v.lanes[i].Steps {
			f(node{i, j}, &v.lanes[i].Steps[j])
		}
	}
}

func (v *validator) names() {
	seen := make(map[string]bool, len(v.lanes))
	steps := make(map[string]bool)
	for i, l := range v.lanes {
		if l.Name == "" {
			v.add("lane %d has no name", i+1)
		} else if seen[l.Name] {
			v.add("two lanes are named %q", l.Name)
		}
		seen[l.Name] = true
		clear(steps)
		for j, s := range l.Steps {
			if s.Name == "" {
				v.add("step %d of lane %q has no name", j+1, l.Name)
			} else if steps[s.Name] {
				v.add("lane %q has two steps named %q", l.Name, s.Name)
			}
			steps[s.Name] = true
			if s.Run == nil {
				v.add("step %s has nothing to run", v.name(node{i, j}))
			}
		}
	}
}

func (v *validator) collectOpeners() {
	v.each(func(n node, s *Step) {
		for _, g := range s.Opens {
			if other, twice := v.openers[g]; twice {
				v.add("gate %q is opened by both %s and %s", g, v.name(other), v.name(n))
				continue
			}
			v.openers[g] = n
		}
	})
}

func (v *validator) needs() {
	for _, l := range v.lanes {
		if _, ok := v.openers[l.VitalUntil]; l.VitalUntil != "" && !ok {
			v.add("lane %q is vital until gate %q, which no step opens", l.Name, l.VitalUntil)
		}
	}
	v.each(func(n node, s *Step) {
		for _, g := range s.Needs {
			if _, ok := v.openers[g]; !ok {
				v.add("step %s waits for gate %q, which no step opens", v.name(n), g)
			}
		}
	})
}
