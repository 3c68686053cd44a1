package reach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Decision is the address of one host: for node-ip, for flannel, for etcd and
// for joining alike.
type Decision struct {
	Host   string
	Chosen Candidate
	// Reached are the hosts that reach it, Missed those that do not, each in the
	// order of the hosts; of Untried nothing is known.
	Reached, Missed []string
	Untried         int
	// Blind are the hosts whose addresses this host does not reach, where it
	// reaches nobody and they are reached by others: then it is at fault, and they
	// do not have it among Missed.
	Blind []string
	// MTU is the largest packet that arrives from every host that could test it,
	// 0 if none could.
	MTU int
	// Narrow are paths that take smaller packets than both ends say.
	Narrow []Narrow
	// Closed are ports that hosts cannot use, although they reach the address.
	Closed []Closed
	// Excluded are the other addresses, with the reason.
	Excluded []Excluded
	// Why is the reason in words: "10.0.0.11 on eth1: reached by all 3 others".
	Why string
}

// Narrow is a path that loses packets which both cards can send.
type Narrow struct {
	From string
	// Cards is the smaller MTU of both cards, Path the largest packet that
	// arrived; 0 if only a connection that stalls shows it.
	Cards, Path int
}

// Closed is a port that hosts do not reach.
type Closed struct {
	Port Port
	// State is the worst seen, in the order rejected, unreachable, filtered.
	State State
	From  []string
}

// Excluded is a candidate that was not taken.
type Excluded struct {
	Candidate Candidate
	Reason    string
	// Missed says that hosts did not reach it; else another only comes first.
	Missed bool
}

// Decide chooses one address for each host that has a candidate, in the order
// given. Best is what most hosts reach; then what an earlier run chose, as long
// as anybody reaches it; then a private network that all share, any private
// one, and the order of the candidates. An earlier choice that somebody still
// reaches stays, whatever else there is: a cluster does not move by itself.
func Decide(hosts []Host, m Matrix) []Decision {
	var out []Decision
	x := newIndex(m)
	for _, h := range hosts {
		if len(h.Candidates) > 0 {
			out = append(out, decide(h, hosts, x))
		}
	}
	for i := range out {
		blame(out, i)
	}
	for i := range out {
		out[i].Why = out[i].why()
	}
	return out
}

// blame finds out whether a host is the one that reaches nobody.
func blame(all []Decision, i int) {
	name := all[i].Host
	var missed []string
	for _, d := range all {
		switch {
		case slices.Contains(d.Reached, name), slices.Contains(d.Missed, name) && len(d.Reached) == 0:
			return
		case slices.Contains(d.Missed, name):
			missed = append(missed, d.Host)
		}
	}
	if len(missed) < 2 {
		return
	}
	all[i].Blind = missed
	for j := range all {
		d := &all[j]
		if k := slices.Index(d.Missed, name); k >= 0 {
			d.Missed = slices.Delete(d.Missed, k, k+1)
			d.Untried++
		}
	}
}

// seen is what is known of one candidate.
type seen struct {
	Candidate
	reached, missed []string
	untried         int
}

// works says whether an earlier choice may stay.
func (s seen) works() bool { return len(s.reached) > 0 || len(s.missed) == 0 }

func decide(h Host, hosts []Host, x index) Decision {
	all := make([]seen, 0, len(h.Candidates))
	for _, c := range h.Candidates {
		all = append(all, look(h, c, hosts, x))
	}
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, better)
	best := ranked[0]
	d := Decision{Host: h.Name, Chosen: best.Candidate, Reached: best.reached, Missed: best.missed, Untried: best.untried}
	for _, s := range all {
		if s.Addr != best.Addr {
			d.Excluded = append(d.Excluded, Excluded{s.Candidate, s.against(best), len(s.missed) > 0})
		}
	}
	d.paths(h, hosts, x)
	d.closed(h, hosts, x)
	return d
}

// look gathers who reaches a candidate.
func look(h Host, c Candidate, hosts []Host, x index) seen {
	s := seen{Candidate: c}
	for _, from := range hosts {
		if from.Name == h.Name {
			continue
		}
		switch ok, known := x.reached(from.Name, h.Name, c.Addr); {
		case ok:
			s.reached = append(s.reached, from.Name)
		case known:
			s.missed = append(s.missed, from.Name)
		default:
			s.untried++
		}
	}
	return s
}

// better sorts candidates of one host, the best first.
func better(a, b seen) int {
	first := func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	}
	return cmp.Or(
		first(a.Kept && a.works(), b.Kept && b.works()),
		cmp.Compare(len(a.missed), len(b.missed)),
		cmp.Compare(len(b.reached), len(a.reached)),
		first(a.Shared, b.Shared),
		first(a.Private, b.Private),
	)
}

// against says why a candidate was not taken.
func (s seen) against(best seen) string {
	switch {
	case best.Kept && best.works():
		return fmt.Sprintf("%s is in use", best.Addr)
	case len(s.missed) > 0 && len(s.missed) >= len(best.missed) && len(s.reached) == 0:
		return "no other host reaches it"
	case len(s.missed) > len(best.missed):
		return fmt.Sprintf("%s not reach it", do(s.missed))
	case best.Shared && !s.Shared:
		return fmt.Sprintf("%s is on a network that all hosts share", best.Addr)
	case best.Private && !s.Private:
		return "it is public"
	}
	return fmt.Sprintf("%s comes first", best.Addr)
}

// why puts the proof into words.
func (d *Decision) why() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s: ", d.Chosen.Addr, d.Chosen.Link)
	switch n := len(d.Reached); {
	case n == 0 && len(d.Missed) == 0:
		b.WriteString("not tested by other hosts")
	case len(d.Missed) > 0:
		fmt.Fprintf(&b, "reached by %d of %d hosts that tried", n, n+len(d.Missed))
	case d.Untried > 0 && n == 1:
		b.WriteString("reached by the one host that tried")
	case d.Untried > 0:
		fmt.Fprintf(&b, "reached by all %d hosts that tried", n)
	case n == 1:
		b.WriteString("reached by the other host")
	default:
		fmt.Fprintf(&b, "reached by all %d other hosts", n)
	}
	if d.MTU > 0 {
		fmt.Fprintf(&b, ", MTU %d", d.MTU)
	}
	if d.Chosen.Why != "" {
		fmt.Fprintf(&b, "; %s", d.Chosen.Why)
	}
	for _, e := range d.Excluded {
		if e.Missed {
			fmt.Fprintf(&b, "; not %s on %s: %s", e.Candidate.Addr, e.Candidate.Link, e.Reason)
		}
	}
	return b.String()
}

// do is "a does", "a and b do", "5 hosts do": what stands before "not".
func do(names []string) string {
	switch len(names) {
	case 1:
		return names[0] + " does"
	case 2, 3:
		return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " do"
	}
	return fmt.Sprintf("%d hosts do", len(names))
}
