package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// HostChanges is what a plan would do to one host.
type HostChanges struct {
	Host    string          `json:"host"`
	Changes []engine.Change `json:"changes"`
}

// Changes groups the plan.change events of a stream by host. Hosts and changes
// keep their order.
func Changes(events []engine.Event) []HostChanges {
	var plan []HostChanges
	at := make(map[string]int)
	for _, e := range events {
		if e.Kind != engine.KindPlanChange || e.Change == nil {
			continue
		}
		i, known := at[e.Host]
		if !known {
			i = len(plan)
			at[e.Host] = i
			plan = append(plan, HostChanges{Host: e.Host})
		}
		plan[i].Changes = append(plan[i].Changes, *e.Change)
	}
	return plan
}

// Plan writes a plan as text: a block for each host, one change a line, and the
// sum. A change that running work would notice is marked with "!".
func Plan(w io.Writer, plan []HostChanges) error {
	var b strings.Builder
	t := changeText{cleaner: newCleaner()}
	for _, h := range plan {
		b.WriteString(t.line(h.Host) + ":\n")
		for _, c := range h.Changes {
			b.WriteString(t.change(c) + "\n")
		}
	}
	b.WriteString(planSum(plan) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// PlanJSON writes a plan as one JSON object on one line.
func PlanJSON(w io.Writer, plan []HostChanges) error {
	sum := sumChanges(plan)
	if plan == nil {
		plan = []HostChanges{} // [] and not null
	}
	return writeLine(w, struct {
		Hosts      []HostChanges `json:"hosts"`
		Changes    int           `json:"changes"`
		Disruptive int           `json:"disruptive"`
	}{plan, sum.changes, sum.disruptive})
}

// changeText writes changes, in colour if its palette has any.
type changeText struct {
	cleaner
	palette
}

// actionWidth fits the longest of the usual actions.
const actionWidth = 8

func (t changeText) change(c engine.Change) string {
	mark, after := " ", ""
	if c.Disruptive {
		mark, after = t.status("!", "warn"), " (disturbs running work)"
	}
	s := fmt.Sprintf("  %s %s %s", mark, pad(t.line(c.Action), actionWidth), t.line(c.What))
	if reason := t.first(c.Reason); reason != "" {
		s += ": " + reason
	}
	return s + t.status(after, "warn")
}

type planSums struct{ hosts, changes, disruptive int }

func sumChanges(plan []HostChanges) planSums {
	var s planSums
	for _, h := range plan {
		s.hosts++
		s.changes += len(h.Changes)
		for _, c := range h.Changes {
			if c.Disruptive {
				s.disruptive++
			}
		}
	}
	return s
}

func planSum(plan []HostChanges) string {
	s := sumChanges(plan)
	if s.changes == 0 {
		return "no changes"
	}
	text := count(s.changes, "change") + " on " + count(s.hosts, "host")
	switch s.disruptive {
	case 0:
	case 1:
		text += ", 1 disturbs running work"
	default:
		text += fmt.Sprintf(", %d disturb running work", s.disruptive)
	}
	return text
}
