package remotetest

import (
	"context"
	"io/fs"
	"os"

	"golang.org/x/crypto/ssh"
)

// Calls are the commands that were run, in order, without file operations.
func (h *Host) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Call(nil), h.calls...)
}

// Put makes a file on the host, with its folders.
func (h *Host) Put(name, content string, mode fs.FileMode) {
	h.t.Helper()
	path := h.Path(name)
	h.must(os.MkdirAll(h.Path(name+"/.."), 0o755))
	h.must(os.WriteFile(path, []byte(content), 0o600))
	h.must(os.Chmod(path, mode))
}

// Content is the content of a file on the host; the test fails without it.
func (h *Host) Content(name string) string {
	h.t.Helper()
	data, err := os.ReadFile(h.Path(name))
	h.must(err)
	return string(data)
}

// Stat is the mode of a file on the host and its owner as it was asked
// for, "" for a file that the host was made with.
func (h *Host) Stat(name string) (mode fs.FileMode, owner string, err error) {
	info, err := os.Lstat(h.Path(name))
	if err != nil {
		return 0, "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return info.Mode(), h.owners[name], nil
}

func (h *Host) setOwner(name, owner string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owners[name] = owner
}

// group is a command that runs.
type group struct {
	cancel context.CancelFunc
	done   chan struct{} // closed at its end
}

// newGroup registers a command under a process group of its own.
func (h *Host) newGroup(cancel context.CancelFunc) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nextPID++
	h.groups[h.nextPID] = group{cancel, make(chan struct{})}
	if h.closed {
		cancel()
	}
	return h.nextPID
}

func (h *Host) endGroup(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.groups[id].cancel()
	close(h.groups[id].done)
	delete(h.groups, id)
}

// killGroup ends a command; the channel closes when it is gone.
func (h *Host) killGroup(id int) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	g, ok := h.groups[id]
	if !ok {
		gone := make(chan struct{})
		close(gone)
		return gone
	}
	g.cancel()
	return g.done
}

// killAll ends all commands with the host.
func (h *Host) killAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range h.groups {
		g.cancel()
	}
}

// Running is how many commands run at the moment.
func (h *Host) Running() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.groups)
}

// enter counts a session of a connection and refuses it above the limit.
func (h *Host) enter(sc *ssh.ServerConn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if most := h.faults.sessionMax; most > 0 && h.sessions[sc] >= most {
		return false
	}
	h.sessions[sc]++
	return true
}

func (h *Host) leave(sc *ssh.ServerConn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions[sc]--; h.sessions[sc] == 0 {
		delete(h.sessions, sc)
	}
}
