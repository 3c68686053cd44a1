package kubeargs

import (
	"slices"
	"testing"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	got := Merge(map[string]string{"v": "0", "feature-gates": "A=true", "b": "1"},
		[]string{"v=2", "feature-gates+=B=true", "b-=0", "bare", "--twice=1", "twice=2"})
	want := []string{"--b=0", "--b=1", "--bare=true", "--feature-gates=A=true", "--feature-gates=B=true",
		"--twice=1", "--twice=2", "--v=2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
