package sim

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/link"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/machine"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/sshd"
)

// Fleet is a number of simulated hosts that run.
type Fleet struct {
	opt    Options
	world  *machine.World
	hosts  []*host
	byName map[string]*host
	key    ed25519.PrivateKey // of the client
}

// host is one of them.
type host struct {
	Host
	fleet   *Fleet
	machine *machine.Machine
	server  *sshd.Server
	ip      string // of the SSH server
	hostKey ssh.Signer

	mu    sync.Mutex
	ssh   sshd.Trouble
	slow  float64
	cutAt string
	cuts  int
}

// New starts a fleet. Close ends it.
func New(opt Options) (*Fleet, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Speed == 0 {
		opt.Speed = 1
	}
	if opt.User == "" {
		opt.User = "root"
	}
	f := &Fleet{opt: opt, world: machine.NewWorld(opt.Speed, opt.Now), byName: map[string]*host{}, key: keyOf(opt.Seed, "client")}
	for i, h := range opt.Hosts {
		if err := f.add(i, h); err != nil {
			f.Close()
			return nil, err
		}
	}
	for _, fault := range opt.Faults {
		f.Inject(fault)
	}
	return f, nil
}

// keyOf makes a key that is the same for the same seed. It guards nothing.
func keyOf(seed uint64, name string) ed25519.PrivateKey {
	h := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), name...))
	return ed25519.NewKeyFromSeed(h[:])
}

// Add adds a host to a running fleet.
func (f *Fleet) Add(h Host) error { return f.add(len(f.hosts), h) }

func (f *Fleet) add(i int, spec Host) error {
	if f.byName[spec.Name] != nil {
		return fmt.Errorf("simulated host %s: the name is taken", spec.Name)
	}
	h := &host{Host: spec, fleet: f, ip: loopback(i)}
	var err error
	h.machine, err = f.world.Add(machine.Spec{
		Name: spec.Name, Address: netip.PrefixFrom(nodeIP(i), 16), Loopback: h.ip, GPU: spec.GPU, GPUs: spec.GPUs, RDMA: spec.RDMA,
		CPUs: 64, MemoryKB: 512 << 20, DiskKB: orElse(spec.DiskGB, 1000) << 20, UsedKB: spec.UsedGB << 20, Seed: f.opt.Seed,
	})
	if err != nil {
		return err
	}
	if h.hostKey, err = ssh.NewSignerFromKey(keyOf(f.opt.Seed, "host "+spec.Name)); err != nil {
		return fmt.Errorf("simulated host %s: %w", spec.Name, err)
	}
	login, err := ssh.NewPublicKey(f.key.Public())
	if err != nil {
		return fmt.Errorf("simulated host %s: %w", spec.Name, err)
	}
	h.server = sshd.New(sshd.Config{User: f.opt.User, Key: login, HostKey: h.hostKey, Machine: h.machine,
		Line: h.line, Seed: f.opt.Seed + uint64(i)<<32, Trouble: h.trouble, Watch: h.watch})
	if err := h.server.Listen(h.ip); err != nil {
		return fmt.Errorf("simulated host %s: %w", spec.Name, err)
	}
	f.world.AllowSSH(h.server.Addr())
	f.hosts, f.byName[spec.Name] = append(f.hosts, h), h
	return nil
}

func orElse(n, def int64) int64 {
	if n == 0 {
		return def
	}
	return n
}

// loopback is the address of the i-th host's servers. Where the system has only
// 127.0.0.1, as macOS does, they share it.
func loopback(i int) string {
	ip := fmt.Sprintf("127.77.%d.%d", i/250, i%250+1)
	ln, err := net.Listen("tcp", ip+":0")
	if err != nil {
		return "127.0.0.1"
	}
	_ = ln.Close() // it was only to see
	return ip
}

// nodeIP is the i-th host's address on the simulated network.
func nodeIP(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, 77, byte(i / 250), byte(i%250 + 1)})
}

// Close ends the fleet and everything on it.
func (f *Fleet) Close() {
	for _, h := range f.hosts {
		h.server.Stop()
		h.server.Cut()
	}
	f.world.Close()
	for _, h := range f.hosts {
		h.server.Close()
	}
}

// line is what the host's next connection is like.
func (h *host) line() link.Shape {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.fleet.opt
	s := link.Shape{Latency: o.Latency, Jitter: o.Jitter, Bandwidth: o.Bandwidth}
	if h.slow > 0 {
		s.Latency = time.Duration(float64(s.Latency) * h.slow)
		s.Bandwidth = int64(float64(s.Bandwidth) / h.slow)
	}
	return s
}

func (h *host) trouble() sshd.Trouble {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ssh
}

// watch tells the fleet's owner of an operation, and cuts the link where a
// fault says so.
func (h *host) watch(o sshd.Op) {
	op := Op{Host: h.Name, Kind: o.Kind, What: o.What, Done: o.Done}
	if h.cutsAt(op) {
		h.server.Cut()
	}
	if h.fleet.opt.Watch != nil {
		h.fleet.opt.Watch(op)
	}
}

func (h *host) cutsAt(op Op) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cuts == 0 || op.Done || !strings.Contains(op.Kind+" "+op.What, h.cutAt) {
		return false
	}
	h.cuts--
	return true
}

// address is host and port of the SSH server.
func (h *host) address() (string, int) {
	ip, port, err := net.SplitHostPort(h.server.Addr())
	if err != nil {
		return h.server.Addr(), 0
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return ip, 0
	}
	return ip, n
}
