package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestWrongUseIsExplained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no command"},
		{[]string{"fly"}, `unknown command "fly"`},
		{[]string{"exec"}, "exec needs a host"},
		{[]string{"up", "--count", "x"}, "invalid value"},
	} {
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), c.args, &stdout, &stderr)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("testhosts %v: got %v, want %q", c.args, err, c.want)
		}
	}
}
