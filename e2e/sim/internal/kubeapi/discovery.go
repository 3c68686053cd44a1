package kubeapi

import (
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// discovery answers what is not about objects.
func (a *API) discovery(w http.ResponseWriter, path []string) error {
	switch where := strings.Join(path, "/"); {
	case where == "api":
		writeJSON(w, http.StatusOK, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions", APIVersion: "v1"}, Versions: []string{"v1"}})
	case where == "apis":
		writeJSON(w, http.StatusOK, metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: a.groups()})
	case path[0] == "api" && len(path) == 2:
		return a.versionList(w, schema.GroupVersion{Version: path[1]})
	case path[0] == "apis" && len(path) == 3:
		return a.versionList(w, schema.GroupVersion{Group: path[1], Version: path[2]})
	case path[0] == "apis" && len(path) == 2:
		for _, g := range a.groups() {
			if g.Name == path[1] {
				g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
				writeJSON(w, http.StatusOK, g)
				return nil
			}
		}
		return notFound(where)
	case where == "version":
		writeJSON(w, http.StatusOK, a.info())
	case where == "openapi/v3":
		writeJSON(w, http.StatusOK, map[string]any{"paths": map[string]any{}})
	case where == "readyz", where == "livez", where == "healthz":
		writeText(w, "ok")
	default:
		return notFound(where)
	}
	return nil
}

// info reads major and minor out of the version.
func (a *API) info() version.Info {
	parts := strings.SplitN(strings.TrimPrefix(a.Version, "v"), ".", 3)
	info := version.Info{Major: parts[0], GitVersion: a.Version, Platform: "linux/amd64", GitTreeState: "simulated"}
	if len(parts) > 1 {
		info.Minor = parts[1]
	}
	return info
}

// groups lists the named groups, each once, in the order of the table.
func (a *API) groups() []metav1.APIGroup {
	var out []metav1.APIGroup
	at := map[string]int{}
	seen := map[schema.GroupVersion]bool{}
	for _, r := range a.resources() {
		gv := r.GroupVersion()
		if gv.Group == "" || seen[gv] {
			continue
		}
		seen[gv] = true
		v := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
		i, known := at[gv.Group]
		if !known {
			i = len(out)
			at[gv.Group] = i
			out = append(out, metav1.APIGroup{Name: gv.Group, PreferredVersion: v})
		}
		out[i].Versions = append(out[i].Versions, v)
	}
	return out
}

func (a *API) versionList(w http.ResponseWriter, gv schema.GroupVersion) error {
	l := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String()}
	for _, r := range a.resources() {
		if r.GroupVersion() == gv {
			l.APIResources = append(l.APIResources, r.describe()...)
		}
	}
	if len(l.APIResources) == 0 {
		return notFound(gv.String())
	}
	writeJSON(w, http.StatusOK, l)
	return nil
}
