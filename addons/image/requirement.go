package image

import (
	"strings"
)

// outcome of a requirement.
type outcome int

const (
	fails outcome = iota
	holds
	unclear // it depends on something that is not known of the host
	invalid // nvidia-container-cli stops with "invalid expression"
)

// values are what a requirement is about, on one GPU. "" is not known.
type values struct{ cuda, driver, arch, brand string }

// evaluate reads one value of NVIDIA_REQUIRE_* as libnvidia-container does (src/cli/dsl.c): blanks separate alternatives,
// commas separate terms that must all hold, and reading stops at the first alternative that holds. So what follows that one
// may be wrong without anybody noticing, and an alternative of nothing but commas ends the reading with what went before.
// Unlike there, a property that is not known does not count as met: it makes the outcome unclear.
func evaluate(expr string, v values) outcome {
	last, doubt := holds, false // an expression without terms holds
	for alternative := range strings.SplitSeq(expr, " ") {
		if alternative == "" {
			continue
		}
		next, ended := conjunction(alternative, last, v)
		switch {
		case next == holds:
			return holds
		case next == unclear:
			doubt = true // it may be the one that holds; if not, a later one may
			next = fails
		case next == invalid && doubt:
			return unclear
		case next == invalid:
			return invalid
		}
		if last = next; ended {
			break
		}
	}
	if doubt {
		return unclear
	}
	return last
}

// conjunction reads one alternative. ended says that no term was false, which ends the reading.
func conjunction(alternative string, last outcome, v values) (result outcome, ended bool) {
	doubt := false
	for t := range strings.SplitSeq(alternative, ",") {
		if t == "" {
			continue
		}
		switch last = term(t, v); {
		case last == fails:
			return fails, false
		case last == unclear:
			doubt = true
		case last == invalid && doubt: // reached only if the doubtful term holds
			return unclear, false
		case last == invalid:
			return invalid, false
		}
	}
	if doubt {
		return unclear, false
	}
	return last, true
}

// operators in the order in which libnvidia-container looks for them: a run of operator characters is taken for the first
// operator that begins with it. So "!" is "!=", "<" is "<", and "==" and "=>" are nothing.
func operators() []string { return []string{"=", "!=", "<", "<=", ">", ">="} }

const operatorBytes = "<>=!"

// longest is one more than the length of a false term, as libnvidia-container writes it down for its error message.
const longest = 128

// term reads property, operator and value: "driver>=525".
func term(t string, v values) outcome {
	i := strings.IndexAny(t, operatorBytes)
	if i <= 0 {
		return invalid
	}
	property, rest := t[:i], t[i:]
	value := strings.TrimLeft(rest, operatorBytes)
	run, operator := rest[:len(rest)-len(value)], ""
	for _, o := range operators() {
		if strings.HasPrefix(o, run) {
			operator = o
			break
		}
	}
	if operator == "" || value == "" {
		return invalid
	}
	result := invalid
	switch strings.ToLower(property) {
	case "cuda":
		result = compareVersions(v.cuda, operator, value)
	case "driver":
		result = compareVersions(v.driver, operator, value)
	case "arch":
		result = compareVersions(v.arch, operator, value)
	case "brand":
		result = compareBrands(v.brand, operator, value)
	}
	if result == fails && len(property)+len(operator)+len(value)+2 >= longest {
		return invalid
	}
	return result
}

func compareBrands(have, operator, want string) outcome {
	switch {
	case operator != "=" && operator != "!=":
		return invalid
	case have == "":
		return unclear
	}
	return truth(strings.EqualFold(have, want) == (operator == "="))
}

func truth(b bool) outcome {
	if b {
		return holds
	}
	return fails
}
