package config

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
)

// UnknownFlagError is a flag or config key that the subcommand does not have. Its text is that of k3s.
type UnknownFlagError struct{ Flag string }

func (e UnknownFlagError) Error() string { return "flag provided but not defined: -" + e.Flag }

// Load reads the config files that args and environment name, then args themselves, which win. warn gets a line for each key
// that a lenient command skips. getenv is os.Getenv.
func Load(cmd Command, args []string, getenv func(string) string, warn func(string)) (Values, error) {
	line, err := parseArgs(cmd, args)
	if err != nil {
		return Values{}, err
	}
	v := Values{cmd: cmd, set: map[string][]string{}}
	if _, ok := cmd.Find("config"); ok {
		if err := v.loadFiles(line, getenv, warn); err != nil {
			return Values{}, err
		}
	}
	maps.Copy(v.set, line.set)
	v.Args = line.Args
	for _, f := range cmd.Flags {
		if _, ok := v.set[f.Name]; !ok && f.Env != "" {
			if value := getenv(f.Env); value != "" {
				v.set[f.Name] = splitValue(f, value)
			}
		}
	}
	return v, v.check()
}

func (v *Values) loadFiles(line Values, getenv func(string) string, warn func(string)) error {
	path, required := getenv("K3S_CONFIG_FILE"), true
	if path == "" {
		path, required = line.String("config"), line.IsSet("config")
	}
	settings, err := ReadFiles(path, required)
	if err != nil {
		return err
	}
	for _, s := range settings {
		f, ok := v.cmd.Find(s.Key)
		if !ok && v.cmd.Lenient {
			warn(fmt.Sprintf("Unknown flag --%s found in config.yaml, skipping", s.Key))
			continue
		}
		if !ok {
			return UnknownFlagError{s.Key}
		}
		v.set[f.Name] = nil
		for _, value := range s.Values {
			v.add(f, value)
		}
	}
	return nil
}

// parseArgs takes "--x v", "--x=v", "-x v" and bare booleans; the first word that is no flag ends them.
func parseArgs(cmd Command, args []string) (Values, error) {
	v := Values{cmd: cmd, set: map[string][]string{}}
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") || name == "" {
			v.Args = args[i:]
			return v, nil
		}
		f, ok := cmd.Find(name)
		switch {
		case !ok:
			return v, UnknownFlagError{name}
		case hasValue:
		case f.Kind == Bool:
			value = "true"
		case i+1 == len(args):
			return v, errors.New("flag needs an argument: -" + name)
		default:
			i++
			value = args[i]
		}
		v.add(f, value)
	}
	return v, nil
}

func splitValue(f Flag, value string) []string {
	if f.Kind == Slice {
		return strings.Split(value, ",")
	}
	return []string{value}
}

// check refuses values that do not fit their kind.
func (v Values) check() error {
	for _, f := range v.cmd.Flags {
		for _, value := range v.set[f.Name] {
			var err error
			switch f.Kind {
			case Bool:
				_, err = strconv.ParseBool(value)
			case Int:
				_, err = strconv.Atoi(value)
			case Duration:
				_, err = time.ParseDuration(value)
			}
			if err != nil {
				return fmt.Errorf("invalid value %q for flag -%s: %w", value, f.Name, err)
			}
		}
	}
	return nil
}
