package inventory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// filePath makes a path of the file absolute, or reports why it cannot. An
// absent value stays empty.
func (d *decoder) filePath(v val[string]) string {
	if !v.Set {
		return ""
	}
	path, err := resolvePath(d.file, v.V)
	if err != nil {
		d.refuseAt(v.At, err)
	}
	return path
}

// resolvePath takes relative paths from the folder of the inventory and ~ from
// the home folder.
func resolvePath(inventory, path string) (string, error) {
	if path == "" {
		return "", refused("the path is empty", "")
	}
	if strings.ContainsRune(path, 0) {
		return "", refused("the path has a NUL character", "")
	}
	if rest, found := strings.CutPrefix(path, "~"); found {
		if rest != "" && !strings.HasPrefix(rest, "/") {
			return "", refused("path "+quote(path)+" names the home folder of another user", "write the full path")
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("finding the home folder for %s: %w", quote(path), err)
		}
		return filepath.Join(home, rest), nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(inventory), path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("making path %s absolute: %w", quote(path), err)
	}
	return abs, nil
}
