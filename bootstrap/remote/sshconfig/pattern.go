package sshconfig

import "strings"

// matchPattern matches "*" and "?" against the whole of s.
func matchPattern(pattern, s string) bool {
	for pattern != "" {
		if pattern[0] == '*' {
			pattern = strings.TrimLeft(pattern, "*")
			for i := range len(s) + 1 {
				if matchPattern(pattern, s[i:]) {
					return true
				}
			}
			return false
		}
		if s == "" || pattern[0] != '?' && pattern[0] != s[0] {
			return false
		}
		pattern, s = pattern[1:], s[1:]
	}
	return s == ""
}

// matchList matches a list of patterns, of which those with "!" exclude.
func matchList(patterns []string, s string) bool {
	found := false
	for _, p := range patterns {
		if p, negated := strings.CutPrefix(p, "!"); matchPattern(p, s) {
			if negated {
				return false
			}
			found = true
		}
	}
	return found
}
