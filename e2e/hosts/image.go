package hosts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// release is the Debian release of the test hosts. It is the one whose containerd and runc the stand-in was tried with.
const release = "bookworm"

//go:embed image
var recipe embed.FS

// recipeKey names the recipe's content, so that a changed recipe makes a new image and an unchanged one never does.
func recipeKey() (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, release)
	err := fs.WalkDir(recipe, "image", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := recipe.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(data), data)
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil))[:16], err
}

// packages reads the list of packages, one a line, # begins a comment.
func packages() ([]string, error) {
	data, err := recipe.ReadFile("image/packages.txt")
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			names = append(names, line)
		}
	}
	return names, nil
}

// Prepare returns the folder of the root file system that all hosts share, and builds it first where it is missing. That
// takes one to five minutes and a Debian mirror; afterwards nothing is fetched any more.
func (l Local) Prepare(ctx context.Context, log Logf) (string, error) {
	key, err := recipeKey()
	if err != nil {
		return "", err
	}
	state, err := l.state()
	if err != nil {
		return "", err
	}
	image := filepath.Join(state, "image", key)
	if _, err := os.Stat(image); err == nil {
		return image, os.Chtimes(image, time.Now(), time.Now()) // see prune
	}
	if err := os.MkdirAll(filepath.Dir(image), 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, filepath.Join(state, "image.lock"), 20*time.Minute)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(image); err == nil {
		return image, nil // another process built it while we waited
	}
	begun := time.Now()
	log.printf("building the test hosts' image in %s (once; a few minutes)", image)
	if err := l.build(ctx, image+".part", filepath.Join(state, "debs")); err != nil {
		return "", fmt.Errorf("building the test hosts' image: %w", err)
	}
	if err := os.Rename(image+".part", image); err != nil {
		return "", err
	}
	log.printf("built the test hosts' image in %s", time.Since(begun).Round(time.Second))
	return image, prune(filepath.Dir(image), time.Now().Add(-7*24*time.Hour))
}

// prune removes the images that nobody has asked for since the given time: those of older recipes.
func prune(dir string, before time.Time) error {
	images, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, image := range images {
		if info, err := image.Info(); err == nil && info.ModTime().Before(before) {
			errs = append(errs, os.RemoveAll(filepath.Join(dir, image.Name())))
		}
	}
	return errors.Join(errs...)
}

// build makes the root file system in dir. Packages are kept in debs, so that a changed recipe fetches only what is new.
func (l Local) build(ctx context.Context, dir, debs string) error {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755), os.MkdirAll(debs, 0o755)); err != nil {
		return err
	}
	mirror, err := l.mirror()
	if err != nil {
		return err
	}
	names, err := packages()
	if err != nil {
		return err
	}
	args := []string{"--variant=minbase", "--cache-dir=" + debs, "--include=" + strings.Join(names, ",")}
	if mirror.keyring != "" {
		args = append(args, "--keyring="+mirror.keyring)
	}
	if _, err := tool(ctx, "debootstrap", append(args, release, dir, mirror.url)...); err != nil {
		tail, _ := os.ReadFile(filepath.Join(dir, "debootstrap", "debootstrap.log"))
		return fmt.Errorf("%w\n%s", err, lastLines(tail, 15))
	}
	if err := copyTree(dir); err != nil {
		return err
	}
	script, err := recipe.ReadFile("image/customise.sh")
	if err != nil {
		return err
	}
	_, err = toolInput(ctx, string(script), "chroot", dir, "/bin/sh")
	return err
}

// copyTree writes the recipe's own files into the root file system. The embedded files have no modes, so a script is known
// by its first two bytes.
func copyTree(dir string) error {
	tree, err := fs.Sub(recipe, "image/root")
	if err != nil {
		return err
	}
	return fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if bytes.HasPrefix(data, []byte("#!")) {
			mode = 0o755
		}
		target := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, mode)
	})
}

func lastLines(data []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
