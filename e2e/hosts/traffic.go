package hosts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Rule selects traffic between machines of a fleet.
type Rule struct {
	From, To *Host  // nil is any, the test process included
	Port     int    // destination port; 0 is any
	Protocol string // tcp (the default when Port is set), udp or icmp; "" without Port is everything
}

// Drop loses the packets that the rule selects, silently as most firewalls do, on all networks of the fleet. It returns how
// to end that. Connections that are open stall too, and one direction is enough to stall them.
func (f *Fleet) Drop(ctx context.Context, rule Rule) (undo func(context.Context) error, err error) {
	if !f.Supports(FeatureTraffic) {
		return nil, unsupported(FeatureTraffic)
	}
	expr, err := rule.expression()
	if err != nil {
		return nil, err
	}
	// The answer names the new rule: … drop # handle 7
	out, err := tool(ctx, "ip", "netns", "exec", f.rec.switchNS(), "nft", "--echo", "--handle",
		"add rule bridge drops hosts "+expr+" drop")
	if err != nil {
		return nil, err
	}
	_, handle, ok := strings.Cut(strings.TrimSpace(out), "# handle ")
	if !ok {
		return nil, fmt.Errorf("reading the number of a new drop rule from %q: not found", out)
	}
	return func(ctx context.Context) error {
		_, err := tool(ctx, "ip", "netns", "exec", f.rec.switchNS(), "nft", "delete rule bridge drops hosts handle "+handle)
		return err
	}, nil
}

func (r Rule) expression() (string, error) {
	var words []string
	for _, side := range []struct {
		field string
		host  *Host
	}{{"saddr", r.From}, {"daddr", r.To}} {
		if side.host == nil {
			continue
		}
		var addrs []string
		for _, n := range side.host.rec.NICs {
			addrs = append(addrs, n.Addr.Addr().String())
		}
		words = append(words, "ip "+side.field+" { "+strings.Join(addrs, ", ")+" }")
	}
	switch {
	case r.Port == 0 && r.Protocol == "":
	case r.Port == 0:
		words = append(words, "ip protocol "+r.Protocol)
	case r.Protocol == "" || r.Protocol == "tcp":
		words = append(words, fmt.Sprintf("tcp dport %d", r.Port))
	case r.Protocol == "udp":
		words = append(words, fmt.Sprintf("udp dport %d", r.Port))
	default:
		return "", fmt.Errorf("protocol %q has no ports", r.Protocol)
	}
	return strings.Join(words, " "), nil
}

// SetLink pulls the cable of a link out, or puts it back in: the host sees its link without carrier.
func (h *Host) SetLink(ctx context.Context, nic string, up bool) error {
	state := "down"
	if up {
		state = "up"
	}
	return h.port(nic, func(n nicRecord, space string) error {
		_, err := tool(ctx, "ip", "-n", space, "link", "set", n.Port, state)
		return err
	})
}

// SetMTU changes the packet size of a link at both ends, until the host's next boot; NIC.MTU is for longer.
func (h *Host) SetMTU(ctx context.Context, nic string, mtu int) error {
	return h.port(nic, func(n nicRecord, space string) error {
		_, err := tool(ctx, "ip", "-n", space, "link", "set", n.Port, "mtu", fmt.Sprint(mtu))
		_, err2 := tool(ctx, "ip", "-n", h.fleet.rec.hostNS(h.Name), "link", "set", n.Name, "mtu", fmt.Sprint(mtu))
		return errors.Join(err, err2)
	})
}

// Rate limits what arrives at the host's link to so many bits a second, until its next boot; 0 lifts the limit.
func (h *Host) Rate(ctx context.Context, nic string, bits int64) error {
	return h.queue(ctx, nic, bits > 0, "tbf", "rate", fmt.Sprintf("%dbit", bits), "burst", "64kb", "latency", "200ms")
}

// Delay holds back what arrives at the host's link, until its next boot; 0 ends that. It replaces a Rate.
func (h *Host) Delay(ctx context.Context, nic string, delay time.Duration) error {
	if !h.fleet.Supports(FeatureDelay) {
		return unsupported(FeatureDelay)
	}
	return h.queue(ctx, nic, delay > 0, "netem", "delay", fmt.Sprintf("%dus", delay.Microseconds()))
}

func (h *Host) queue(ctx context.Context, nic string, on bool, discipline ...string) error {
	return h.port(nic, func(n nicRecord, space string) error {
		// "noqueue" is what a veth has by itself; replacing works whether or not there is another.
		args := []string{"-n", space, "qdisc", "replace", "dev", n.Port, "root"}
		if !on {
			discipline = []string{"noqueue"}
		}
		_, err := tool(ctx, "tc", append(args, discipline...)...)
		return err
	})
}

// port finds the switch's end of a link.
func (h *Host) port(nic string, do func(n nicRecord, space string) error) error {
	if !h.fleet.Supports(FeatureTraffic) {
		return unsupported(FeatureTraffic)
	}
	for _, n := range h.rec.NICs {
		if n.Name == nic {
			return do(n, h.fleet.rec.switchNS())
		}
	}
	return fmt.Errorf("host %s has no link %s", h.Name, nic)
}
