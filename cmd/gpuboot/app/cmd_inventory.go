package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/inventory"
)

func newInit(g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "init [INVENTORY]",
		Short: "Write a commented example inventory",
		Args:  inventoryArg,
		RunE: func(_ *cobra.Command, args []string) error {
			path := inventoryPath(args)
			if path == "-" {
				_, err := g.env.Out.Write(inventory.Example())
				return err
			}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if errors.Is(err, fs.ErrExist) {
				return usageError{fmt.Errorf("%s exists already and is left as it is", path)}
			}
			if err != nil {
				return fmt.Errorf("writing an inventory: %w", err)
			}
			if _, err := f.Write(inventory.Example()); err != nil {
				return errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Close())
			}
			fmt.Fprintf(g.env.Err, "wrote %s: edit it, then type: gpuboot validate %s\n", path, path)
			return f.Close()
		},
	}
}

func newValidate(g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "validate [INVENTORY]",
		Short: "Check an inventory; contacts nothing",
		Args:  inventoryArg,
		RunE: func(_ *cobra.Command, args []string) error {
			inv, err := g.load(inventoryPath(args))
			if err != nil {
				return err
			}
			if g.json() {
				return json.NewEncoder(g.env.Out).Encode(map[string]any{"cluster": inv.Name, "hosts": len(inv.Hosts), "servers": len(inv.Servers()), "warnings": problems(inv.Warnings)})
			}
			_, err = fmt.Fprintf(g.env.Out, "%s: cluster %q, %d hosts, %d of them servers\n", inv.File, inv.Name, len(inv.Hosts), len(inv.Servers()))
			return err
		},
	}
}

func newSchema(g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the inventory's JSON schema, for editors",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := g.env.Out.Write(inventory.Schema())
			return err
		},
	}
}

// load reads an inventory. Its problems are printed here, all of them with
// line and column; warnings go to stderr and stop nothing.
func (g *global) load(path string) (*inventory.Inventory, error) {
	inv, err := inventory.Load(path)
	if list, bad := errors.AsType[inventory.Problems](err); bad {
		if g.json() {
			enc := json.NewEncoder(g.env.Out)
			if err := enc.Encode(map[string]any{"problems": problems(list)}); err != nil {
				return nil, err
			}
		} else {
			fmt.Fprintf(g.env.Err, "%s\n%d problems; nothing was contacted\n", strings.TrimRight(list.Pretty(), "\n"), len(list))
		}
		return nil, shown{list}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Errorf("reading the inventory: %w; gpuboot init writes one", err)}
	}
	if err != nil {
		return nil, usageError{err}
	}
	for _, w := range inv.Warnings {
		fmt.Fprintf(g.env.Err, "warning: %v\n", w)
	}
	return inv, nil
}

type problemJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func problems(list inventory.Problems) []problemJSON {
	out := []problemJSON{}
	for _, p := range list {
		out = append(out, problemJSON{p.Pos.File, p.Pos.Line, p.Pos.Column, p.Path, p.Message, p.Hint})
	}
	return out
}
