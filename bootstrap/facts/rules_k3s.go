package facts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func otherCluster() rule {
	return rule{
		Rule: Rule{ID: "other-cluster", Severity: Block,
			Meaning: "gpuboot's journal on the host names another cluster: it would be torn out of that one.",
			Fix:     "run `gpuboot down` with that cluster's inventory, or take the host out of this one"},
		host: func(c hostCase) []hit {
			name := c.f.journal().Cluster
			if name == "" || name == c.inv.Name {
				return nil
			}
			return one("the host belongs to another cluster of gpuboot", fmt.Sprintf("its journal says cluster %q, the inventory %q", name, c.inv.Name))
		},
	}
}

func journalUnreadable() rule {
	return rule{
		Rule: Rule{ID: "journal-unreadable", Severity: Block,
			Meaning: "gpuboot's journal on the host is damaged or not a journal; nothing says what was done to the host.",
			Fix:     "look at /var/lib/gpuboot/journal.json and restore it, or move it away to treat the host as untouched"},
		host: func(c hostCase) []hit {
			if len(c.f.Journal) == 0 {
				return nil
			}
			var j journalFacts
			err := json.Unmarshal(c.f.Journal, &j)
			switch {
			case err != nil:
				return one("gpuboot's journal on the host cannot be read", err.Error())
			case j.Cluster == "":
				return one("gpuboot's journal on the host names no cluster", tail(string(c.f.Journal), 120))
			}
			return nil
		},
	}
}

func k3sForeign() rule {
	return rule{
		Rule: Rule{ID: "k3s-foreign", Severity: Block,
			Meaning: "A k3s that gpuboot did not install runs, or is set up, on the host. gpuboot does not take over clusters it did not make.",
			Fix:     "save what you need, then run its own k3s-uninstall.sh or k3s-agent-uninstall.sh; or take the host out of the inventory"},
		host: func(c hostCase) []hit {
			other := c.otherUnit()
			if c.f.adopted() || (c.f.K3s.Role == "" && !c.f.K3s.Processes && other == "") {
				return nil
			}
			h := hit{summary: "k3s is already set up on the host, and not by gpuboot", evidence: c.k3sEvidence(other)}
			for _, script := range []string{"/usr/local/bin/k3s-uninstall.sh", "/usr/local/bin/k3s-agent-uninstall.sh"} {
				if _, ok := c.f.Files[script]; ok {
					h.fix = "to remove it: " + script + " (deletes its cluster's data on this host); to keep it: take the host out of the inventory"
				}
			}
			return []hit{h}
		},
	}
}

// otherUnit gives the unit file of a k3s that was installed under another name.
func (c hostCase) otherUnit() string {
	for _, path := range slices.Sorted(maps.Keys(c.f.Files)) {
		if strings.HasPrefix(path, "/etc/systemd/system/k3s-") && strings.HasSuffix(path, ".service") && !strings.HasSuffix(path, "/k3s-agent.service") {
			return path
		}
	}
	return ""
}

func (c hostCase) k3sEvidence(other string) string {
	k := c.f.K3s
	var parts []string
	if k.Role != "" {
		parts = append(parts, fmt.Sprintf("%s (%s) is %s", k.Unit.Name, k.Role, strings.TrimSpace(k.Unit.Active+" "+k.Unit.Sub)))
	}
	if other != "" {
		parts = append(parts, other+" exists")
	}
	if k.Processes {
		parts = append(parts, "k3s runs")
	}
	if k.Version != "" {
		parts = append(parts, "version "+k.Version)
	}
	if s := k.Config["server"]; s != "" {
		parts = append(parts, "joined to "+s)
	}
	return strings.Join(append(parts, "no gpuboot journal"), ", ")
}

func k3sData() rule {
	return rule{
		Rule: Rule{ID: "k3s-data-left", Severity: Block,
			Meaning: "Data of an earlier k3s: a server would start the old cluster again, or refuse the new token (blocks); an agent may keep the old cluster's certificates (warns).",
			Fix:     "save what you need, then: mv /var/lib/rancher/k3s /var/lib/rancher/k3s.old"},
		host: func(c hostCase) []hit {
			if c.f.adopted() || c.f.K3s.Role != "" {
				return nil
			}
			db, agent := c.f.left("/var/lib/rancher/k3s/server/db"), c.f.left("/var/lib/rancher/k3s/agent")
			switch {
			case db && c.host.Role.IsServer():
				return one("the database of an earlier k3s server is still there", "/var/lib/rancher/k3s/server/db exists, no gpuboot journal")
			case db || agent:
				return []hit{{severity: Warn, summary: "data of an earlier k3s is still there", evidence: "/var/lib/rancher/k3s exists, no gpuboot journal"}}
			}
			return nil
		},
	}
}

// left says whether a trace was found.
func (f *Facts) left(trace string) bool {
	return slices.Contains(f.K3s.Leftovers, trace)
}

func k3sCrashLoop() rule {
	return rule{
		Rule: Rule{ID: "k3s-crash-loop", Severity: Warn,
			Meaning: "systemd starts k3s again and again: it exits at once with an error in its journal.",
			Fix:     "journalctl -u k3s -u k3s-agent -n 50 --no-pager"},
		host: func(c hostCase) []hit {
			u := c.f.K3s.Unit
			if u.Restarts < 3 || u.Active == "active" {
				return nil
			}
			return one("k3s does not stay up", fmt.Sprintf("%s is %s (%s), restarted %d times", u.Name, u.Active, u.Sub, u.Restarts))
		},
	}
}
