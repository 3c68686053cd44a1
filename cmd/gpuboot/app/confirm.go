package app

import (
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap"
)

// declinedError says that a person, or the absence of one, stopped a run before
// it wrote anything.
type declinedError struct{ why, hint string }

func (e *declinedError) Error() string { return e.why }

// Hint names the flag that allows it.
func (e *declinedError) Hint() string { return e.hint }

// confirmDisruption asks before running work is disturbed; a plan that disturbs
// nothing goes on without a question.
func (env *Env) confirmDisruption(yes bool) func(*bootstrap.Outcome) error {
	return func(out *bootstrap.Outcome) error {
		var list []string
		for _, h := range out.Plan.Hosts {
			for _, c := range h.Changes {
				if c.Disruptive {
					list = append(list, fmt.Sprintf("  %s: %s %s: %s", h.Host.Name, c.Action, c.What, c.Reason))
				}
			}
		}
		if yes || len(list) == 0 {
			return nil
		}
		return env.confirm("These changes disturb running work:\n"+strings.Join(list, "\n")+"\nGo on?", "yes")
	}
}

// confirmDown asks for the cluster's name: a `down` typed in the wrong window
// should not be one key away.
func (env *Env) confirmDown(yes bool) func(*bootstrap.Outcome) error {
	return func(out *bootstrap.Outcome) error {
		if yes {
			return nil
		}
		var hosts []string
		for _, h := range out.Plan.Hosts {
			hosts = append(hosts, h.Host.Name)
		}
		return env.confirm(fmt.Sprintf("This takes k3s and every pod off %s.\nType the cluster's name (%s) to go on:", strings.Join(hosts, ", "), out.Plan.Cluster), out.Plan.Cluster)
	}
}

func (env *Env) confirm(question, answer string) error {
	const hint = "see the plan, then allow it with --yes"
	if env.Terminal == nil {
		return &declinedError{"this needs a confirmation, and there is no terminal to ask; nothing was changed", hint}
	}
	t, err := env.Terminal()
	if err != nil {
		return &declinedError{"this needs a confirmation: " + err.Error() + "; nothing was changed", hint}
	}
	defer t.Close()
	got, err := t.Ask(question + " [" + answer + "] ")
	if err != nil || got != answer {
		return &declinedError{"not confirmed; nothing was changed", hint}
	}
	return nil
}
