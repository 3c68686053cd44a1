package tui_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/tui"
)

func ExampleScreenshot() {
	at := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	screen := tui.Screenshot([]engine.Event{
		{Time: at, Kind: engine.KindRunStarted, Message: "gpuboot up train.yaml"},
		{Time: at, Kind: engine.KindPhaseStarted, Message: "apply", Lanes: []string{"gpu1"}},
		{Time: at, Kind: engine.KindStepStarted, Host: "gpu1", Step: "install k3s", N: 1, Of: 3, Status: engine.StatusRunning},
		{Time: at.Add(4 * time.Second), Kind: engine.KindStepProgress, Host: "gpu1", Step: "install k3s", Done: 41e6, Total: 74e6, Unit: "B"},
	}, 80, 12)
	fmt.Println(strings.Join(strings.Split(screen, "\n")[4:6], "\n"))
	// Output:
	//   HOST     STATUS      install k3s  STEP                                    TIME
	// ❯ gpu1     ▸ running   ▸            install k3s: 41 of 74 MB                  4s
}
