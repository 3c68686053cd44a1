package remote_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// clean wants no temporary file left in a folder of the host.
func clean(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		if strings.Contains(e.Name(), ".gpuboot-") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestWriteFileReplaces(t *testing.T) {
	t.Parallel()
	for _, sudo := range []remotetest.Option{remotetest.User("root"), remotetest.SudoFree(), remotetest.SudoPassword("it's")} {
		h := remotetest.New(t, remotetest.User("ubuntu"), sudo)
		h.Put("/etc/token", "old", 0o644)
		c := dial(t, h.Target())
		var last int64
		err := c.WriteFile(t.Context(), remote.File{Path: "/etc/token", Owner: "root:adm", Size: int64(len(binary))},
			strings.NewReader(binary), func(n int64) { last = n })
		must(t, err)
		mode, owner, err := h.Stat("/etc/token")
		if h.Content("/etc/token") != binary || mode != 0o600 || owner != "root:adm" || err != nil {
			t.Errorf("got %q, %v, %s, %v", h.Content("/etc/token"), mode, owner, err)
		}
		if last != int64(len(binary)) {
			t.Errorf("progress ended at %d", last)
		}
		got, err := c.ReadFile(t.Context(), "/etc/token")
		if err != nil || string(got) != binary {
			t.Errorf("read back %q, %v", got, err)
		}
		if n := h.Counters(); n.Sessions != 2 || n.Writes != 1 || n.Reads != 1 {
			t.Errorf("a write and a read cost %+v", n)
		}
		clean(t, h.Path("/etc"))
	}
}

func TestWriteFileFailuresKeepTheOldFile(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("x", 100_000)
	tests := []struct {
		name string
		file remote.File
		r    io.Reader
		set  func(*remotetest.Host)
		is   error
		text string
	}{
		{"full disk", remote.File{Path: "/etc/f", Size: 100_000}, strings.NewReader(content), func(h *remotetest.Host) { h.DiskSpace(50_000) }, nil, "No space left"},
		{"short", remote.File{Path: "/etc/f", Size: 100_001}, strings.NewReader(content), nil, nil, "another size than announced"},
		{"long", remote.File{Path: "/etc/f", Size: 99_999}, strings.NewReader(content), nil, nil, "another size than announced"},
		{"reader", remote.File{Path: "/etc/f", Size: 100_000}, &failing{50_000}, nil, errLocal, ""},
		{"no folder", remote.File{Path: "/etc/none/f", Size: 1}, strings.NewReader("x"), nil, fs.ErrNotExist, "/etc/none/f"},
		{"folder", remote.File{Path: "/etc/systemd", Size: 1}, strings.NewReader("x"), nil, nil, "it is a folder"},
		{"relative", remote.File{Path: "etc/f"}, strings.NewReader(""), nil, nil, "must be absolute"},
		{"unclean", remote.File{Path: "/etc/../f"}, strings.NewReader(""), nil, nil, "clean"},
		{"setuid", remote.File{Path: "/etc/f", Mode: fs.ModeSetuid | 0o755}, strings.NewReader(""), nil, nil, "permission bits"},
		{"owner", remote.File{Path: "/etc/f", Owner: "--help"}, strings.NewReader(""), nil, nil, "owner"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := remotetest.New(t)
			h.Put("/etc/f", "old", 0o644)
			c := dial(t, h.Target())
			if tt.set != nil {
				tt.set(h)
			}
			err := c.WriteFile(t.Context(), tt.file, tt.r, nil)
			if err == nil || !strings.Contains(err.Error(), tt.text) || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Errorf("got %v", err)
			}
			var w *remote.WriteError
			if errors.As(err, &w); tt.name == "full disk" && (w == nil || !strings.Contains(w.Hint(), "df -h /etc")) {
				t.Errorf("the hint of %v is %v", err, w)
			}
			if h.Content("/etc/f") != "old" {
				t.Errorf("the file holds %q", h.Content("/etc/f"))
			}
			clean(t, h.Path("/etc"))
		})
	}
}

