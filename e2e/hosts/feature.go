package hosts

import (
	"errors"
	"fmt"
)

// Feature is something a scenario may need of its hosts besides SSH. Ask Fleet.Supports before, and skip loudly.
type Feature string

// What the hosts that this package boots can do, and machines of someone's own mostly can not.
const (
	FeatureFresh     Feature = "fresh"     // hosts are new and may be ruined
	FeatureExec      Feature = "exec"      // Host.Exec
	FeaturePower     Feature = "power"     // Host.Kill, Freeze, Thaw, Reboot, PowerOff, Start
	FeatureTraffic   Feature = "traffic"   // Fleet.Drop, Host.SetLink, SetMTU, Rate
	FeatureDelay     Feature = "delay"     // Host.Delay; needs the netem queue in this machine's kernel
	FeatureProcesses Feature = "processes" // Host.Processes, WatchProcesses
	FeatureFiles     Feature = "files"     // Host.Snapshot
	FeatureSpec      Feature = "spec"      // Spec.Sudo, Password, NICs, Binds and Files are honoured
)

// ErrUnsupported is wrapped by every method that the fleet's hosts cannot offer. Not worth a retry.
var ErrUnsupported = errors.New("not possible with these hosts")

func unsupported(f Feature) error {
	return fmt.Errorf("%s: %w", f, ErrUnsupported)
}
