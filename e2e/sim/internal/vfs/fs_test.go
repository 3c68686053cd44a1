package vfs

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"
)

func newFS(t *testing.T) *FS {
	t.Helper()
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	return New(func() time.Time { return at })
}

func TestFilesHaveContentModeOwnerAndSum(t *testing.T) {
	t.Parallel()
	f := newFS(t)
	if err := f.Write("/etc/a", []byte("x"), 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without its folder: %v", err)
	}
	if err := f.Put("/etc/a", []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Chown("/etc/a", "nobody:nogroup"); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat("/etc/a")
	want := Info{Path: "/etc/a", Mode: 0o600, Owner: "nobody:nogroup", Size: 5, MTime: info.MTime, Sum: sum([]byte("hello"))}
	if err != nil || info != want {
		t.Errorf("%+v, %v", info, err)
	}
	if data, err := f.Read("/etc/a"); err != nil || string(data) != "hello" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestOnlyTheBeginningOfALargeFileIsKept(t *testing.T) {
	t.Parallel()
	f := newFS(t)
	big := []byte(strings.Repeat("x", 3*keep))
	if err := f.Write("/big", big, 0o755); err != nil {
		t.Fatal(err)
	}
	info, _ := f.Stat("/big")
	data, _ := f.Read("/big")
	if info.Size != int64(len(big)) || info.Sum != sum(big) || len(data) != keep {
		t.Errorf("size %d, kept %d, sum %s", info.Size, len(data), info.Sum)
	}
}

func TestAFullDiskRefusesWrites(t *testing.T) {
	t.Parallel()
	f := newFS(t)
	f.Limit(10)
	if err := f.Write("/a", make([]byte, 8), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Write("/b", make([]byte, 8), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("beyond the limit: %v", err)
	}
	if err := f.Remove("/a"); err != nil {
		t.Fatal(err)
	}
	if err := f.Write("/b", make([]byte, 8), 0o600); err != nil {
		t.Errorf("after room was made: %v", err)
	}
}

func TestRenameReplacesAndTreesGoAsAWhole(t *testing.T) {
	t.Parallel()
	f := newFS(t)
	for name, text := range map[string]string{"/a/one": "1", "/a/b/two": "2", "/new": "n"} {
		if err := f.Put(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Rename("/new", "/a/one"); err != nil {
		t.Fatal(err)
	}
	if data, _ := f.Read("/a/one"); string(data) != "n" || f.Exists("/new") {
		t.Errorf("after the rename: %q", data)
	}
	if err := f.Rename("/a", "/c"); err != nil || !f.Exists("/c/b/two") || f.Exists("/a/b/two") {
		t.Errorf("a folder did not move with its files: %v", err)
	}
	if err := f.Remove("/c"); !errors.Is(err, syscall.ENOTEMPTY) {
		t.Errorf("a full folder: %v", err)
	}
	before := f.Changes()
	if got := f.Tree("/c"); len(got) != 3 || got[0].Path != "/c/b" || f.Changes() != before {
		t.Errorf("%v", got)
	}
	f.RemoveAll("/c")
	if got := f.Tree("/"); len(got) != 0 || f.Used() != 0 {
		t.Errorf("left: %v, %d bytes", got, f.Used())
	}
}
