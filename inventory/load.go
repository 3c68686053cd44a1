package inventory

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFile bounds an inventory: a thousand hosts written out need a tenth of it.
const maxFile = 1 << 20

// Load reads and checks the inventory at path. The error is Problems for a file
// that can be read and is not right, else an I/O error.
func Load(path string) (*Inventory, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the inventory: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the inventory: %w", err)
	}
	return Parse(path, data)
}

// Parse checks an inventory that was already read. file is its path: it begins
// every message, and relative paths inside are taken from its folder. The error
// is always Problems.
func Parse(file string, data []byte) (*Inventory, error) {
	d := &decoder{file: file, lines: strings.Split(string(data), "\n")}
	var s spec
	if root := d.document(data); root != nil {
		d.into(&s, root, "")
	}
	inv := d.build(&s)
	if len(d.problems) > 0 {
		d.problems.sort()
		return nil, d.problems
	}
	return inv, nil
}

// document parses the YAML to its root node, or tells why it cannot and
// returns nil.
func (d *decoder) document(data []byte) *yaml.Node {
	var doc yaml.Node
	err := yaml.Unmarshal(data, &doc)
	switch {
	case errors.Is(err, io.EOF):
	case err != nil:
		d.report(at{pos: Pos{File: d.file}}, err.Error(), "")
		return nil
	}
	if len(doc.Content) == 0 {
		d.report(at{pos: Pos{File: d.file}}, "the inventory is empty", "")
		return nil
	}
	return doc.Content[0]
}
