package sshconfig

import (
	"errors"
	"fmt"
	"strings"
)

// ErrExec means that a "Match exec" would decide, and this package runs
// nothing. The section can be written with host patterns instead.
var ErrExec = errors.New("Match exec is not run")

// ErrCriterion means that a Match has a criterion that is not known here.
var ErrCriterion = errors.New("unknown criterion of Match")

// match decides on a section. Criteria are looked at from the left, and
// the first one that fails ends it, so that an exec behind it is no error.
func (r *reader) match(d directive) (bool, error) {
	args := d.args
	if len(args) == 0 {
		return false, fmt.Errorf("%v: Match has no criterion", d.pos)
	}
	for len(args) > 0 {
		name, inline, hasInline := strings.Cut(args[0], "=")
		args = args[1:]
		name, negated := strings.CutPrefix(strings.ToLower(name), "!")
		ok, plain := r.plainCriterion(name)
		if !plain {
			list := inline
			if !hasInline {
				if len(args) == 0 {
					return false, fmt.Errorf("%v: %s of Match has no value", d.pos, name)
				}
				list, args = args[0], args[1:]
			}
			var err error
			if ok, err = r.criterion(name, list); err != nil {
				return false, fmt.Errorf("%v: %w", d.pos, err)
			}
		}
		if ok == negated {
			return false, nil
		}
	}
	return true, nil
}

// plainCriterion is a criterion without a value.
func (r *reader) plainCriterion(name string) (ok, plain bool) {
	switch name {
	case "all":
		return true, true
	case "final":
		r.again = true
		return r.final, true
	case "canonical": // as names are not made canonical here
		return r.final, true
	}
	return false, false
}

func (r *reader) criterion(name, list string) (bool, error) {
	patterns := strings.Split(list, ",")
	switch name {
	case "host":
		host, err := r.hostName()
		return matchList(patterns, host), err
	case "originalhost":
		return matchList(patterns, r.alias), nil
	case "user":
		return matchList(patterns, or(r.first("user"), r.localUser)), nil
	case "localuser":
		return matchList(patterns, r.localUser), nil
	case "exec":
		return false, ErrExec
	}
	return false, fmt.Errorf("%w: %s", ErrCriterion, name)
}
