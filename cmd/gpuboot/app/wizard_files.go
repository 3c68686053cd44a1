package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gpuboot/gpuboot/inventory"
)

// Open implements tui.Backend: it gives the text of an inventory that is one.
func (b *wizardBackend) Open(_ context.Context, path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the inventory: %w", err)
	}
	if _, err := inventory.Parse(path, data); err != nil {
		return nil, err
	}
	return data, nil
}

// Save implements tui.Backend: through a file beside it, so that whoever looks
// sees all of it or nothing.
func (b *wizardBackend) Save(_ context.Context, path string, data []byte, replace bool) error {
	if data == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", path, err)
		}
		return nil
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the folder of %s: %w", path, err)
	}
	temp, err := writeTemp(dir, data)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if replace {
		err = os.Rename(temp, path)
	} else {
		err = errors.Join(os.Link(temp, path), os.Remove(temp)) // unlike a rename a link refuses what exists
	}
	if err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), removeIfThere(temp))
	}
	return nil
}

// writeTemp writes a file that only we may read; nothing is left of one that
// failed.
func writeTemp(dir string, data []byte) (string, error) {
	f, err := os.CreateTemp(dir, ".gpuboot-*") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, removeIfThere(f.Name()))
	}
	return f.Name(), nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
