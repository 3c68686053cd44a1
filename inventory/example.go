package inventory

import (
	_ "embed"
	"slices"
)

//go:embed example.yaml
var example []byte

// Example returns a commented inventory that mentions every field. What most
// clusters do without is commented out by a '#' alone, text by a '#' and a space.
func Example() []byte { return slices.Clone(example) }
