package app

import (
	"os"
	"path/filepath"
)

// cacheDir keeps fetched artefacts, by the XDG base directory rules.
func (env *Env) cacheDir() (string, error) { return env.xdg("XDG_CACHE_HOME", ".cache") }

// stateDir keeps run logs.
func (env *Env) stateDir() (string, error) { return env.xdg("XDG_STATE_HOME", ".local/state") }

func (env *Env) xdg(name, fallback string) (string, error) {
	if dir := env.Getenv(name); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gpuboot"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, fallback, "gpuboot"), nil
}

// lockFile records digests, trustFile host keys seen first; both lie beside the
// inventory, so that they travel with it.
func lockFile(inventory string) string  { return inventory + ".lock" }
func trustFile(inventory string) string { return inventory + ".known_hosts" }
