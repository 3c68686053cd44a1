package inventory

import (
	"slices"
	"strconv"
	"strings"
)

// valueError is a refused value, with what to write instead.
type valueError struct {
	message, hint string
	// secret is set when the value may hold a password, so that its line is not
	// shown.
	secret bool
}

// Error gives "message (hint)".
func (e *valueError) Error() string {
	if e.hint == "" {
		return e.message
	}
	return e.message + " (" + e.hint + ")"
}

// refused is the error for a value that cannot stay. hint may be "".
func refused(message, hint string) error { return &valueError{message: message, hint: hint} }

// maxQuoted bounds the bytes of a foreign value that are repeated in a message.
const maxQuoted = 80

// quote repeats a foreign value in a message: escaped, and cut when long.
func quote(s string) string {
	if len(s) > maxQuoted {
		return strconv.Quote(strings.ToValidUTF8(s[:maxQuoted], "")) + "…"
	}
	return strconv.Quote(s)
}

// join lists words as they stand.
func join(words []string) string { return strings.Join(words, ", ") }

func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean " + strconv.Quote(word) + "?"
}

// suggest names the allowed word that was probably meant, or says nothing when
// none is near.
func suggest(got string, allowed []string) string { return didYouMean(nearest(got, allowed)) }

// nearest returns the allowed word with the smallest edit distance from got,
// ignoring case, or "" if even that differs in more than a third of the letters.
func nearest(got string, allowed []string) string {
	if len(got) > 64 {
		return ""
	}
	best, bestDistance := "", len(got)/3+1
	for _, word := range slices.Sorted(slices.Values(allowed)) {
		d := distance(strings.ToLower(got), strings.ToLower(word))
		if d < bestDistance {
			best, bestDistance = word, d
		}
	}
	return best
}

// distance is the number of inserted, deleted, replaced or swapped neighbouring
// bytes between a and b (optimal string alignment).
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
