package facts

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// readModules reads /proc/modules, or the part the probe picked: name, size,
// users and more.
func readModules(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		name, _, _ := strings.Cut(line, " ")
		f.Modules.Loaded = append(f.Modules.Loaded, name)
	}
	return nil
}

// readModuleFiles reads what the probe found of modules that could be loaded.
func readModuleFiles(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		if key, value, ok := strings.Cut(line, "="); ok {
			switch key {
			case "dir":
				f.Modules.Folder = true
			case "kernel":
				f.Modules.Kernels = append(f.Modules.Kernels, value)
			case "have":
				f.Modules.Available = append(f.Modules.Available, value)
			}
			continue
		}
		if name, ok := strings.CutSuffix(path.Base(line), ".ko"); ok {
			f.Modules.Available = append(f.Modules.Available, strings.ReplaceAll(name, "-", "_"))
		}
	}
	if !f.Modules.Folder && len(f.Modules.Available) == 0 {
		return errors.New("no module is found for the running kernel")
	}
	return nil
}

// deriveModules brings the lists into order: a loaded module is available too.
func (f *Facts) deriveModules() {
	m := &f.Modules
	slices.Sort(m.Loaded)
	m.Available = append(m.Available, m.Loaded...)
	slices.Sort(m.Available)
	m.Available = slices.Compact(m.Available)
}

// Has says whether a module is built in, loaded, or on disk for the running
// kernel.
func (m Modules) Has(name string) bool { return slices.Contains(m.Available, name) }
