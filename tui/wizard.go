package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// WizardOptions are the settings of [Wizard]. In, Out and Backend are needed.
type WizardOptions struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Backend does what is outside of the terminal.
	Backend Backend
	// SSHHosts are offered for picking, in this order.
	SSHHosts []SSHHost
	// Choices makes the choices from what was seen of all hosts. Nil offers none
	// beyond roles. It must be quick and ask nobody.
	Choices func(seen []Seen) []Choice
	// Path is where the inventory goes unless the person says otherwise;
	// "inventory.yaml" if empty.
	Path string
	// DraftPath is where an unfinished wizard may be kept, if the person agrees;
	// empty never offers it. Draft is what was read there, nil for nothing.
	DraftPath string
	Draft     []byte
	// Now dates the inventory; nil is time.Now.
	Now func() time.Time
	// Getenv reads the environment (NO_COLOR, TERM); nil is the process's own.
	Getenv func(string) string
	// ASCII uses no signs beyond ASCII.
	ASCII bool
}

// Result is what the wizard ended with. The zero value is a person who left
// without an inventory.
type Result struct {
	// Path is the inventory: saved, or an existing one that was opened.
	Path string
	// Apply says that the person wants it applied now. The caller runs `up` on Path,
	// with [Live] as its view.
	Apply bool
	// Draft says that a draft was kept at DraftPath.
	Draft bool
}

// Wizard leads a person from addresses to an inventory and a plan. It returns
// when the inventory is saved or the person has left; the terminal is then as it
// was. Nothing is written but the inventory, whole and at the end, and the draft
// if the person agrees.
func Wizard(ctx context.Context, opt WizardOptions) (Result, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Path == "" {
		opt.Path = "inventory.yaml"
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the looks that still run
	m := newWizardModel(opt, newOutside(ctx, opt.Backend), newStyles(opt.Out, opt.Getenv, opt.ASCII))
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(opt.In), tea.WithOutput(opt.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(30))
	final, err := p.Run()
	if err != nil {
		return Result{}, errors.Join(fmt.Errorf("drawing the wizard: %w", err), context.Cause(ctx))
	}
	done := final.(wizardModel)
	if done.farewell != "" {
		if _, err := fmt.Fprintln(opt.Out, done.farewell); err != nil {
			return done.result, fmt.Errorf("writing to the terminal: %w", err)
		}
	}
	return done.result, nil
}
