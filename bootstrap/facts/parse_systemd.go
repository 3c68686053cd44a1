package facts

import (
	"errors"
	"fmt"
	"strings"
)

func readSystemd(f *Facts, s section) error {
	v := values(s.body)
	f.Systemd.PID1 = v["pid1"]
	f.Systemd.Running = v["booted"] == "yes"
	if !f.Systemd.Running {
		return nil
	}
	f.Systemd.State = v["SystemState"]
	f.Systemd.Version = leadingInt(v["Version"])
	if f.Systemd.Version == 0 {
		return errors.New("systemctl says: " + evidence(s.body))
	}
	return nil
}

// leadingInt is the number a text begins with, as in "252.30-1~deb12u2"; 0
// where there is none.
func leadingInt(s string) int {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, _ := atoi(s[:end])
	return n
}

// readUnits reads the blocks of `systemctl show`, one for each unit.
func readUnits(f *Facts, s section) error {
	seen := false
	for block := range strings.SplitSeq(s.body, "\n\n") {
		v := values(block)
		if v["Id"] == "" {
			continue
		}
		seen = true
		if v["LoadState"] == "not-found" && v["ActiveState"] != "active" {
			continue
		}
		pid, _ := atoi(v["MainPID"])
		restarts, _ := atoi(v["NRestarts"]) // absent before systemd 235
		f.Units[v["Id"]] = Unit{
			Name: v["Id"], Load: v["LoadState"], Active: v["ActiveState"], Sub: v["SubState"],
			Enabled: v["UnitFileState"], Path: v["FragmentPath"], MainPID: pid, Restarts: restarts,
		}
	}
	if !seen {
		return fmt.Errorf("systemctl says: %s", evidence(s.body))
	}
	return nil
}

// Running says whether the unit is up, or on its way up.
func (u Unit) Running() bool {
	return u.Active == "active" || u.Active == "activating" || u.Active == "reloading"
}
