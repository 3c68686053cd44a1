package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/sim"
	"github.com/gpuboot/gpuboot/inventory"
)

// standInKey makes this binary a gpuboot that reads the inventory, says what it
// was told, and ends with the key's value.
const standInKey = "GPUBOOT_DEMO_TEST"

func TestMain(m *testing.M) {
	if code := os.Getenv(standInKey); code != "" {
		inv, err := inventory.Load(os.Args[2])
		if err != nil {
			fmt.Println(err)
			os.Exit(99)
		}
		fmt.Printf("told %s of %d hosts\n", os.Args[1], len(inv.Hosts))
		os.Exit(envInt(standInKey, 98))
	}
	os.Exit(m.Run())
}

func TestTheDemoRunsGpubootAndSaysThatAllIsSimulated(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct {
		faults     bool
		code, want int
	}{{false, 0, 0}, {false, 3, 3}, {true, 1, 0}} {
		t.Setenv(standInKey, fmt.Sprint(c.code))
		var out bytes.Buffer
		d := demo{gpuboot: os.Args[0], hosts: 12, faults: c.faults, seed: 1, speed: 100, out: &out}
		code, err := d.run()
		if err != nil || code != c.want {
			t.Errorf("faults %v: exit %d, %v, want %d", c.faults, code, err, c.want)
		}
		for _, part := range []string{"told up of 12 hosts", "told status of 12 hosts", "12 simulated hosts, 3 of them servers", d.dir} {
			if !strings.Contains(out.String(), part) {
				t.Errorf("no %q in\n%s", part, &out)
			}
		}
		if n := strings.Count(out.String(), sim.Banner); n != 2 {
			t.Errorf("the banner stands %d times, want first and last", n)
		}
		if broken := strings.Contains(out.String(), "is broken on purpose"); broken != c.faults {
			t.Errorf("faults %v, and the output:\n%s", c.faults, &out)
		}
	}
}

func TestTheDemoRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	for _, d := range []demo{{gpuboot: os.Args[0], hosts: 0}, {gpuboot: "/nowhere/gpuboot", hosts: 3}} {
		if _, err := d.run(); err == nil {
			t.Errorf("%+v: no error", d)
		}
	}
}
