package engine_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 250e6, time.UTC)

// samples has one event of every kind.
func samples() []engine.Event {
	ref := &engine.StepRef{Host: "cp1", Step: "start k3s"}
	return []engine.Event{
		{Time: noon, Kind: engine.KindHeader, Version: engine.StreamVersion, Message: "gpuboot up gpu.yaml"},
		{Time: noon, Kind: engine.KindRunStarted, Message: "gpuboot up gpu.yaml", File: "/tmp/run.jsonl"},
		{Time: noon, Kind: engine.KindPhaseStarted, Message: "converge", Lanes: []string{"cp1", "gpu1"}},
		{Time: noon, Kind: engine.KindStepStarted, Host: "cp1", Step: "start k3s", N: 2, Of: 3, Status: engine.StatusRunning},
		{Time: noon, Kind: engine.KindStepWaiting, Host: "gpu1", Step: "join", N: 3, Of: 3, Status: engine.StatusWaiting, Gate: "api-ready", By: ref},
		{Time: noon, Kind: engine.KindStepProgress, Host: "cp1", Step: "start k3s", Done: 5, Total: 10, Unit: "B"},
		{Time: noon, Kind: engine.KindStepOutput, Host: "cp1", Step: "start k3s", Message: "a <b> & \"c\""},
		{Time: noon, Kind: engine.KindStepFinished, Host: "cp1", Step: "start k3s", N: 2, Of: 3, Status: engine.StatusFailed, Elapsed: 90 * time.Second,
			Error: &engine.ErrorInfo{Cause: "unit died", Output: "one\ntwo", Hint: "gpuboot ssh cp1", Retry: "gpuboot up gpu.yaml"}},
		{Time: noon, Kind: engine.KindGateOpened, Host: "cp1", Step: "start k3s", Gate: "api-ready"},
		{Time: noon, Kind: engine.KindGateFailed, Host: "cp1", Step: "start k3s", Gate: "api-ready", By: ref, Message: "unit died"},
		{Time: noon, Kind: engine.KindFinding, Host: "gpu1", Level: "block", ID: "disk-small", Message: "/ is full", Evidence: "3 MB free", Fix: "free 20 GB"},
		{Time: noon, Kind: engine.KindPlanChange, Host: "gpu1", Change: &engine.Change{
			Step: "k3s unit", Action: "restart", What: "k3s-agent", Reason: "config changed", Disruptive: true}},
		{Time: noon, Kind: engine.KindHostFacts, Host: "gpu1", Facts: map[string]string{"os": "Ubuntu 24.04", "gpus": "8"}},
		{Time: noon, Kind: engine.KindNote, Message: "lock taken over", Level: "warn"},
		{Time: noon, Kind: engine.KindPhaseFinished, Message: "converge", Status: engine.StatusFailed, Elapsed: time.Minute},
		{Time: noon, Kind: engine.KindRunFinished, Message: "gpuboot up gpu.yaml", Status: engine.StatusFailed, Elapsed: 61 * time.Second, File: "/tmp/run.jsonl"},
	}
}

func TestEventJSONIsStableAndRoundTrips(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, e := range samples() {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "events.jsonl", b.String())
	dec := json.NewDecoder(strings.NewReader(b.String()))
	for _, want := range samples() {
		var got engine.Event
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestReadersIgnoreWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	var e engine.Event
	err := json.Unmarshal([]byte(`{"kind":"host.sang","host":"a","song":{"bars":12},"elapsed_ms":1500}`), &e)
	if err != nil || e.Kind != "host.sang" || e.Host != "a" || e.Elapsed != 1500*time.Millisecond {
		t.Errorf("%+v, %v", e, err)
	}
	var s engine.State
	s.Apply(e)
	if len(s.Hosts) != 0 {
		t.Error("an unknown kind made a host")
	}
	if err := json.Unmarshal([]byte(`{"kind":7}`), &e); err == nil {
		t.Error("a wrong type was read")
	}
}
