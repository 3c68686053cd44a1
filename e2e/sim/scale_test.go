package sim_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/inventory"
)

// BenchmarkScale is gpuboot on fleets of 1 to 1,000 hosts, 50 ms away with 10 ms
// of jitter: the first run, one that finds nothing to do, one in which a label
// of every host changed. k3s starts as fast as observed in reality, unless
// GPUBOOT_SIM_SPEED says otherwise; GPUBOOT_SIM_PARALLEL is gpuboot's width. The
// executable has 1 MiB.
//
// What is measured is gpuboot's own process: wall clock, CPU seconds, the peak
// of its resident memory; and, as the hosts count it, per host: connections, SSH
// commands and file operations, KiB on the wire both ways.
func BenchmarkScale(b *testing.B) {
	for _, hosts := range []int{1, 10, 100, 1000} {
		scale(b, fmt.Sprintf("hosts=%d", hosts), childOptions{Hosts: hosts, Servers: 1})
	}
}

// BenchmarkScaleServers has a control plane of three.
func BenchmarkScaleServers(b *testing.B) {
	for _, hosts := range []int{3, 200} {
		scale(b, fmt.Sprintf("hosts=%d", hosts), childOptions{Hosts: hosts, Servers: 3})
	}
}

// BenchmarkScaleJump reaches the hosts through one jump host, whose sshd allows
// ten sessions on a connection.
func BenchmarkScaleJump(b *testing.B) {
	for _, hosts := range []int{1, 100, 500} {
		scale(b, fmt.Sprintf("hosts=%d", hosts), childOptions{Hosts: hosts, Servers: 1, Jump: true})
	}
}

func scale(b *testing.B, name string, o childOptions) {
	o.Latency, o.Jitter, o.Size, o.Speed = 50*time.Millisecond, 10*time.Millisecond, 1<<20, 1
	if v, err := strconv.ParseFloat(os.Getenv("GPUBOOT_SIM_SPEED"), 64); err == nil {
		o.Speed = v
	}
	var c *child
	whole := b // its folders stay until all three are done
	fresh := func(b *testing.B) {
		if c != nil {
			c.stop()
		}
		o.Dir = whole.TempDir()
		c = startChild(b, o)
	}
	b.Run(name+"/fresh", func(b *testing.B) {
		measure(b, o, &c, fresh)
	})
	if c == nil { // the first was filtered out
		return
	}
	defer func() { c.stop() }()
	b.Run(name+"/no-op", func(b *testing.B) {
		measure(b, o, &c, func(*testing.B) {})
	})
	n := 0
	b.Run(name+"/label", func(b *testing.B) {
		measure(b, o, &c, func(b *testing.B) {
			c.tb = b
			n++
			c.tell(order{Label: fmt.Sprintf("v%d", n)})
		})
	})
}

// measure runs `up` and reports what it took.
func measure(b *testing.B, o childOptions, c **child, prepare func(*testing.B)) {
	var wall, cpu time.Duration
	var peak, conns, execs, kib float64
	for range b.N {
		b.StopTimer()
		prepare(b)
		(*c).tb = b
		before := (*c).tell(order{Count: true}).Counts
		inv, err := inventory.Load((*c).Inventory)
		if err != nil {
			b.Fatal(err)
		}
		boot := newGpuboot(filepath.Dir((*c).Inventory), nil)
		if n, err := strconv.Atoi(os.Getenv("GPUBOOT_SIM_PARALLEL")); err == nil {
			boot.Parallel = n
		}
		resetPeak()
		b.StartTimer()
		began, used := time.Now(), cpuTime()
		if _, err := boot.Up(context.Background(), bootstrap.Request{Inventory: inv}); err != nil {
			b.Fatal(err)
		}
		wall, cpu = wall+time.Since(began), cpu+cpuTime()-used
		b.StopTimer()
		peak = max(peak, peakMiB())
		d := (*c).tell(order{Count: true}).Counts.Minus(before)
		n := float64(o.Hosts)
		conns, execs, kib = conns+float64(d.Connections)/n, execs+float64(d.Execs)/n, kib+float64(d.BytesUp+d.BytesDown)/1024/n
	}
	runs := float64(b.N)
	b.ReportMetric(0, "ns/op") // seconds are enough
	b.ReportMetric(wall.Seconds()/runs, "wall-s")
	b.ReportMetric(cpu.Seconds()/runs, "cpu-s")
	b.ReportMetric(peak, "peak-MiB")
	b.ReportMetric(conns/runs, "conns/host")
	b.ReportMetric(execs/runs, "cmds/host")
	b.ReportMetric(kib/runs, "KiB/host")
}

// cpuTime is what this process has used so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resetPeak begins a new peak of resident memory, where Linux allows it.
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // see proc(5); elsewhere the peak is that of the process
}

// peakMiB is the most resident memory since resetPeak.
func peakMiB() float64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys) / (1 << 20)
	}
	_, rest, _ := bytes.Cut(data, []byte("VmHWM:"))
	kb, err := strconv.ParseFloat(string(bytes.TrimSpace(rest[:bytes.Index(rest, []byte("kB"))])), 64)
	if err != nil {
		return 0
	}
	return kb / 1024
}
