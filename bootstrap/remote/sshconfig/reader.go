package sshconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// value is what a keyword was set to.
type value struct {
	pos  Pos
	args []string
}

// reader follows the files for one host. The first value of a keyword
// stays, except for those that collect.
type reader struct {
	alias, home, localUser, uid string

	values map[string]value
	lists  [2][]value // identityfile, certificatefile
	final  bool       // the second reading, for "Match final"
	again  bool       // a "Match final" was met in the first one
}

// source is a file and the folder for its relative includes.
type source struct{ path, dir string }

// maxDepth bounds includes in includes, as in OpenSSH.
const maxDepth = 16

// readAll reads the files, and once more when they have sections for the
// final reading.
func (r *reader) readAll(files []source) error {
	for {
		for _, f := range files {
			if err := r.read(f, 0); err != nil {
				return err
			}
		}
		if r.final || !r.again {
			return nil
		}
		r.final = true
	}
}

// read follows one file. A file that does not exist is empty.
func (r *reader) read(f source, depth int) error {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	directives, err := parse(f.path, string(data))
	if err != nil {
		return err
	}
	active := true
	for _, d := range directives {
		switch {
		case d.key == "host":
			active = matchList(d.args, r.alias)
		case d.key == "match":
			if active, err = r.match(d); err != nil {
				return err
			}
		case !active:
		case d.key == "include":
			if err := r.include(d, f.dir, depth); err != nil {
				return err
			}
		default:
			if err := r.set(d); err != nil {
				return err
			}
		}
	}
	return nil
}

// include reads the files of an Include line. Sections in them end with
// them.
func (r *reader) include(d directive, dir string, depth int) error {
	if depth >= maxDepth {
		return fmt.Errorf("%v: includes are nested more than %d deep", d.pos, maxDepth)
	}
	for _, arg := range d.args {
		path, err := r.tilde(arg)
		if err != nil {
			return fmt.Errorf("%v: %w", d.pos, err)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		names, err := filepath.Glob(path)
		if err != nil {
			return fmt.Errorf("%v: %w", d.pos, err)
		}
		for _, name := range names {
			if err := r.read(source{name, dir}, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// known are the keywords that this package knows.
func known(key string) bool {
	return slices.Contains([]string{
		"hostname", "user", "port", "identitiesonly", "identityagent", "proxyjump", "proxycommand", "hostkeyalias",
		"userknownhostsfile", "globalknownhostsfile", "connecttimeout",
	}, key)
}

// set notes a value.
func (r *reader) set(d directive) error {
	list := slices.Index([]string{"identityfile", "certificatefile"}, d.key)
	if list < 0 && !known(d.key) {
		return nil
	}
	if len(d.args) == 0 {
		return fmt.Errorf("%v: %s has no value", d.pos, d.key)
	}
	v := value{d.pos, d.args}
	switch {
	case list >= 0:
		if !slices.ContainsFunc(r.lists[list], func(o value) bool { return o.args[0] == v.args[0] }) {
			r.lists[list] = append(r.lists[list], v)
		}
	case r.isSet(d.key):
	default:
		r.values[d.key] = v
	}
	return nil
}

// isSet says that a later value of a keyword does not count. ProxyJump and
// ProxyCommand exclude each other: the first of the two stays.
func (r *reader) isSet(key string) bool {
	if _, ok := r.values[key]; ok {
		return true
	}
	if strings.HasPrefix(key, "proxy") {
		_, jump := r.values["proxyjump"]
		_, command := r.values["proxycommand"]
		return jump || command
	}
	return false
}

func (r *reader) first(key string) string {
	if v, ok := r.values[key]; ok {
		return v.args[0]
	}
	return ""
}
