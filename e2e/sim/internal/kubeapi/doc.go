// Package kubeapi is a Kubernetes API server in memory: discovery, objects with
// resource versions, lists, watches with bookmarks, selectors, the patch types
// of the real server, server-side apply, status and a few other subresources,
// and custom resources. It is good enough for client-go and what stands on it.
//
// It keeps one version of each kind, knows no admission, no authorisation
// (whoever gets through to it may do everything), no validation beyond names,
// no answers in protobuf and no OpenAPI. What acts on objects (nodes, pods, workloads) is
// outside: see Store.
package kubeapi
