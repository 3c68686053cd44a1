package wire

import (
	"fmt"
	"strings"
)

// Mode says how a command becomes what it must run as.
type Mode string

// The modes, as they stand in the line.
const (
	Plain   Mode = "plain"   // as the login
	Root    Mode = "root"    // as root, the login is root already
	SudoAsk Mode = "sudo"    // as root through sudo, which may ask for a password
	SudoNo  Mode = "sudo-n"  // as root through sudo or doas, which must not ask
	broken  Mode = "newline" // outer wrapping of a line whose words have line breaks
)

// Line is one command line for a host.
type Line struct {
	Mode  Mode
	Nonce string // lower-case hexadecimal
	Args  []string
	// Terminal runs sudo on a terminal, for hosts where it insists on one. The
	// streams of the command do not go through that.
	Terminal bool
}

// String writes the line for the login shell of any account.
func (l Line) String() string {
	words := l.words()
	if !strings.Contains(strings.Join(l.Args, ""), "\n") {
		return "exec " + join(words, QuoteAny)
	}
	inner := join(words, quoteBreaks)
	return "exec " + join([]string{"/bin/sh", "-c", breakScript, string(broken), inner}, QuoteAny)
}

func (l Line) words() []string {
	words := []string{"/bin/sh", "-c"}
	switch l.Mode {
	case Root:
		words = append(words, rootScript, string(Root), l.Nonce)
	case SudoAsk:
		words = append(words, l.sudoScript(), string(SudoAsk), l.Nonce, "ask", rootScript)
	case SudoNo:
		words = append(words, l.sudoScript(), string(SudoNo), l.Nonce, "no", rootScript)
	default:
		words = append(words, plainScript, string(Plain), l.Nonce)
	}
	return append(words, l.Args...)
}

func (l Line) sudoScript() string {
	if l.Terminal {
		return terminalScript
	}
	return sudoScript
}

func join(words []string, quote func(string) string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

// Parse reads a line that String wrote.
func Parse(s string) (Line, error) {
	words, err := split(s)
	if err != nil {
		return Line{}, err
	}
	if len(words) == 6 && words[4] == string(broken) {
		if words, err = split("exec " + words[5]); err != nil {
			return Line{}, err
		}
	}
	if len(words) < 7 || strings.Join(words[:3], " ") != "exec /bin/sh -c" {
		return Line{}, fmt.Errorf("%w: %d words", errSyntax, len(words))
	}
	l := Line{Mode: Mode(words[4]), Nonce: words[5], Args: words[6:]}
	switch l.Mode {
	case Plain, Root:
	case SudoAsk, SudoNo:
		if len(l.Args) < 3 {
			return Line{}, fmt.Errorf("%w: mode %s without a command", errSyntax, l.Mode)
		}
		l.Args = l.Args[2:]
		l.Terminal = words[3] == terminalScript
	default:
		return Line{}, fmt.Errorf("%w: mode %q", errSyntax, l.Mode)
	}
	return l, nil
}
