package containerd

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// translate turns version 3 of containerd's config, which k3s writes for containerd 2, into version 2 for containerd 1.6:
// the plugins of images and runtime were one then, and some keys have moved. Drop-ins are merged here in the order of their
// names, because containerd 1.6 replaces a whole plugin by a drop-in's.
func (s Settings) translate(text []byte) ([]byte, error) {
	conf := map[string]any{}
	if err := toml.Unmarshal(text, &conf); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(s.Dir.Agent("etc/containerd/config-v3.toml.d/*.toml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files { // Glob sorts
		if err := mergeFile(conf, file); err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
	}
	delete(conf, "imports")
	if plugins, ok := conf["plugins"].(map[string]any); ok {
		conf["plugins"] = legacyPlugins(plugins)
	}
	conf["version"] = 2
	return toml.Marshal(conf)
}

func mergeFile(into map[string]any, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	conf := map[string]any{}
	if err := toml.Unmarshal(data, &conf); err != nil {
		return err
	}
	merge(into, conf)
	return nil
}

// merge takes over from's values, table by table; lists are replaced.
func merge(into, from map[string]any) {
	for key, value := range from {
		table, ok := value.(map[string]any)
		old, ok2 := into[key].(map[string]any)
		if ok && ok2 {
			merge(old, table)
		} else {
			into[key] = value
		}
	}
}

const (
	pluginCRI     = "io.containerd.grpc.v1.cri"
	pluginRuntime = "io.containerd.cri.v1.runtime"
	pluginImages  = "io.containerd.cri.v1.images"
)

func legacyPlugins(plugins map[string]any) map[string]any {
	out, cri := map[string]any{}, map[string]any{}
	for id, value := range plugins {
		table, ok := value.(map[string]any)
		switch {
		case !ok:
			out[id] = value
		case id == pluginCRI, id == pluginRuntime:
			merge(cri, table)
		case id == pluginImages:
			merge(cri, legacyImages(table))
		default:
			out[id] = table
		}
	}
	if cni, ok := cri["cni"].(map[string]any); ok {
		if dirs, ok := cni["bin_dirs"].([]any); ok && len(dirs) > 0 {
			cni["bin_dir"] = dirs[0]
			delete(cni, "bin_dirs")
		}
	}
	out[pluginCRI] = cri
	return out
}

func legacyImages(images map[string]any) map[string]any {
	out, store := map[string]any{}, map[string]any{}
	for key, value := range images {
		switch key {
		case "snapshotter", "disable_snapshot_annotations":
			store[key] = value
		case "pinned_images":
			if pinned, ok := value.(map[string]any); ok {
				out["sandbox_image"] = pinned["sandbox"]
			}
		case "use_local_image_pull": // containerd 1.6 has no other way
		default:
			out[key] = value
		}
	}
	out["containerd"] = store
	return out
}
