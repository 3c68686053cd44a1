package render_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

func TestEqualFindingsOfManyHostsAreOne(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := render.NewPlain(render.Options{Out: &out, Err: io.Discard})
	for i := range 12 {
		p.Sink(engine.Event{Kind: engine.KindFinding, Host: fmt.Sprintf("gpu%02d", i), Level: "warn", ID: "swap", Message: "swap is on", Evidence: "8 GiB", Fix: "swapoff -a"})
	}
	for _, host := range []string{"a", "b"} {
		p.Sink(engine.Event{Kind: engine.KindFinding, Host: host, Level: "info", ID: "clock", Message: "the clock is off", Evidence: host + " is ahead"})
	}
	p.Sink(engine.Event{Kind: engine.KindPhaseStarted, Message: "apply"})
	want := `warn   gpu00, gpu01, gpu02, gpu03, gpu04, gpu05, gpu06, gpu07, 4 more: swap is on  [swap]
       evidence: 8 GiB
       fix: swapoff -a
info   a, b: the clock is off  [clock]
       evidence: a: a is ahead
                 b: b is ahead
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
