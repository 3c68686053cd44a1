package shell

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// search is what find was asked for.
type search struct {
	roots    []string
	minDepth int
	depth    bool     // children first
	not      []string // patterns of paths left out
	delete   bool
}

// find knows -xdev (there is one file system), -depth, -mindepth, ! -path and
// -delete.
func find(_ context.Context, s *Shell, c *Call) int {
	q, err := parseFind(c.Args[1:])
	if err != nil {
		s.Unknown(err.Error())
		return c.Complain("%v", err)
	}
	code := 0
	for _, root := range q.roots {
		all := s.Files.Tree(root)
		if info, err := s.Files.Stat(root); err == nil {
			all = append([]vfs.Info{info}, all...)
		} else {
			code = c.Complain("find: '%s': No such file or directory", root)
		}
		if q.depth || q.delete {
			slices.Reverse(all)
		}
		for _, i := range all {
			if !q.wants(root, i.Path) {
				continue
			}
			if !q.delete {
				fmt.Fprintln(c.Stdout, i.Path)
			} else if s.Files.Remove(i.Path) != nil { // a folder with something kept in it
				code = 1
			}
		}
	}
	return code
}

func (q search) wants(root, name string) bool {
	deep := strings.Count(strings.TrimPrefix(name, strings.TrimSuffix(root, "/")), "/")
	if deep < q.minDepth {
		return false
	}
	return !slices.ContainsFunc(q.not, func(p string) bool {
		ok, err := path.Match(p, name)
		return err == nil && ok
	})
}

func parseFind(args []string) (search, error) {
	var q search
	for i := 0; i < len(args); i++ {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch a := args[i]; {
		case !strings.HasPrefix(a, "-") && a != "!":
			q.roots = append(q.roots, a)
		case a == "-xdev", a == "-print":
		case a == "-depth":
			q.depth = true
		case a == "-delete":
			q.delete = true
		case a == "-mindepth":
			q.minDepth, _ = strconv.Atoi(next) // a bad number finds more, as none would
			i++
		case a == "!" && next == "-path" && i+2 < len(args):
			q.not = append(q.not, args[i+2])
			i += 2
		default:
			return q, fmt.Errorf("find: the simulated host does not know %q", a)
		}
	}
	return q, nil
}
