package inventory

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// labelHint repeats the rule for label words, which the messages of Kubernetes
// give as a regular expression.
const labelHint = "at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"

// checkLabelKey asks Kubernetes' own rules. what begins the message.
func checkLabelKey(what, key string) error {
	if len(validation.IsQualifiedName(key)) == 0 {
		return nil
	}
	hint := labelHint
	if strings.Contains(key, "/") {
		hint = "a DNS name in lower case, '/', and " + labelHint
	}
	return refused(what+" "+quote(key)+" is refused by Kubernetes", hint)
}

func checkLabelValue(what, value string) error {
	if len(validation.IsValidLabelValue(value)) == 0 {
		return nil
	}
	return refused(what+" "+quote(value)+" is refused by Kubernetes", labelHint)
}

// ownedLabels are node labels that something in the cluster keeps writing, so a
// value set through the API would be lost or would lie.
//
// gpuboot sets labels through the API as an administrator, not through the
// kubelet. The NodeRestriction rule, by which a kubelet may not give itself most
// labels under kubernetes.io and k8s.io, therefore does not apply, and labels
// such as node-role.kubernetes.io/gpu or node-restriction.kubernetes.io/team are
// welcome. Refused are only these:
//   - hostname, os and arch, which the kubelet writes back at every start
//     (updateDefaultLabels in pkg/kubelet/kubelet_node_status.go);
//   - the roles of servers, which k3s sets by what the node really runs and by
//     which gpuboot finds servers.
func ownedLabels() []string {
	return []string{
		"beta.kubernetes.io/arch", "beta.kubernetes.io/os",
		"kubernetes.io/arch", "kubernetes.io/hostname", "kubernetes.io/os",
		"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/etcd", "node-role.kubernetes.io/master",
	}
}

func checkLabel(key, value string) error {
	if err := checkLabelKey("label", key); err != nil {
		return err
	}
	if slices.Contains(ownedLabels(), key) {
		hint := "the node reports it itself"
		if strings.HasPrefix(key, "node-role.") {
			hint = "it follows from role"
		}
		return refused("label "+quote(key)+" is kept by the cluster and cannot be set", hint)
	}
	return checkLabelValue("value of label "+quote(key)+":", value)
}
