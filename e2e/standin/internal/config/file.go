package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Setting is one key of the merged config files with its values in order.
type Setting struct {
	Key    string
	Values []string
}

// ReadFiles merges a config file and the *.yaml and *.yml of its drop-in folder (the file's path plus ".d") in alphabetical
// order. A later file replaces a key; "key+" appends to what was there. A missing file is an error only if required.
func ReadFiles(path string, required bool) ([]Setting, error) {
	files, err := configFiles(path, required)
	if err != nil {
		return nil, err
	}
	var merged []Setting
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading config file: %w", err)
		}
		if merged, err = merge(merged, data); err != nil {
			return nil, fmt.Errorf("parsing %s: %w", file, err)
		}
	}
	return merged, nil
}

func configFiles(path string, required bool) ([]string, error) {
	var files []string
	if _, err := os.Stat(path); err == nil {
		files = append(files, path)
	} else if !errors.Is(err, fs.ErrNotExist) || required {
		return nil, fmt.Errorf("reading config file: %w", err)
	}
	entries, err := os.ReadDir(path + ".d")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading config drop-ins: %w", err)
	}
	for _, e := range entries { // ReadDir sorts by name
		if ext := filepath.Ext(e.Name()); !e.IsDir() && (ext == ".yaml" || ext == ".yml") {
			files = append(files, filepath.Join(path+".d", e.Name()))
		}
	}
	return files, nil
}

func merge(into []Setting, data []byte) ([]Setting, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return into, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("the top level has to be a map")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, plus := strings.CutSuffix(root.Content[i].Value, "+")
		values := nodeValues(root.Content[i+1])
		at := slices.IndexFunc(into, func(s Setting) bool { return s.Key == key })
		switch {
		case at < 0:
			into = append(into, Setting{key, values})
		case plus:
			into[at].Values = append(into[at].Values, values...)
		default:
			into[at].Values = values
		}
	}
	return into, nil
}

func nodeValues(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		return []string{n.Value}
	}
	var values []string
	for _, item := range n.Content {
		values = append(values, item.Value)
	}
	return values
}
