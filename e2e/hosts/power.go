package hosts

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed supervise.sh
var supervise string

// ErrDown is wrapped when something is asked of a host that is not running.
var ErrDown = errors.New("the host is down")

// bootLimit bounds the wait for a host that boots: it takes seconds, but a machine that also runs a build is slow.
const bootLimit = 2 * time.Minute

// Start boots a host that is down and waits until systemd has finished and SSH answers. What the host had written is there,
// its network is new.
func (h *Host) Start(ctx context.Context) error {
	if !h.fleet.Supports(FeaturePower) {
		return unsupported(FeaturePower)
	}
	if h.fleet.rec.keeper(h.Name).alive() {
		return fmt.Errorf("host %s runs already", h.Name)
	}
	if err := h.launch(ctx); err != nil {
		return fmt.Errorf("starting host %s: %w", h.Name, err)
	}
	return h.booted(ctx, 0)
}

// launch starts the keeper, see supervise.sh. It lives longer than ctx.
func (h *Host) launch(ctx context.Context) error {
	r := h.fleet.rec
	groups, err := h.fleet.groups.create(r.hostGroup(h.Name))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.hostDir(h.Name), "nspawn.args"), nspawnArgs(h.rec.Spec), 0o644); err != nil {
		return err
	}
	console, err := os.OpenFile(r.console(h.Name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer console.Close()
	var ports []string
	for _, n := range h.rec.NICs {
		ports = append(ports, n.Port)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", supervise, "supervise.sh")
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.hostDir(h.Name), console, console
	// Not our environment: it could hold what a test keeps secret.
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "NETNS=" + r.hostNS(h.Name), "SWITCH=" + r.switchNS(),
		"PORTS=" + strings.Join(ports, " "), "CGROUPS=" + strings.Join(groups, " "), "IMAGE=" + r.Image,
		"MACHINE=" + r.machine(h.Name), "NAME=" + h.Name, "MACHINE_ID=" + h.rec.MachineID, "NSPAWN_ARGS=nspawn.args",
	}
	// An interrupt from the keyboard is for the test, which then closes the fleet.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	p, err := identify(cmd.Process.Pid)
	go func() { _ = cmd.Wait() }() // ends with the host
	if err != nil {
		return err
	}
	return r.saveKeeper(h.Name, p)
}

// nspawnArgs are the arguments of systemd-nspawn for a spec's binds, one a line.
func nspawnArgs(s Spec) []byte {
	var args []byte
	for _, b := range s.Binds {
		option, target := "--bind", filepath.Clean(b.Target)
		if b.ReadOnly {
			option = "--bind-ro"
		}
		if rest, ok := strings.CutPrefix(target, "/proc/"); ok {
			target = "/run/gpuboot-e2e/binds/proc%" + strings.ReplaceAll(rest, "/", "%") // see prepare-host
		}
		args = fmt.Appendf(args, "%s=%s:%s\n", option, b.Source, target)
	}
	return args
}

// booted waits until the host has another init than the given one, SSH answers and systemd has finished booting (before
// that, it lets only root in).
func (h *Host) booted(ctx context.Context, before int) error {
	keeper := h.fleet.rec.keeper(h.Name)
	address := net.JoinHostPort(h.Address, strconv.Itoa(h.Port))
	err := poll(ctx, bootLimit, "host "+h.Name+" to answer SSH", func() (bool, error) {
		if !keeper.alive() {
			return false, ErrDown
		}
		if pid := h.init(); pid == 0 || pid == before {
			return false, nil
		}
		return greets(ctx, address), nil
	})
	if err == nil {
		var state string
		if state, err = h.Exec(ctx, "systemctl is-system-running --wait || :"); strings.TrimSpace(state) == "degraded" {
			failed, _ := h.Exec(ctx, "systemctl --failed --no-legend --plain")
			h.fleet.log.printf("host %s: units failed at boot: %s", h.Name, failed)
		}
	}
	if err != nil {
		console, _ := os.ReadFile(h.fleet.rec.console(h.Name))
		return fmt.Errorf("booting host %s: %w; its console says:\n%s", h.Name, err, lastLines(console, 20))
	}
	return nil
}

// greets reports whether an SSH server says its name at the address.
func greets(ctx context.Context, address string) bool {
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	line, err := bufio.NewReader(conn).ReadString('\n')
	return err == nil && strings.HasPrefix(line, "SSH-")
}
