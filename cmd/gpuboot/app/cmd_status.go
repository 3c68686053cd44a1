package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/bootstrap"
)

func newStatus(g *global) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "status [INVENTORY]",
		Short: "What is there: hosts, k3s, nodes",
		Args:  inventoryArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := g.open(cmd.Context(), args, &f, false)
			if err != nil {
				return err
			}
			st, err := s.Status(cmd.Context(), s.request(nil))
			if st == nil {
				return err
			}
			if g.json() {
				return errors.Join(json.NewEncoder(g.env.Out).Encode(st), err)
			}
			return errors.Join(printStatus(g.env.Out, st), err)
		},
	}
	f.add(cmd)
	return cmd
}

func printStatus(w io.Writer, st *bootstrap.Status) error {
	fmt.Fprintf(w, "cluster %s: the API %s\n", st.Cluster, st.API)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "HOST\tADDRESS\tROLE\tPOOL\tK3S\tUNIT\tNODE\tNODE IP\tGPUS\tDRIVER")
	for _, h := range st.Hosts {
		if !h.Reachable {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\tunreachable\t-\t%s\t%s\t-\t-\n", h.Host, h.Address, h.Role, dash(h.Pool), h.Node, dash(h.NodeIP))
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", h.Host, h.Address, h.Role, dash(h.Pool), dash(h.K3s), dash(h.Unit), h.Node, dash(h.NodeIP), h.GPUs, dash(h.Driver))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(st.Strangers) > 0 {
		fmt.Fprintf(w, "in the cluster but not in the inventory: %s\n", strings.Join(st.Strangers, ", "))
	}
	return nil
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
