package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

type tool func(ctx context.Context, s *Shell, c *Call) int

// tools finds one of the programs that every host has; nil if it is none.
func tools(name string) tool {
	switch name {
	case "cat":
		return cat
	case "chmod":
		return chmod
	case "cp":
		return cp
	case "dirname":
		return dirname
	case "find":
		return find
	case "head":
		return head
	case "ls":
		return ls
	case "mkdir":
		return mkdir
	case "mv":
		return mv
	case "rm":
		return rm
	case "rmdir":
		return rmdir
	case "sleep":
		return sleep
	}
	return nil
}

// words cuts options off a command line: single letters, and letters that take
// the next word in with. "--" ends them; long options are given as they are.
func words(args []string, with string) (opts map[string]string, rest []string) {
	opts = map[string]string{}
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return opts, append(rest, args[i+1:]...)
		case strings.HasPrefix(a, "--"):
			opts[a] = ""
		case len(a) > 1 && a[0] == '-' && strings.Contains(with, a[1:2]) && i+1 < len(args):
			i++
			opts[a[1:]] = args[i]
		case len(a) > 1 && a[0] == '-':
			for _, letter := range a[1:] {
				opts[string(letter)] = ""
			}
		default:
			rest = append(rest, a)
		}
	}
	return opts, rest
}

func has(opts map[string]string, name string) bool { _, ok := opts[name]; return ok }

// each does something with every path and complains like the program would.
func each(c *Call, paths []string, do func(name string) error) int {
	code := 0
	for _, p := range paths {
		var e *fs.PathError
		if err := do(p); errors.As(err, &e) {
			code = c.Complain("%s: '%s': %v", c.Args[0], p, e.Err)
		}
	}
	return code
}

func cat(_ context.Context, s *Shell, c *Call) int {
	_, files := words(c.Args, "")
	if len(files) == 0 {
		_, _ = io.Copy(c.Stdout, c.Stdin) // either end may go first
	}
	return each(c, files, func(name string) error {
		data, err := s.Files.Read(name)
		_, _ = c.Stdout.Write(data)
		return err
	})
}

func chmod(_ context.Context, s *Shell, c *Call) int {
	_, rest := words(c.Args, "")
	if len(rest) < 2 {
		return c.Complain("chmod: missing operand")
	}
	mode, err := strconv.ParseUint(rest[0], 8, 32)
	if err != nil {
		return c.Complain("chmod: invalid mode: %q", rest[0])
	}
	return each(c, rest[1:], func(name string) error { return s.Files.Chmod(name, fs.FileMode(mode)) })
}

func cp(_ context.Context, s *Shell, c *Call) int {
	_, rest := words(c.Args, "")
	if len(rest) != 2 {
		return c.Complain("cp: want one file and where it goes")
	}
	return each(c, rest[:1], func(from string) error {
		info, err := s.Files.Stat(from)
		if err != nil {
			return err
		}
		data, err := s.Files.Read(from)
		if err == nil {
			err = s.Files.Write(rest[1], data, info.Mode)
		}
		if err == nil {
			err = s.Files.Chown(rest[1], info.Owner)
		}
		return err
	})
}

func dirname(_ context.Context, _ *Shell, c *Call) int {
	_, rest := words(c.Args, "")
	for _, p := range rest {
		fmt.Fprintln(c.Stdout, path.Dir(p))
	}
	return 0
}

func head(_ context.Context, _ *Shell, c *Call) int {
	opts, _ := words(c.Args, "n")
	n, err := strconv.Atoi(opts["n"])
	if err != nil {
		n = 10
	}
	for in := bufio.NewScanner(c.Stdin); n > 0 && in.Scan(); n-- {
		fmt.Fprintln(c.Stdout, in.Text())
	}
	_, _ = io.Copy(io.Discard, c.Stdin)
	return 0
}

func ls(_ context.Context, s *Shell, c *Call) int {
	_, rest := words(c.Args, "")
	for _, dir := range rest {
		for _, i := range s.Files.List(dir) {
			fmt.Fprintln(c.Stdout, path.Base(i.Path))
		}
	}
	return 0
}

func mkdir(_ context.Context, s *Shell, c *Call) int {
	opts, dirs := words(c.Args, "m")
	mode, err := strconv.ParseUint(opts["m"], 8, 32)
	if err != nil {
		mode = 0o755
	}
	return each(c, dirs, func(name string) error {
		if !has(opts, "p") {
			return s.Files.Mkdir(name, fs.FileMode(mode))
		}
		if up := path.Dir(name); up != "/" {
			if err := s.Files.MkdirAll(up, 0o755); err != nil {
				return err
			}
		}
		return s.Files.MkdirAll(name, fs.FileMode(mode))
	})
}

func mv(_ context.Context, s *Shell, c *Call) int {
	_, rest := words(c.Args, "")
	if len(rest) != 2 {
		return c.Complain("mv: want one file and where it goes")
	}
	return each(c, rest[:1], func(from string) error { return s.Files.Rename(from, rest[1]) })
}

func rm(_ context.Context, s *Shell, c *Call) int {
	opts, paths := words(c.Args, "")
	return each(c, paths, func(name string) error {
		info, err := s.Files.Stat(name)
		switch {
		case err != nil && has(opts, "f"):
			return nil
		case err != nil:
			return err
		case info.Dir && !has(opts, "r"):
			return &fs.PathError{Op: "rm", Path: name, Err: errors.New("Is a directory")}
		}
		s.Files.RemoveAll(name)
		return nil
	})
}

func rmdir(_ context.Context, s *Shell, c *Call) int {
	_, dirs := words(c.Args, "")
	return each(c, dirs, s.Files.Remove)
}

// sleep does not: nothing on a simulated host takes the time of a real one.
func sleep(ctx context.Context, _ *Shell, _ *Call) int {
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return 0
	case <-ctx.Done():
		return 143
	}
}