func TestWriteFileLinkLost(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.Put("/etc/f", "old", 0o644)
	c := dial(t, h.Target())
	r := io.MultiReader(strings.NewReader(strings.Repeat("x", 50_000)), readerFunc(func([]byte) (int, error) {
		h.CutLink()
		return 0, io.EOF
	}))
	err := c.WriteFile(t.Context(), remote.File{Path: "/etc/f", Size: 100_000}, r, nil)
	if !errors.Is(err, remote.ErrClosed) {
		t.Errorf("got %v", err)
	}
	if h.Content("/etc/f") != "old" {
		t.Errorf("the file holds %q", h.Content("/etc/f"))
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestWriteFileUnknownSize(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	c := dial(t, h.Target())
	must(t, c.WriteFile(t.Context(), remote.File{Path: "/etc/f", Size: -1}, readerFunc(strings.NewReader("abc").Read), nil))
	if h.Content("/etc/f") != "abc" {
		t.Errorf("the file holds %q", h.Content("/etc/f"))
	}
	if err := c.WriteFile(t.Context(), remote.File{Path: "/etc/f", Size: -1}, bytes.NewReader(make([]byte, 8<<20+1)), nil); err == nil {
		t.Error("a large content of unknown size was taken")
	}
}

func TestWriteFiles(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("pw"))
	h.Put("/etc/b", "old", 0o644)
	c := dial(t, h.Target())
	must(t, c.WriteFiles(t.Context()))
	must(t, c.WriteFiles(t.Context(),
		remote.Content{File: remote.File{Path: "/etc/a file", Mode: 0o644}, Data: []byte(binary)},
		remote.Content{File: remote.File{Path: "/etc/b"}},
	))
	if h.Content("/etc/a file") != binary || h.Content("/etc/b") != "" {
		t.Errorf("files hold %q and %q", h.Content("/etc/a file"), h.Content("/etc/b"))
	}
	if mode, owner, _ := h.Stat("/etc/a file"); mode != 0o644 || owner != "root:root" {
		t.Errorf("got %v %s", mode, owner)
	}
	if n := h.Counters(); n.Sessions != 1 || n.Writes != 2 {
		t.Errorf("two files cost %+v", n)
	}
	err := c.WriteFiles(t.Context(),
		remote.Content{File: remote.File{Path: "/etc/b"}, Data: []byte("new")},
		remote.Content{File: remote.File{Path: "/none/c"}, Data: []byte("new")})
	if !errors.Is(err, fs.ErrNotExist) || h.Content("/etc/b") != "" {
		t.Errorf("got %v, the first file holds %q", err, h.Content("/etc/b"))
	}
	clean(t, h.Path("/etc"))
	if err := c.WriteFiles(t.Context(), remote.Content{File: remote.File{Path: "/etc/b"}, Data: make([]byte, 300<<10)}); err == nil {
		t.Error("a large file was taken")
	}
}

func TestReadFileErrors(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.Put("/etc/large", strings.Repeat("x", 8<<20+1), 0o600)
	c := dial(t, h.Target())
	if _, err := c.ReadFile(t.Context(), "/etc/none"); !errors.Is(err, fs.ErrNotExist) || err.Error() != "reading /etc/none: file does not exist" {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := c.ReadFile(t.Context(), "/etc/none/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	if _, err := c.ReadFile(t.Context(), "/etc"); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := c.ReadFile(t.Context(), "/etc/large"); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a large file: %v", err)
	}
}

// TestRealFiles runs the scripts in the shells of this machine.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	h := newRealHost(t, "")
	for _, target := range []remote.Target{h.target("root"), h.target("free"), h.asked("asked", realPassword), h.asked("cshell", realPassword), h.asked("fishy", realPassword), h.target("tty")} {
		t.Run(target.User, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := dial(t, target)
			checkFiles(t, c, dir)
		})
	}
}

// checkFiles is what file operations do on any connection that is root.
func checkFiles(t *testing.T, c *remote.Conn, dir string) {
	t.Helper()
	path := filepath.Join(dir, "it's a -file")
	must(t, os.WriteFile(path, []byte("old"), 0o644))
	large := strings.Repeat(binary, 100_000)
	must(t, c.WriteFile(t.Context(), remote.File{Path: path, Mode: 0o640, Owner: "0:4", Size: int64(len(large))}, strings.NewReader(large), nil))
	info, err := os.Stat(path)
	must(t, err)
	if string(readFile(t, path)) != large || info.Mode() != 0o640 || !owned(info, 0, 4) {
		t.Errorf("%v %v, %d bytes", info.Mode(), info.Sys(), info.Size())
	}
	got, err := c.ReadFile(t.Context(), path)
	if err != nil || string(got) != large {
		t.Errorf("read back %d bytes, %v", len(got), err)
	}
	must(t, c.WriteFiles(t.Context(),
		remote.Content{File: remote.File{Path: path, Mode: 0o755}, Data: []byte(binary)},
		remote.Content{File: remote.File{Path: dir + "/b"}},
	))
	info, err = os.Stat(path)
	must(t, err)
	if string(readFile(t, path)) != binary || info.Mode() != 0o755 || !owned(info, 0, 0) || len(readFile(t, dir+"/b")) != 0 {
		t.Errorf("after WriteFiles: %v %v %q", info.Mode(), info.Sys(), readFile(t, path))
	}
	for name, f := range map[string]remote.File{
		"size": {Path: path, Size: 7}, "owner": {Path: path, Size: 3, Owner: "no-such-user"},
		"folder": {Path: dir, Size: 3}, "parent": {Path: dir + "/none/x", Size: 3},
	} {
		err := c.WriteFile(t.Context(), f, strings.NewReader("new"), nil)
		if err == nil || errors.Is(err, fs.ErrNotExist) != (name == "parent") || string(readFile(t, path)) != binary {
			t.Errorf("%s: got %v, file is %q", name, err, readFile(t, path))
		}
		if name == "size" {
			continue // WriteFiles counts itself
		}
		err = c.WriteFiles(t.Context(), remote.Content{File: remote.File{Path: dir + "/b"}, Data: []byte("new")}, remote.Content{File: f})
		if err == nil || len(readFile(t, dir+"/b")) != 0 {
			t.Errorf("%s: WriteFiles gives %v, the first file is %q", name, err, readFile(t, dir+"/b"))
		}
	}
	if _, err := c.ReadFile(t.Context(), dir+"/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	clean(t, dir)
}
