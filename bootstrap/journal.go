package bootstrap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// JournalPath is where a host keeps gpuboot's memory of itself: what was
// changed (so that `down` can undo exactly that) and what was decided (so that
// a second run decides the same). It holds no secret.
const JournalPath = "/var/lib/gpuboot/journal.json"

// journalFormat is raised when an older gpuboot could no longer read a journal
// safely.
const journalFormat = 1

// Journal is the content of [JournalPath].
type Journal struct {
	Format  int    `json:"format"`
	Cluster string `json:"cluster"`
	// Founder says that this server began the cluster: its k3s ran first, with
	// cluster-init, and every other server joined it.
	Founder bool `json:"founder,omitempty"`
	// Role is "server" or "agent", as in k3s's own command line.
	Role string `json:"role"`
	// Join is the URL this host was joined through; empty for the founder. It
	// is kept while it stays valid: a new one would restart the host.
	Join string `json:"join,omitempty"`
	// NodeIP and Interface are the address decision of the first run.
	NodeIP    string `json:"nodeIP,omitempty"`
	Interface string `json:"interface,omitempty"`
	// Taints are those the node registered with; later changes go through the
	// API and must not touch k3s's configuration.
	Taints []string `json:"registrationTaints,omitempty"`
	// Binary is the k3s executable as it was installed.
	Binary InstalledBinary `json:"binary"`
	// Started is the hash of everything the running unit was last started
	// with. A different hash means that a restart is due, also when an earlier
	// run was killed between writing a file and restarting.
	Started string `json:"started,omitempty"`
	// ServerToken and AgentToken are SHA-256 hashes of the cluster's full join
	// tokens, known to servers once their API answered.
	ServerToken string `json:"serverTokenSHA256,omitempty"`
	AgentToken  string `json:"agentTokenSHA256,omitempty"`
	// Acts is what was done to the host, oldest first.
	Acts []Act `json:"acts"`
}

// InstalledBinary identifies an executable without reading it whole.
type InstalledBinary struct {
	Version string `json:"version,omitempty"`
	SHA256  string `json:"sha256,omitempty"`
	Size    int64  `json:"size,omitempty"`
}

// ActKind says what an act did, and so how it is undone.
type ActKind string

// The kinds of acts.
const (
	// ActFile created or replaced a file; Backup holds what was there before.
	ActFile ActKind = "file"
	// ActDir created a directory that did not exist before.
	ActDir ActKind = "dir"
	// ActTree let k3s fill a directory tree; Kept is what it held before.
	ActTree ActKind = "tree"
	// ActUnit installed and enabled a systemd unit.
	ActUnit ActKind = "unit"
)

// Act is one change to a host.
type Act struct {
	Time   time.Time `json:"time"`
	Kind   ActKind   `json:"kind"`
	Path   string    `json:"path"`
	Backup string    `json:"backup,omitempty"`
	// Kept are paths below a tree that were there before and stay.
	Kept []string `json:"kept,omitempty"`
}

// ParseJournal reads a journal; nil data gives a zero journal, the state of a
// host that gpuboot never touched.
func ParseJournal(data []byte) (Journal, error) {
	var j Journal
	if len(data) == 0 {
		return j, nil
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return Journal{}, fmt.Errorf("reading %s: %w", JournalPath, err)
	}
	if j.Format != journalFormat {
		return Journal{}, fmt.Errorf("reading %s: format %d, this gpuboot knows %d: use the gpuboot that wrote it", JournalPath, j.Format, journalFormat)
	}
	return j, nil
}

// Marshal gives the bytes to store.
func (j Journal) Marshal() ([]byte, error) {
	j.Format = journalFormat
	data, err := json.MarshalIndent(j, "", "  ")
	return append(data, '\n'), err
}

// Known says whether gpuboot has worked on the host before.
func (j Journal) Known() bool { return j.Format != 0 }

// Did says whether an act on path is recorded.
func (j Journal) Did(kind ActKind, path string) bool {
	return slices.ContainsFunc(j.Acts, func(a Act) bool { return a.Kind == kind && a.Path == path })
}

// kept says whether a path was there before gpuboot came, or holds something
// that was.
func (j Journal) kept(path string) bool {
	for _, a := range j.Acts {
		for _, k := range a.Kept {
			if k == path || strings.HasPrefix(k, path+"/") {
				return true
			}
		}
	}
	return false
}

// clone copies a journal, so that a failed step leaves the old one intact.
func (j Journal) clone() Journal {
	j.Acts = slices.Clone(j.Acts)
	j.Taints = slices.Clone(j.Taints)
	return j
}
