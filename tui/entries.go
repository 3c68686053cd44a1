package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/inventory"
)

// entry is one host or range as typed, with its line.
type entry struct {
	text string
	line int // from 1
}

// splitEntries cuts what was typed or pasted at spaces, commas and line ends, but
// not inside brackets, where commas are part of a range. What stands behind a '#'
// is a comment.
func splitEntries(text string) []entry {
	var out []entry
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		depth := 0
		fields := strings.FieldsFunc(line, func(r rune) bool {
			switch r {
			case '[':
				depth++
			case ']':
				depth--
			case ',', ';':
				return depth <= 0
			case ' ', '\t', '\r':
				return true
			}
			return false
		})
		for _, f := range fields {
			out = append(out, entry{f, i + 1})
		}
	}
	return out
}

// hosts works out the machines that a draft names, by the inventory's own rules.
// The problems are one a line, those of typed entries with their line.
func (d draft) hosts() ([]inventory.Host, []string) {
	if d.empty() {
		return nil, []string{"no host yet: type addresses, pick from ssh_config, or open an inventory"}
	}
	inv, err := inventory.Parse("", d.sketch())
	if problems, ok := errors.AsType[inventory.Problems](err); ok {
		return nil, d.explain(problems)
	}
	return slices.DeleteFunc(inv.Hosts, func(h inventory.Host) bool { return h.Name == nobody }), nil
}

// nobody is the server of a sketch, as an inventory needs one and roles are not
// chosen yet.
const nobody = "gpuboot.invalid"

// sketch is an inventory of the entries alone. It is JSON, which YAML contains,
// and every typed entry stands on the line it was typed on, so that what the
// inventory says of a line is true for the person.
func (d draft) sketch() []byte {
	var b strings.Builder
	name := d.Name
	if name == "" {
		name = "cluster"
	}
	fmt.Fprintf(&b, `{"name": %s, "defaults": %s, "hosts": [{"address": %s, "role": "server"}], "pools": [{"name": "all", "role": "worker", "hosts": [`,
		quoted(name), d.defaults(), quoted(nobody))
	line := 1
	sep := ""
	for _, e := range splitEntries(d.Addresses) {
		b.WriteString(sep + strings.Repeat("\n", e.line-line) + quoted(e.text))
		line, sep = e.line, ", "
	}
	for _, a := range d.Aliases {
		b.WriteString(sep + quoted(a))
		sep = ", "
	}
	b.WriteString("]}]}")
	return []byte(b.String())
}

// lookText is an inventory of the hosts for looking at them: roles do not matter
// then, but there have to be some.
func (d draft) lookText(hosts []inventory.Host) []byte {
	texts := make([]string, len(hosts))
	for i, h := range hosts {
		texts[i] = quoted(hostText(h, d.User))
	}
	pools := fmt.Sprintf(`{"name": "first", "role": "both", "hosts": [%s]}`, texts[0])
	if len(texts) > 1 {
		pools += fmt.Sprintf(`, {"name": "others", "role": "worker", "hosts": [%s]}`, strings.Join(texts[1:], ", "))
	}
	return fmt.Appendf(nil, `{"name": %s, "defaults": %s, "pools": [%s]}`, quoted(d.Name), d.defaults(), pools)
}

func (d draft) defaults() string {
	parts := []string{}
	if d.User != "" {
		parts = append(parts, `"user": `+quoted(d.User))
	}
	if d.Key != "" {
		parts = append(parts, `"identityFile": `+quoted(d.Key))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// quoted is a JSON string.
func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""` // no string has no JSON form
	}
	return string(data)
}

// explain says for each problem which field it is in.
func (d draft) explain(problems inventory.Problems) []string {
	typed := map[int]bool{}
	for _, e := range splitEntries(d.Addresses) {
		typed[e.line] = true
	}
	var out []string
	for _, p := range problems {
		text := p.Message
		if p.Hint != "" {
			text += " (" + p.Hint + ")"
		}
		if strings.HasPrefix(p.Path, "pools") && typed[p.Pos.Line] {
			text = fmt.Sprintf("line %d: %s", p.Pos.Line, text)
		}
		out = append(out, clean(text))
	}
	return out
}
