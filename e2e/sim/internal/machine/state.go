package machine

import (
	"net/netip"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/probe"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/shell"
)

// network is the simulated one that all hosts are on; client is where logins
// seem to come from.
var (
	gateway = netip.AddrFrom4([4]byte{10, 77, 255, 1})
	client  = netip.AddrFrom4([4]byte{10, 77, 255, 9})
)

// State is what the probe sees now.
func (m *Machine) State(root bool) probe.State {
	now := m.world.Now()
	s := probe.State{
		Hostname: m.Name, MachineID: m.hash("machine")[:32], BootID: m.hash("boot")[:32], ProductUUID: m.hash("product")[:32],
		CPUs: m.CPUs, MemoryKB: m.MemoryKB, Uptime: now.Sub(m.booted) + 100*3600e9, Now: now, Root: root,
		Address: m.Address, Gateway: gateway, Client: client,
		GPU: probe.Models(m.GPU), GPUs: m.GPUs, RDMA: m.RDMA, DiskKB: m.DiskKB, UsedKB: m.UsedKB + m.files.Used()>>10, Files: m.files,
	}
	s.Version, _ = m.version() // without an executable there is none
	for _, name := range []string{"k3s.service", "k3s-agent.service"} {
		u := m.unit(name)
		s.Units = append(s.Units, m.show(u))
		if u.running() {
			s.K3s = roleOf(name)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s.Traces = m.traces
	return s
}

func roleOf(unit string) string {
	if unit == "k3s-agent.service" {
		return "agent"
	}
	return "server"
}

func (m *Machine) show(u *unit) probe.Unit {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := probe.Unit{Name: u.name, Load: "not-found", Active: u.active, Sub: u.sub, PID: u.pid, Restarts: u.restarts}
	if m.files.Exists(unitPath(u.name)) {
		out.Load, out.Path, out.Enabled = "loaded", unitPath(u.name), "disabled"
		if m.files.Exists(wantsPath(u.name)) {
			out.Enabled = "enabled"
		}
	}
	return out
}

// stopScript does what gpuboot's stop script does on a real host: ends the unit
// with its pods, and takes away links, mounts and firewall rules.
func (m *Machine) stopScript(c *shell.Call) int {
	words := c.Args
	for len(words) > 0 && words[0] != "--" {
		words = words[1:]
	}
	if len(words) != 3 {
		return m.odd(c)
	}
	_ = m.files.Remove(wantsPath(words[1])) // it may be disabled already
	m.unit(words[1]).end()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.traces = false
	return 0
}
