package inventory

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// GPUs is the promise of what a host holds; verification tests it. In YAML it
// is "8x H100", or "8" when any product will do.
type GPUs struct {
	Count int
	// Product is a part of the product's name as the driver gives it, such as
	// H100, in any case; "" for any.
	Product string
}

// maxGPUs is far above any machine sold; a larger number is a slip of the keys.
const maxGPUs = 64

var gpusPattern = regexp.MustCompile(`^([0-9]{1,4})(?:\s*[xX×]\s*(\S(?:.*\S)?))?$`)

// String gives the YAML form.
func (g GPUs) String() string {
	if g.Product == "" {
		return strconv.Itoa(g.Count)
	}
	return fmt.Sprintf("%dx %s", g.Count, g.Product)
}

// MarshalText gives the YAML form.
func (g GPUs) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText accepts "8x H100" and "8".
func (g *GPUs) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	m := gpusPattern.FindStringSubmatch(s)
	if m == nil {
		return refused("gpus "+quote(s)+" is not a number of GPUs", `write "8x H100", or 8 for any product`)
	}
	count, err := strconv.Atoi(m[1])
	if err != nil {
		return fmt.Errorf("reading the number of gpus: %w", err)
	}
	if count > maxGPUs {
		return refused(fmt.Sprintf("gpus promises %d GPUs in one host, at most %d are accepted", count, maxGPUs),
			"the number is for each host, not for the pool")
	}
	if count == 0 && m[2] != "" {
		return refused("gpus "+quote(s)+" names a product but no GPU", "write 0")
	}
	*g = GPUs{Count: count, Product: m[2]}
	return nil
}
