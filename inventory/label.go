package inventory

import (
	"regexp"
	"strings"
)

// The syntax of label keys and values is that of the Kubernetes documentation,
// "Labels and Selectors", section "Syntax and character set".

func labelWord() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$`)
}

// checkLabelKey checks an optional DNS prefix and a name. what begins the message.
func checkLabelKey(what, key string) error {
	prefix, name, found := strings.Cut(key, "/")
	if !found {
		prefix, name = "", key
	}
	switch {
	case name == "":
		return &valueError{what + " " + quote(key) + " has no name", ""}
	case len(name) > 63:
		return &valueError{what + " " + quote(key) + " has a name of more than 63 characters", ""}
	case !labelWord().MatchString(name):
		return &valueError{what + " " + quote(key) + " has a name that Kubernetes refuses",
			"letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"}
	case found && checkSubdomain(prefix) != "":
		return &valueError{what + " " + quote(key) + " has a prefix that is no DNS name: " + checkSubdomain(prefix), ""}
	}
	return nil
}

// checkLabelValue accepts the empty value too.
func checkLabelValue(what, value string) error {
	switch {
	case len(value) > 63:
		return &valueError{what + " " + quote(value) + " has more than 63 characters", ""}
	case value != "" && !labelWord().MatchString(value):
		return &valueError{what + " " + quote(value) + " is refused by Kubernetes",
			"letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"}
	}
	return nil
}
