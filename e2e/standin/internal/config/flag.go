// Package config knows k3s's command line and config files: which flags a subcommand has, how config.yaml and its drop-ins
// are merged, and how both are refused. It starts nothing and imports no Kubernetes.
//
// The flag names, aliases, environment variables and defaults are those of k3s's pkg/cli/cmds, read at the 1.34 level.
package config

import "slices"

// Kind is the value that a flag takes.
type Kind int

const (
	// String takes one value; a later one replaces it.
	String Kind = iota
	// Bool needs no value; "--x=false" is possible, "--x false" is not (as in Go's flag package).
	Bool
	// Int takes a whole number.
	Int
	// Duration takes a Go duration.
	Duration
	// Slice may be repeated.
	Slice
)

// Flag is one option of a subcommand.
type Flag struct {
	Name    string
	Aliases []string
	Kind    Kind
	Env     string // environment variable that sets it when neither command line nor file does
	Default string
	// Inert marks a flag that the stand-in takes, because k3s does, but on which it does nothing. README.md lists them.
	Inert bool
}

// Command is a subcommand with its flags.
type Command struct {
	Name  string
	Flags []Flag
	// Lenient commands skip keys of a config file that they do not know, with a warning. The others fail.
	Lenient bool
}

// Find gives the flag with that name or alias.
func (c Command) Find(name string) (Flag, bool) {
	for _, f := range c.Flags {
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return f, true
		}
	}
	return Flag{}, false
}

// Inert lists, in the order of the table, the flags that are taken but have no effect.
func (c Command) Inert() []string {
	var names []string
	for _, f := range c.Flags {
		if f.Inert {
			names = append(names, f.Name)
		}
	}
	return names
}

func str(name, def string, aliases ...string) Flag {
	return Flag{Name: name, Kind: String, Default: def, Aliases: aliases}
}

func boolean(name string) Flag { return Flag{Name: name, Kind: Bool} }

func number(name, def string) Flag { return Flag{Name: name, Kind: Int, Default: def} }

func slice(name string, aliases ...string) Flag {
	return Flag{Name: name, Kind: Slice, Aliases: aliases}
}

func (f Flag) env(name string) Flag { f.Env = name; return f }

func (f Flag) inert() Flag { f.Inert = true; return f }
