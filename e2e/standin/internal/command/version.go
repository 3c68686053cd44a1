package command

import (
	"strings"
	_ "unsafe" // for go:linkname

	"k8s.io/component-base/version"
)

// The version that kubelet, API server and kubectl report. Kubernetes sets it with the linker's -X; taking it from here leaves
// one place for the version (main.version) and no list of linker flags for whoever builds the stand-in.
//
//go:linkname kubernetesVersion k8s.io/component-base/version.gitVersion
var kubernetesVersion string

//go:linkname kubernetesMajor k8s.io/component-base/version.gitMajor
var kubernetesMajor string

//go:linkname kubernetesMinor k8s.io/component-base/version.gitMinor
var kubernetesMinor string

// setKubernetesVersion has to come before any component starts.
func setKubernetesVersion(v string) error {
	kubernetesVersion = v
	if parts := strings.SplitN(strings.TrimPrefix(v, "v"), ".", 3); len(parts) == 3 {
		kubernetesMajor, kubernetesMinor = parts[0], parts[1]
	}
	return version.SetDynamicVersion(v)
}
