// Package rules holds the rules of the house as tests: who may import whom, and how long, documented and patient code has
// to be. It has no code of its own. A rule that stands in the way is changed here, with its reason, not worked around.
package rules
