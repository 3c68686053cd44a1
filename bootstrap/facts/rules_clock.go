package facts

import (
	"fmt"
	"slices"
	"time"
)

const (
	// skewWarn is twice what etcd complains about (1 s), so that the way the
	// offset is measured cannot cause it.
	skewWarn = 2 * time.Second
	// skewBlock is half of the minute that Kubernetes forgives a token from the
	// future: two hosts, each just within it, still accept each other's tokens.
	skewBlock = 30 * time.Second
)

func clockSkew() rule {
	return rule{
		Rule: Rule{ID: "clock-skew", Severity: Block,
			Meaning: "Clocks are compared with the median of all hosts. Certificates and tokens made on one host are not valid yet on a host whose clock is behind. More than 2 s gives a warning, more than 30 s blocks.",
			Fix:     "timedatectl set-ntp true, or chronyc makestep"},
		all: func(s *scene) []hit {
			median := s.medianOffset()
			var out []hit
			for _, c := range s.hosts {
				k := c.f.Clock
				if k.Remote.IsZero() {
					continue
				}
				// What cannot be told from the round trip is given to the host.
				off := k.Offset - median
				sure := max(off.Abs()-k.RTT/2-k.Precision/2, 0)
				if sure <= skewWarn {
					continue
				}
				h := hit{host: c.host.Name, severity: Warn, summary: "the clock differs from those of the other hosts",
					evidence: fmt.Sprintf("%s the median of %d hosts, time service in sync: %s", ahead(off), len(s.hosts), k.Synced)}
				if sure > skewBlock {
					h.severity = Block
					h.summary = "the clock differs so much from the others that certificates and tokens are refused"
				}
				out = append(out, h)
			}
			return out
		},
	}
}

func ahead(d time.Duration) string {
	word := "ahead of"
	if d < 0 {
		word = "behind"
	}
	return d.Abs().Round(100*time.Millisecond).String() + " " + word
}

// medianOffset is the middle of all hosts' offsets to our clock. With an even
// number ours is counted too, as it breaks the tie of two hosts.
func (s *scene) medianOffset() time.Duration {
	var offsets []time.Duration
	for _, c := range s.hosts {
		if !c.f.Clock.Remote.IsZero() {
			offsets = append(offsets, c.f.Clock.Offset)
		}
	}
	if len(offsets)%2 == 0 {
		offsets = append(offsets, 0)
	}
	slices.Sort(offsets)
	return offsets[len(offsets)/2]
}

func clockUnsynced() rule {
	return rule{
		Rule: Rule{ID: "clock-unsynced", Severity: Warn,
			Meaning: "A clock that no time service keeps drifts until certificates and leases fail.",
			Fix:     "timedatectl set-ntp true, or install chrony"},
		host: func(c hostCase) []hit {
			if c.f.Clock.Synced != "no" {
				return nil
			}
			return one("no time service keeps the clock", "the time service says: not synchronised")
		},
	}
}
