package kubeapi

import (
	"fmt"
	"time"
)

// defaults sets the few defaults that what acts on objects, or reads them,
// relies on.
func defaults(r resource, m map[string]any, serial int) {
	spec := object(m, "spec")
	set := func(key string, value any) {
		if spec == nil {
			spec = map[string]any{}
			m["spec"] = spec
		}
		if spec[key] == nil {
			spec[key] = value
		}
	}
	switch r.Resource {
	case "namespaces":
		m["status"] = map[string]any{"phase": "Active"}
	case "pods":
		set("restartPolicy", "Always")
		m["status"] = map[string]any{"phase": "Pending"}
	case "deployments", "replicasets", "statefulsets":
		set("replicas", int64(1))
	case "jobs":
		set("parallelism", int64(1))
		set("completions", int64(1))
	case "services":
		set("type", "ClusterIP")
		set("clusterIP", fmt.Sprintf("10.43.%d.%d", 100+serial/250%100, 1+serial%250))
	case "persistentvolumeclaims":
		m["status"] = map[string]any{"phase": "Pending"}
	case "customresourcedefinitions":
		m["status"] = established(m)
	}
}

// established is the state of a definition that is served.
func established(crd map[string]any) map[string]any {
	condition := func(kind string) any {
		return map[string]any{"type": kind, "status": "True", "reason": "Simulated", "lastTransitionTime": time.Unix(0, 0).UTC().Format(time.RFC3339)}
	}
	return map[string]any{"acceptedNames": object(crd, "spec", "names"), "storedVersions": []any{},
		"conditions": []any{condition("NamesAccepted"), condition("Established")}}
}

// review answers the questions that are asked by creating an object: everything
// is allowed.
func review(r resource, m map[string]any) (map[string]any, bool) {
	if r.Group != "authorization.k8s.io" {
		return nil, false
	}
	m["apiVersion"], m["kind"] = r.GroupVersion().String(), r.Kind
	m["status"] = map[string]any{"allowed": true, "reason": "simulated"}
	return m, true
}
