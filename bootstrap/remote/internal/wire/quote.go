package wire

import "strings"

// plainWord lists the characters that no shell treats specially anywhere
// in a word. "=" is left out because fish and zsh give it a meaning at the
// start of a word, "~" and "%" likewise.
const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@+"

// QuoteSh quotes one word for a POSIX shell.
func QuoteSh(word string) string {
	if word != "" && strings.Trim(word, plainWord) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// QuoteAny quotes one word so that sh, fish and csh read the same bytes.
// Inside single quotes fish gives the backslash a meaning and csh the
// exclamation mark, so these two and the quote itself stand outside the
// quotes behind a backslash, which all of them read alike. A word with a
// line break cannot be written for csh; Line.String keeps those out.
func QuoteAny(word string) string {
	if word != "" && strings.Trim(word, plainWord) == "" {
		return word
	}
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(word) {
		switch c := word[i]; c {
		case '\'', '\\', '!':
			b.WriteString(`'\`)
			b.WriteByte(c)
			b.WriteByte('\'')
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// breakRef stands for a line break in a word that is read by eval in a
// shell where the variable b holds one.
const breakRef = `"$b"`

// quoteBreaks quotes a word for a POSIX shell without a line break in the
// result.
func quoteBreaks(word string) string {
	parts := strings.Split(word, "\n")
	for i, part := range parts {
		if part != "" || len(parts) == 1 {
			parts[i] = QuoteSh(part)
		}
	}
	return strings.Join(parts, breakRef)
}
