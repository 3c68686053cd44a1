package inventory

import (
	"slices"
	"strings"
)

// Taint keeps work away from a node. In YAML it is "key=value:Effect" or
// "key:Effect", the form kubectl taint takes.
type Taint struct {
	Key, Value string
	// Effect is NoSchedule, PreferNoSchedule or NoExecute.
	Effect string
}

func taintEffects() []string { return []string{"NoSchedule", "PreferNoSchedule", "NoExecute"} }

// String gives the YAML form.
func (t Taint) String() string {
	if t.Value == "" {
		return t.Key + ":" + t.Effect
	}
	return t.Key + "=" + t.Value + ":" + t.Effect
}

// MarshalText gives the YAML form.
func (t Taint) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText accepts the YAML form and checks it by the rules of Kubernetes.
func (t *Taint) UnmarshalText(text []byte) error {
	s := string(text)
	keyValue, effect, ok := strings.Cut(s, ":")
	if !ok {
		return refused("taint "+quote(s)+" has no effect", "write key=value:NoSchedule")
	}
	key, value, _ := strings.Cut(keyValue, "=")
	if err := checkLabelKey("taint key", key); err != nil {
		return err
	}
	if err := checkLabelValue("taint value", value); err != nil {
		return err
	}
	if slices.Contains(taintEffects(), effect) {
		*t = Taint{Key: key, Value: value, Effect: effect}
		return nil
	}
	return refused(
		"taint effect "+quote(effect)+" is unknown, allowed are "+join(taintEffects()),
		suggest(effect, taintEffects()))
}
