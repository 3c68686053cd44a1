package engine_test

import (
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lanes []engine.Lane
		want  string
	}{
		{"nothing", nil, ""},
		{"diamond", []engine.Lane{
			lane("a", opens(step("s", ok), "x")),
			lane("b", opens(needs(step("s", ok), "x"), "y")),
			lane("c", opens(needs(step("s", ok), "x"), "z")),
			lane("d", needs(step("s", ok), "y", "z", "y")),
		}, ""},
		{"gate within a lane", []engine.Lane{lane("a", opens(step("s", ok), "x"), needs(step("t", ok), "x"))}, ""},
		{"names", []engine.Lane{
			lane("a", step("s", ok), step("s", ok)), lane("a", step("", ok)), lane("", step("t", nil)),
		}, `invalid steps: lane "a" has two steps named "s"; two lanes are named "a"; step 1 of lane "a" has no name; ` +
			`lane 3 has no name; step /t has nothing to run`},
		{"unknown gates", []engine.Lane{
			vital(lane("a", needs(step("s", ok), "x")), "y"),
		}, `invalid steps: lane "a" is vital until gate "y", which no step opens; step a/s waits for gate "x", which no step opens`},
		{"gate opened twice", []engine.Lane{
			lane("a", opens(step("s", ok), "x")), lane("b", opens(step("s", ok), "x")),
		}, `invalid steps: gate "x" is opened by both a/s and b/s`},
		{"waits for itself", []engine.Lane{lane("a", opens(needs(step("s", ok), "x"), "x"))},
			`invalid steps: steps wait for each other: a/s waits for gate "x" of a/s`},
		{"waits for a later step of its lane", []engine.Lane{lane("a", needs(step("s", ok), "x"), step("t", ok), opens(step("u", ok), "x"))},
			`invalid steps: steps wait for each other: a/u comes after a/t, which comes after a/s, which waits for gate "x" of a/u`},
		{"circle over two lanes", []engine.Lane{
			lane("idle", step("s", ok)),
			lane("a", needs(step("join", ok), "y"), opens(step("start", ok), "x")),
			lane("b", needs(step("join", ok), "x"), opens(step("start", ok), "y")),
		}, `invalid steps: steps wait for each other: a/start comes after a/join, which waits for gate "y" of b/start, ` +
			`which comes after b/join, which waits for gate "x" of a/start`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := engine.Validate(c.lanes); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
