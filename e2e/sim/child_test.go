package sim_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim"
)

// The benchmarks measure gpuboot alone: the fleet then lives in a process of its
// own, which is this test binary again.

// childKey in the environment makes the binary a fleet.
const childKey = "GPUBOOT_SIM_FLEET"

// childOptions are what a fleet in a process of its own is made of.
type childOptions struct {
	Hosts, Servers  int
	Jump            bool
	Latency, Jitter time.Duration
	Speed           float64
	Dir             string
	Size            int // of the executable
}

// order is what the child is told, one a line: count, or write the inventory
// with a label.
type order struct {
	Count bool
	Label string
}

// answer is what it says: after an order, and once when the fleet runs.
type answer struct {
	Counts    sim.Counts
	Inventory string
	Problems  []string
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childKey); text != "" {
		if err := beFleet(text, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beFleet serves a fleet until stdin ends.
func beFleet(text string, in io.Reader, out io.Writer) error {
	var o childOptions
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	hosts := sim.GPUHosts(o.Hosts, o.Servers)
	setup := sim.Setup{Dir: o.Dir, Name: "lab", Size: o.Size}
	if o.Jump {
		hosts = append(hosts, sim.Host{Name: "jump", Role: "worker"})
		setup.Jump = "jump"
	}
	fleet, err := sim.New(sim.Options{Hosts: hosts, Latency: o.Latency, Jitter: o.Jitter, Speed: o.Speed})
	if err != nil {
		return err
	}
	defer fleet.Close()
	say, lines := json.NewEncoder(out), bufio.NewScanner(in)
	for begun := false; !begun || lines.Scan(); begun = true {
		var told order
		if begun {
			if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
				return err
			}
		}
		if !told.Count {
			setup.Labels = nil
			if told.Label != "" {
				setup.Labels = map[string]string{"bench": told.Label}
			}
			if _, err := fleet.WriteFiles(setup); err != nil {
				return err
			}
		}
		files := answer{Counts: fleet.CountAll(), Inventory: o.Dir + "/inventory.yaml", Problems: fleet.Problems()}
		if err := say.Encode(files); err != nil {
			return err
		}
	}
	return nil
}

// child is a fleet in a process of its own, as this process sees it.
type child struct {
	tb  testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
	answer
}

func startChild(tb testing.TB, o childOptions) *child {
	tb.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		tb.Fatal(err)
	}
	c := &child{tb: tb, cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childKey+"="+string(text))
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	c.out = json.NewDecoder(out)
	c.hear()
	return c
}

func (c *child) hear() {
	c.tb.Helper()
	c.answer = answer{}
	if err := c.out.Decode(&c.answer); err != nil {
		c.tb.Fatalf("the fleet's process: %v", err)
	}
	for _, p := range c.Problems {
		c.tb.Errorf("problem: %s", p)
	}
}

func (c *child) tell(o order) answer {
	c.tb.Helper()
	if err := json.NewEncoder(c.in).Encode(o); err != nil {
		c.tb.Fatal(err)
	}
	c.hear()
	return c.answer
}

func (c *child) stop() {
	_ = c.in.Close()
	_ = c.cmd.Wait() // its end is all that matters
}
