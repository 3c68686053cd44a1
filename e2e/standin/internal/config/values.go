package config

import (
	"strconv"
	"time"
)

// Values are the merged settings of one subcommand. The accessors panic on a name that the command does not have: that is a
// slip in the stand-in, never a user's.
type Values struct {
	cmd  Command
	set  map[string][]string
	Args []string // words after the flags
}

func (v Values) add(f Flag, value string) {
	if f.Kind == Slice {
		v.set[f.Name] = append(v.set[f.Name], splitValue(f, value)...)
		return
	}
	v.set[f.Name] = []string{value}
}

func (v Values) flag(name string) Flag {
	f, ok := v.cmd.Find(name)
	if !ok {
		panic("subcommand " + v.cmd.Name + " has no flag " + name)
	}
	return f
}

// IsSet tells whether command line, files or environment gave a value.
func (v Values) IsSet(name string) bool { return len(v.set[v.flag(name).Name]) > 0 }

// String gives the value, or the flag's default.
func (v Values) String(name string) string {
	f := v.flag(name)
	if values := v.set[f.Name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return f.Default
}

// Strings gives all values of a repeatable flag.
func (v Values) Strings(name string) []string { return v.set[v.flag(name).Name] }

// Bool gives the value of a boolean; Load has checked it.
func (v Values) Bool(name string) bool {
	b, _ := strconv.ParseBool(v.String(name))
	return b
}

// Int gives the value of a number; Load has checked it.
func (v Values) Int(name string) int {
	n, _ := strconv.Atoi(v.String(name))
	return n
}

// Duration gives the value of a duration; Load has checked it.
func (v Values) Duration(name string) time.Duration {
	d, _ := time.ParseDuration(v.String(name))
	return d
}
