// Package shell runs the small shell scripts that a host is sent, on the files
// of a simulated host. Scripts run in an interpreter inside this process; no
// program of the real machine is ever started, and no real file is touched.
// What a script calls is one of the tools here, one that the host adds, or an
// error that the host hears of.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

// Call is one command with its streams.
type Call struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Complain prints a line on stderr and gives exit code 1.
func (c *Call) Complain(format string, args ...any) int {
	fmt.Fprintf(c.Stderr, format+"\n", args...)
	return 1
}

// Shell is the shell of one host.
type Shell struct {
	Files *vfs.FS
	// Tool runs a command that the host adds; ok is false when it has none of
	// that name.
	Tool func(ctx context.Context, c *Call) (code int, ok bool)
	// Unknown hears of commands that nobody knows, and of scripts that cannot be
	// read.
	Unknown func(what string)
}

// Run runs a command, which may be a shell with a script, and gives its exit
// code.
func (s *Shell) Run(ctx context.Context, c *Call) int {
	switch name := strings.TrimPrefix(c.Args[0], "/bin/"); {
	case name == "sh" && len(c.Args) > 2 && c.Args[1] == "-c":
		return s.script(ctx, c, c.Args[2], c.Args[min(4, len(c.Args)):], c.Stdin)
	case name == "sh":
		text, err := io.ReadAll(c.Stdin)
		if err != nil {
			return c.Complain("sh: %v", err)
		}
		return s.script(ctx, c, string(text), positional(c.Args[1:]), strings.NewReader(""))
	}
	if code, ok := s.Tool(ctx, c); ok {
		return code
	}
	if tool := tools(c.Args[0]); tool != nil {
		return tool(ctx, s, c)
	}
	s.Unknown(strings.Join(c.Args, " "))
	_ = c.Complain("%s: not found", c.Args[0])
	return 127
}

// positional drops the options of a shell that reads its script from stdin.
func positional(args []string) []string {
	for i, a := range args {
		switch {
		case a == "--":
			return args[i+1:]
		case !strings.HasPrefix(a, "-"):
			return args[i:]
		}
	}
	return nil
}

func (s *Shell) script(ctx context.Context, c *Call, text string, params []string, stdin io.Reader) int {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "sh")
	if err != nil {
		s.Unknown(fmt.Sprintf("a script that is no POSIX shell: %v", err))
		_ = c.Complain("sh: %v", err)
		return 2
	}
	r, err := interp.New(
		interp.StdIO(stdin, c.Stdout, c.Stderr),
		interp.Params(append([]string{"--"}, params...)...),
		interp.Env(expand.ListEnviron("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "HOME=/root")),
		interp.CallHandler(builtins),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return s.exec }),
		interp.OpenHandler(s.open), interp.StatHandler(s.stat), interp.ReadDirHandler2(s.readDir), interp.AccessHandler(s.access),
	)
	if err != nil {
		s.Unknown(fmt.Sprintf("a script that cannot begin: %v", err))
		return 2
	}
	err = r.Run(ctx, file)
	if status, ok := errors.AsType[interp.ExitStatus](err); ok {
		return int(status)
	}
	if err != nil {
		_ = c.Complain("sh: %v", err)
		return 2
	}
	return 0
}

// builtins replaces what the interpreter lacks and the simulation does not
// need: new files have modes of their own here.
func builtins(_ context.Context, args []string) ([]string, error) {
	if args[0] == "umask" {
		return []string{"true"}, nil
	}
	return args, nil
}

func (s *Shell) exec(ctx context.Context, args []string) error {
	h := interp.HandlerCtx(ctx)
	code := s.Run(ctx, &Call{Args: args, Stdin: h.Stdin, Stdout: h.Stdout, Stderr: h.Stderr})
	if code != 0 {
		return interp.ExitStatus(uint8(code))
	}
	return nil
}

func (s *Shell) open(_ context.Context, name string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	if name == "/dev/null" {
		return null{}, nil
	}
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		data, err := s.Files.Read(name)
		return readable{Reader: strings.NewReader(string(data))}, err
	}
	before := []byte(nil)
	if flag&os.O_APPEND != 0 {
		before, _ = s.Files.Read(name) // a new file begins empty
	}
	w, err := s.Files.Create(name, perm&^0o022)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(before); err != nil {
		return nil, err
	}
	return writable{w}, nil
}

func (s *Shell) stat(_ context.Context, name string, _ bool) (fs.FileInfo, error) {
	info, err := s.Files.Stat(name)
	if err != nil {
		return nil, err
	}
	return fileInfo{info}, nil
}

func (s *Shell) readDir(_ context.Context, dir string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	for _, i := range s.Files.List(dir) {
		out = append(out, fs.FileInfoToDirEntry(fileInfo{i}))
	}
	return out, nil
}

func (s *Shell) access(_ context.Context, name string, mode interp.AccessMode) error {
	info, err := s.Files.Stat(name)
	if err == nil && mode&interp.AccessExec != 0 && !info.Dir && info.Mode&0o111 == 0 {
		err = errors.New("permission denied")
	}
	return err
}
