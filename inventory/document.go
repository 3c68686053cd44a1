package inventory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document parses the YAML to its root node, or tells why it cannot and returns
// nil.
func (d *decoder) document(data []byte) *yaml.Node {
	whole := at{pos: Pos{File: d.file}}
	if len(data) > maxFile {
		d.report(whole, fmt.Sprintf("the inventory has more than %d bytes", maxFile), "")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		d.report(whole, "the inventory is empty", "gpuboot init writes one to begin with")
		return nil
	case err != nil:
		d.syntaxError(data, err)
		return nil
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		d.report(whole, "the inventory is empty", "gpuboot init writes one to begin with")
		return nil
	}
	switch err := decoder.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		d.syntaxError(data, err)
	default:
		d.problem(&more, "", "the file holds a second YAML document, an inventory is one", "remove the --- before it")
	}
	return root
}

// errorPrefix is what the library puts before the reason: a line that is about
// right, or none.
var errorPrefix = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError finds the place that the library's error does not give reliably:
// it counts from 0 for some errors, names the begin of a block for others, and
// never gives a column.
func (d *decoder) syntaxError(data []byte, err error) {
	if d.tabs() {
		return
	}
	message := errorPrefix.ReplaceAllString(err.Error(), "")
	n := firstBadLine(data)
	if m := errorPrefix.FindStringSubmatch(err.Error()); n == 0 && m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	n = max(n, 1)
	column := 1
	if n <= len(d.lines) {
		column += len(d.lines[n-1]) - len(strings.TrimLeft(d.lines[n-1], " "))
	}
	hint := ""
	if n <= len(d.lines) {
		hint = quotesHint(strings.TrimSpace(d.lines[n-1]))
	}
	d.report(at{pos: Pos{File: d.file, Line: n, Column: column}}, "the YAML cannot be read here: "+message, hint)
}

// quotesHint looks for the two usual reasons of a line that is no YAML.
func quotesHint(text string) string {
	value, isItem := strings.CutPrefix(text, "- ")
	if isItem && strings.HasPrefix(value, "[") {
		return "an address that begins with a bracket needs quotes"
	}
	if _, after, found := strings.Cut(value, ": "); found {
		value = after
	}
	if strings.Contains(value, ": ") || strings.IndexAny(value, "@`%") == 0 {
		return "text that holds ': ' or begins with '@', '`' or '%' needs quotes"
	}
	return ""
}

// tabs reports every line that is indented with a tab, which YAML forbids and
// which its parser describes poorly.
func (d *decoder) tabs() bool {
	found := false
	for i, text := range d.lines {
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && strings.TrimSpace(text) != "" {
			d.report(at{pos: Pos{File: d.file, Line: i + 1, Column: tab + 1}}, "the line is indented with a tab", "indent with spaces")
			found = true
		}
	}
	return found
}

// maxReparse bounds the bytes read again to find the place of a syntax error.
const maxReparse = 4 << 20

// firstBadLine is the line after the longest beginning of the file that is
// proper YAML: no matter what follows, the mistake shows there. It is 0 for a
// file too large to search.
func firstBadLine(data []byte) int {
	lines := bytes.SplitAfter(data, []byte("\n"))
	budget := maxReparse
	end := len(data)
	for n := len(lines); n > 0 && budget > 0; n-- {
		end -= len(lines[n-1])
		budget -= end
		if isYAML(data[:end]) {
			return n
		}
	}
	return 0
}

// isYAML reports whether all documents of data can be read.
func isYAML(data []byte) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var node yaml.Node
		switch err := decoder.Decode(&node); {
		case errors.Is(err, io.EOF):
			return true
		case err != nil:
			return false
		}
	}
}
