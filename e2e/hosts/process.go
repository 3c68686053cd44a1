package hosts

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// process names a process so that a later one with the same number is not mistaken for it.
type process struct {
	PID   int
	Start string // start time in clock ticks since boot, field 22 of /proc/PID/stat
	Boot  string // the kernel's boot id
}

// identify looks up a running process.
func identify(pid int) (process, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, err
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return process{}, err
	}
	// The second field is the program's name in brackets and may hold anything; the third is the state.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return process{}, fmt.Errorf("reading the start time of process %d: short line", pid)
	}
	if fields[0] == "Z" {
		return process{}, os.ErrProcessDone
	}
	return process{PID: pid, Start: fields[19], Boot: strings.TrimSpace(string(boot))}, nil
}

// alive reports whether this very process still runs.
func (p process) alive() bool {
	if p.PID == 0 {
		return false
	}
	now, err := identify(p.PID)
	return err == nil && now == p
}

// kill ends the process if it still is the one that was recorded.
func (p process) kill() {
	if p.alive() {
		_ = syscall.Kill(p.PID, syscall.SIGKILL)
	}
}

// initOf finds the init of a host among the processes of its cgroup: number 1 in a PID namespace directly below ours.
// The inits of pods are one level deeper. 0 means that there is none.
func initOf(pids []int) int {
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(status)) {
			rest, ok := strings.CutPrefix(line, "NSpid:")
			if !ok {
				continue
			}
			if ids := strings.Fields(rest); len(ids) == 2 && ids[1] == "1" && ids[0] == strconv.Itoa(pid) {
				return pid
			}
		}
	}
	return 0
}
