package app

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/tui/providers"
)

func newProviders(g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "providers [QUERY]",
		Short: "Who rents GPU machines: what they sell, who logs in, known traps",
		Long: `Prints the providers that have every word of the query somewhere, such as "container",
"root" or a name. It is advice with a date and a source; nothing in gpuboot decides by
it, and nobody is contacted or recommended.`,
		RunE: func(_ *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			found := providers.Find(query)
			if g.json() {
				return json.NewEncoder(g.env.Out).Encode(providersJSON(found))
			}
			if len(found) == 0 {
				return usageError{fmt.Errorf("no provider in the table has %q", query)}
			}
			return printProviders(g.env.Out, found, query == "")
		},
	}
}

// printProviders writes a paragraph a provider, and behind the whole table the
// traps that all share.
func printProviders(w io.Writer, found []providers.Provider, all bool) error {
	var b strings.Builder
	for _, p := range found {
		fmt.Fprintf(&b, "%s (%s): %s\n", p.Name, p.ID, strings.Join(kinds(p), ", "))
		field(&b, "cluster", strings.TrimSuffix(string(p.Fit)+": "+p.Why, ": "))
		field(&b, "login", strings.Join(p.Logins, ", "))
		field(&b, "driver", p.Driver)
		for _, t := range p.Traps {
			field(&b, "trap", t)
		}
		for _, u := range p.Unverified {
			field(&b, "unverified", u)
		}
		field(&b, "source", p.Source+", read "+p.Read)
		b.WriteString("\n")
	}
	if all {
		b.WriteString("Wherever you rent:\n")
		for _, t := range providers.SharedTraps() {
			field(&b, "trap", t)
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func field(b *strings.Builder, name, value string) {
	if value != "" {
		fmt.Fprintf(b, "  %-11s %s\n", name, value)
	}
}

func kinds(p providers.Provider) []string {
	out := []string{}
	for _, k := range p.Kinds {
		out = append(out, string(k))
	}
	return out
}

type providerJSON struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Kinds      []string `json:"kinds"`
	Fit        string   `json:"fit"`
	Why        string   `json:"why,omitempty"`
	Logins     []string `json:"logins,omitempty"`
	Driver     string   `json:"driver,omitempty"`
	Traps      []string `json:"traps,omitempty"`
	Unverified []string `json:"unverified,omitempty"`
	Source     string   `json:"source"`
	Read       string   `json:"read"`
}

func providersJSON(list []providers.Provider) map[string]any {
	rows := []providerJSON{}
	for _, p := range list {
		rows = append(rows, providerJSON{p.ID, p.Name, kinds(p), string(p.Fit), p.Why, p.Logins, p.Driver, p.Traps, p.Unverified, p.Source, p.Read})
	}
	return map[string]any{"providers": rows, "shared_traps": providers.SharedTraps()}
}
