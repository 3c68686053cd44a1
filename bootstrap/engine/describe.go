package engine

import (
	"slices"
	"strings"
)

// What ErrorInfo.Output holds at most. A step that may produce more should cut
// by itself: a single line is never cut here, as half a secret would slip
// through the redactor.
const (
	tailLines = 40
	tailBytes = 16 << 10
)

// Describe makes an error of a host's step ready to be shown. Hint and Output
// are those of the outermost error that has one; where errors are joined, those
// of each branch stand one after the other. Retry is left empty.
func Describe(host string, err error) *ErrorInfo {
	return &ErrorInfo{
		Cause:  causeText(host, err),
		Output: tail(strings.Join(collect(err, outputOf), "\n")),
		Hint:   strings.Join(collect(err, hintOf), "\n"),
	}
}

func hintOf(err error) (hint string, own bool) {
	h, ok := err.(Hinter)
	if !ok {
		return "", false
	}
	// A GateError's cause has its hint elsewhere: stop here.
	_, gate := err.(*GateError) //nolint:errorlint // collect does the unwrapping
	return h.Hint(), gate
}

func outputOf(err error) (output string, own bool) {
	if _, gate := err.(*GateError); gate { //nolint:errorlint // collect does the unwrapping
		return "", true
	}
	o, ok := err.(Outputter)
	if !ok {
		return "", false
	}
	return strings.TrimRight(o.Output(), "\n"), false
}

// collect walks an error tree and picks the first text of each branch. It does
// what errors.As does, but goes on below an error whose text is empty and into
// every branch of a join. A pick that says stop ends its branch.
func collect(err error, pick func(error) (string, bool)) []string {
	if err == nil {
		return nil
	}
	s, stop := pick(err)
	if s != "" {
		return []string{s}
	}
	if stop {
		return nil
	}
	var all []string
	switch u := err.(type) { //nolint:errorlint // this is the unwrapping
	case interface{ Unwrap() error }:
		all = collect(u.Unwrap(), pick)
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			for _, s := range collect(e, pick) {
				if !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// causeText is the error's text without the host's name in front, which the
// reader has before him already.
func causeText(host string, err error) string {
	if err == nil {
		return ""
	}
	s := err.Error()
	for host != "" && strings.HasPrefix(s, host+": ") {
		s = strings.TrimPrefix(s, host+": ")
	}
	return s
}

// tail keeps the last whole lines that fit the limits, and at least one.
func tail(s string) string {
	lines := strings.Split(s, "\n")
	cut := max(0, len(lines)-tailLines)
	size := 0
	for i := len(lines) - 1; i >= cut; i-- {
		size += len(lines[i]) + 1
		if size > tailBytes {
			cut = min(i+1, len(lines)-1)
			break
		}
	}
	return strings.Join(lines[cut:], "\n")
}
