package wire

import (
	"errors"
	"fmt"
	"strings"
)

// errSyntax says that a text is not in the small language that this
// package writes.
var errSyntax = errors.New("not a gpuboot command line")

// split reads words as QuoteSh, QuoteAny and quoteBreaks write them:
// single quotes, a backslash outside of quotes, the reference to a line
// break, and blanks between words. It is not a shell: anything else that
// a shell would act on is refused.
func split(s string) ([]string, error) {
	var words []string
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return words, nil
		}
		word, rest, err := nextWord(s)
		if err != nil {
			return nil, err
		}
		words, s = append(words, word), rest
	}
}

// nextWord reads one word from the start of s.
func nextWord(s string) (word, rest string, err error) {
	var b strings.Builder
	for s != "" && s[0] != ' ' {
		switch {
		case s[0] == '\'':
			end := strings.IndexByte(s[1:], '\'')
			if end < 0 {
				return "", "", fmt.Errorf("%w: a quote is not closed", errSyntax)
			}
			b.WriteString(s[1 : 1+end])
			s = s[end+2:]
		case s[0] == '\\' && len(s) > 1:
			b.WriteByte(s[1])
			s = s[2:]
		case strings.HasPrefix(s, breakRef):
			b.WriteByte('\n')
			s = s[len(breakRef):]
		case strings.IndexByte(plainWord, s[0]) >= 0:
			b.WriteByte(s[0])
			s = s[1:]
		default:
			return "", "", fmt.Errorf("%w: character %q outside of quotes", errSyntax, s[0])
		}
	}
	return b.String(), s, nil
}
