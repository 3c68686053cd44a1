package hosts

import (
	"context"
	"os"
)

// Logf takes progress, one line a call: t.Logf, log.Printf, or nil for silence.
type Logf func(format string, args ...any)

func (l Logf) printf(format string, args ...any) {
	if l != nil {
		l(format, args...)
	}
}

// Provider makes hosts. Local boots them on this machine, Owned hands out machines that exist.
type Provider interface {
	// Up returns a fleet with one host for each spec, in the same order, each answering SSH. After an error nothing is
	// left behind. ctx bounds the start only; a fleet lives until its Close.
	Up(ctx context.Context, log Logf, specs []Spec) (*Fleet, error)
}

// The environment variables that FromEnv reads.
const (
	EnvState     = "GPUBOOT_E2E_STATE"     // folder for the image and running hosts; see Local.State
	EnvMirror    = "GPUBOOT_E2E_MIRROR"    // Debian mirror for building the image; see Local.Mirror
	EnvInventory = "GPUBOOT_E2E_INVENTORY" // an inventory file: use its machines instead of booting hosts
)

// FromEnv returns the provider that the environment asks for: Owned when GPUBOOT_E2E_INVENTORY is set, else Local.
func FromEnv() Provider {
	if path := os.Getenv(EnvInventory); path != "" {
		return Owned{Inventory: path}
	}
	return LocalFromEnv()
}

// LocalFromEnv returns a Local with the folders and mirror that the environment names.
func LocalFromEnv() Local {
	return Local{State: os.Getenv(EnvState), Mirror: os.Getenv(EnvMirror)}
}
