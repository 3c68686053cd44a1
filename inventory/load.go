package inventory

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxFile bounds an inventory, in bytes: a thousand hosts written out need a
// tenth of it.
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
	d := &decoder{file: file, lines: strings.Split(string(data), "\n"), roleless: map[*poolSpec]bool{}}
	root := d.document(data)
	if root == nil {
		return nil, d.problems.sorted()
	}
	d.root = at{pos: d.pos(root)}
	var s spec
	var inv *Inventory
	if d.into(&s, root, "") {
		inv = d.build(&s)
	}
	if len(d.problems) > 0 {
		return nil, d.problems.sorted()
	}
	inv.Warnings = d.warned.sorted()
	return inv, nil
}
