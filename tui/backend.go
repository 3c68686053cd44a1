package tui

import (
	"context"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Backend is what the wizard does to the outside. The command line implements
// it; the wizard calls it from commands only, never while it draws. Methods may
// run at the same time and must end when their context does.
type Backend interface {
	// Open reads an inventory that exists.
	Open(ctx context.Context, path string) ([]byte, error)
	// Look logs in to hosts and looks at them; it writes nothing on them. It
	// returns when every host has answered or failed. The error is for what
	// concerns no single host; a host's own stands in its step.finished event.
	Look(ctx context.Context, r LookRequest) ([]Seen, error)
	// Plan tells what `up` would do with an inventory that need not be saved yet:
	// findings and plan.change events. It writes nothing.
	Plan(ctx context.Context, file string, inventory []byte, sink engine.Sink) error
	// Save writes a file whole or not at all. It returns an error that is
	// fs.ErrExist when the file is there and replace is false. Nil data removes it.
	Save(ctx context.Context, path string, data []byte, replace bool) error
}

// LookRequest says which hosts to look at.
type LookRequest struct {
	// File is where the inventory is, or will be: relative paths in it begin there.
	File string
	// Inventory is its text; it has passed inventory.Parse.
	Inventory []byte
	// Only are the hosts to look at, by name.
	Only []string
	// Sink takes the events of the look: the steps of each host, host.facts, and
	// findings about these hosts, or about all of them (without a host).
	Sink engine.Sink
	// Ask asks the person.
	Ask Asker
}

// Asker asks the person who sits before the wizard. Calls wait for the answer and
// may come from any goroutine; questions are shown one after the other.
type Asker interface {
	// AcceptKey shows the key of a host that nothing vouches for. False means that
	// the person does not trust it: the host must not be logged in to.
	AcceptKey(ctx context.Context, k HostKey) (bool, error)
	// Secret asks for a password or a passphrase; it is neither shown nor kept.
	// ErrDeclined means that the person gives none.
	Secret(ctx context.Context, question string) (string, error)
}

// HostKey is the key that a host showed.
type HostKey struct {
	Host        string // name in the inventory
	Address     string // as dialled
	Type        string // such as ssh-ed25519
	Fingerprint string // SHA256:…
}

// Seen is what the wizard itself needs to know of a host that answered; what is
// for reading by people comes as host.facts.
type Seen struct {
	Host string
	// GPUs is the promise to write into the inventory, such as "8x H100"; "" for a
	// host without.
	GPUs string
	// GPUCount is the number of GPUs.
	GPUCount int
	// Facts are the caller's own, for its Choices.
	Facts any
}

// Choice is one thing to decide for the cluster, or for hosts with equal GPUs.
// The caller makes choices from what was seen, so that the wizard offers only
// what the product can do.
type Choice struct {
	// ID is the stable name.
	ID string
	// Key is where the value goes: "network.NAME", "defaults.NAME" or "k3s.NAME", or
	// with GPUs set the name of a key of their pools. "" writes nothing.
	Key string
	// Title names it, Why says what hangs on it.
	Title, Why string
	// GPUs restricts it to the hosts whose Seen.GPUs is this.
	GPUs string
	// Options, of which the first possible one is the default.
	Options []Option
}

// Option is one way to decide a Choice.
type Option struct {
	// Value is written into the inventory; "" leaves the key out.
	Value string
	// Label names it for people.
	Label string
	// Why is the reason to take it, or why it is impossible.
	Why string
	// Impossible options cannot be taken; they are listed so that the reason can be
	// read.
	Impossible bool
}

// SSHHost is an entry of the user's ssh_config.
type SSHHost struct {
	Alias string
	// Address and User as ssh_config gives them; only shown, as gpuboot reads
	// ssh_config by itself when it connects.
	Address, User string
}
