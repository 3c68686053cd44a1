package tui

import "strings"

// domain is the ending that all host names with a dot share, such as
// ".dc1.example.net". A table that is too narrow leaves it out, as it tells no
// two hosts apart.
type domain struct {
	suffix string
	seen   bool
}

// add takes one more name into account.
func (d *domain) add(name string) {
	_, rest, ok := strings.Cut(name, ".")
	if !ok {
		return
	}
	if !d.seen {
		d.suffix, d.seen = "."+rest, true
		return
	}
	for d.suffix != "" && !strings.HasSuffix(name, d.suffix) {
		_, shorter, ok := strings.Cut(d.suffix[1:], ".")
		if !ok {
			d.suffix = ""
			return
		}
		d.suffix = "." + shorter
	}
}

// fitName makes a name exactly w cells wide.
func (d domain) fitName(name string, w int) string {
	if width(name) > w {
		name = strings.TrimSuffix(name, d.suffix)
	}
	return fitMiddle(name, w)
}
