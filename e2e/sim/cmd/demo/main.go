// Command demo shows gpuboot at work on simulated hosts: it starts them in this
// process, writes an inventory, runs the real gpuboot's up and status with this
// terminal, and says where things are. It needs no root, no GPU and no network.
//
//	demo -gpuboot bin/gpuboot [-hosts 64] [-faults] [-keep]
//
// HOSTS and FAULTS in the environment are the same as the flags.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim"
)

func main() {
	d := demo{out: os.Stdout}
	flag.StringVar(&d.gpuboot, "gpuboot", "bin/gpuboot", "the gpuboot to run")
	flag.IntVar(&d.hosts, "hosts", envInt("HOSTS", 3), "how many hosts there are, at most 1000")
	flag.BoolVar(&d.faults, "faults", os.Getenv("FAULTS") != "", "break some of the workers")
	flag.Uint64Var(&d.seed, "seed", uint64(envInt("SEED", 1)), "which ones, and how")
	flag.Float64Var(&d.speed, "speed", 4, "how many times faster than in reality k3s starts")
	flag.BoolVar(&d.keep, "keep", false, "leave the hosts running until Ctrl-C, to try other commands")
	flag.Parse()
	code, err := d.run()
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
	os.Exit(code)
}

func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// demo is one show.
type demo struct {
	gpuboot string
	hosts   int
	faults  bool
	seed    uint64
	speed   float64
	keep    bool
	out     io.Writer
	dir     string
}

// run gives gpuboot's exit code, or 0 where hosts are broken on purpose.
func (d *demo) run() (int, error) {
	if d.hosts < 1 || d.hosts > 1000 {
		return 0, fmt.Errorf("%d hosts: want 1 to 1000", d.hosts)
	}
	binary, err := filepath.Abs(d.gpuboot)
	if err != nil {
		return 0, fmt.Errorf("finding gpuboot: %w", err)
	}
	if _, err := os.Stat(binary); err != nil {
		return 0, fmt.Errorf("finding gpuboot: %w (build it: make build)", err)
	}
	// Ctrl-C is for gpuboot, which ends in good order; then this ends too.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	fleet, files, err := d.start()
	if err != nil {
		return 0, err
	}
	defer fleet.Close()
	code, err := d.gpubootRun(binary, "up", files.Inventory)
	if err != nil {
		return 0, err
	}
	if _, err := d.gpubootRun(binary, "status", files.Inventory); err != nil {
		return 0, err
	}
	d.explain(binary, files)
	for _, p := range fleet.Problems() {
		fmt.Fprintf(d.out, "\nThe simulation met something it does not know: %s\n", p)
	}
	if d.keep {
		fmt.Fprintln(d.out, "\nThe hosts run until Ctrl-C.")
		<-interrupted
	}
	// What is of use without the hosts stays: inventory and log.
	for _, left := range []string{files.K3s, files.Key, filepath.Join(d.dir, "cache")} {
		if err := os.RemoveAll(left); err != nil {
			return 0, fmt.Errorf("tidying up: %w", err)
		}
	}
	if d.faults {
		return 0, nil
	}
	return code, nil
}

// start makes the hosts and the files that gpuboot needs.
func (d *demo) start() (*sim.Fleet, sim.Files, error) {
	servers := 1
	if d.hosts >= 10 {
		servers = 3
	}
	opt := sim.Options{
		Hosts: sim.GPUHosts(d.hosts, servers), Latency: 20 * time.Millisecond, Jitter: 5 * time.Millisecond,
		Bandwidth: 12 << 20, Seed: d.seed, Speed: d.speed,
	}
	if d.faults {
		opt.Faults = sim.RandomFaults(opt.Hosts, d.seed)
	}
	fmt.Fprintf(d.out, "%s\n\n", sim.Banner)
	fleet, err := sim.New(opt)
	if err != nil {
		return nil, sim.Files{}, err
	}
	if d.dir, err = os.MkdirTemp("", "gpuboot-demo-"); err != nil {
		fleet.Close()
		return nil, sim.Files{}, fmt.Errorf("making a folder for the demo: %w", err)
	}
	files, err := fleet.WriteFiles(sim.Setup{Dir: d.dir, Name: "demo", Size: 8 << 20})
	if err != nil {
		fleet.Close()
		return nil, sim.Files{}, err
	}
	fmt.Fprintf(d.out, "%d simulated hosts, %d of them servers.\n", d.hosts, servers)
	for _, f := range opt.Faults {
		fmt.Fprintf(d.out, "  %s is broken on purpose: %s\n", f.Host, f.Kind)
	}
	return fleet, files, nil
}

// gpubootRun runs the real gpuboot in this terminal, with a cache and a state
// folder of its own.
func (d *demo) gpubootRun(binary, command, inventory string) (int, error) {
	fmt.Fprintf(d.out, "\n$ gpuboot %s %s\n", command, inventory)
	cmd := exec.Command(binary, command, inventory)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, d.out, os.Stderr
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(d.dir, "cache"), "XDG_STATE_HOME="+filepath.Join(d.dir, "state"))
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, fmt.Errorf("running gpuboot: %w", err)
	}
	return cmd.ProcessState.ExitCode(), nil
}

// explain says what was seen and how to have it for real.
func (d *demo) explain(binary string, files sim.Files) {
	fmt.Fprintf(d.out, `
%s

  the inventory      %s
  the run log        %s

With hosts of your own, which only need to answer SSH, it is:

  %[4]s init > inventory.yaml     and put their addresses in
  %[4]s up inventory.yaml
`, sim.Banner, files.Inventory, filepath.Join(d.dir, "state", "gpuboot"), filepath.Base(binary))
	if d.keep {
		fmt.Fprintf(d.out, "\nMeanwhile, in another terminal:\n\n  XDG_CACHE_HOME=%s %s plan %s\n", filepath.Join(d.dir, "cache"), binary, files.Inventory)
	}
}
