package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gpuboot/gpuboot/tui"
)

// wizard leads a person to an inventory, and goes on with `up` if they want it.
// What they typed for the look is not asked again.
func (g *global) wizard(ctx context.Context) error {
	state, err := g.env.stateDir()
	if err != nil {
		return fmt.Errorf("finding the folder for the wizard's draft: %w", err)
	}
	draftPath := filepath.Join(state, "wizard-draft.json")
	draft, err := os.ReadFile(draftPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the wizard's draft: %w", err)
	}
	b := newWizardBackend(g)
	result, err := tui.Wizard(ctx, tui.WizardOptions{
		In: g.env.In, Out: g.env.Out, Backend: b, SSHHosts: sshHosts(), Path: defaultInventory,
		DraftPath: draftPath, Draft: draft, Now: g.env.Now, Getenv: g.env.Getenv})
	if err != nil || !result.Apply {
		return err
	}
	g.env.Args = []string{"up", result.Path} // what the person would have typed, for the log and the hints
	f := b.flags
	f.answers = b.flags.answers.handOver(g.env.askSecret)
	return runUp(ctx, g, []string{result.Path}, &f, false)
}
