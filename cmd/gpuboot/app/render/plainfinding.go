package render

import (
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// shownHosts is how many hosts of a finding are named; the rest are counted.
// The run log and JSON output have all of them.
const shownHosts = 8

// sameFinding says whether two findings differ at most in host and evidence.
func sameFinding(a, b engine.Event) bool {
	return b.Kind == engine.KindFinding && a.Level == b.Level && a.ID == b.ID && a.Message == b.Message && a.Fix == b.Fix
}

// findingText gives a finding of one host or several: level, hosts, summary and
// name, then evidence and fix, each line of them under the first. Evidence that
// differs stands once for each host.
func findingText(alike []engine.Event, t cleaner, c palette) string {
	e := alike[0]
	var b strings.Builder
	b.WriteString(c.status(pad(t.line(e.Level), 5), e.Level) + "  ")
	if names := hostNames(alike, t); names != "" {
		b.WriteString(names + ": ")
	}
	b.WriteString(t.first(e.Message))
	if e.ID != "" {
		b.WriteString("  [" + t.line(e.ID) + "]")
	}
	b.WriteString("\n")
	part(&b, "evidence", evidence(alike, t))
	part(&b, "fix", t.lines(e.Fix))
	return b.String()
}

func part(b *strings.Builder, name string, lines []string) {
	indent := "       " + name + ": "
	for _, l := range lines {
		b.WriteString(indent + l + "\n")
		indent = strings.Repeat(" ", len(indent))
	}
}

func hostNames(alike []engine.Event, t cleaner) string {
	var names []string
	for i, e := range alike {
		if e.Host == "" {
			continue
		}
		if i == shownHosts {
			names = append(names, fmt.Sprintf("%d more", len(alike)-i))
			break
		}
		names = append(names, t.line(e.Host))
	}
	return strings.Join(names, ", ")
}

func evidence(alike []engine.Event, t cleaner) []string {
	same := true
	for _, e := range alike {
		same = same && e.Evidence == alike[0].Evidence
	}
	if same {
		return t.lines(alike[0].Evidence)
	}
	var out []string
	for i, e := range alike {
		if i == shownHosts {
			return append(out, fmt.Sprintf("(%d more)", len(alike)-i))
		}
		for _, l := range t.lines(e.Evidence) {
			out = append(out, t.line(e.Host)+": "+l)
		}
	}
	return out
}
