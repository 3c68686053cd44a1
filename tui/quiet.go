package tui

import "github.com/gpuboot/gpuboot/tui/internal/hush"

// The terminal is asked for its background by those who draw, when they begin to:
// see newStyles.
func init() { hush.Restore() } //nolint:gochecknoinits // undoes, before main, what hush did before bubbletea
