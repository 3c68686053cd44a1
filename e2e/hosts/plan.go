package hosts

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// reserve makes a fleet's folder and record, with a name and a subnet that nothing on this machine uses. Under the lock, so
// that two test processes never choose the same.
func (l Local) reserve(ctx context.Context, image string, specs []Spec) (*record, error) {
	state, err := l.state()
	if err != nil {
		return nil, err
	}
	run := filepath.Join(state, "run")
	if err := os.MkdirAll(run, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, filepath.Join(state, "run.lock"), time.Minute)
	if err != nil {
		return nil, err
	}
	defer unlock()
	owner, err := identify(os.Getpid())
	if err != nil {
		return nil, err
	}
	r := &record{Owner: owner, Image: image}
	for n := 0; r.dir == "" || errors.Is(err, fs.ErrExist); n++ {
		r.ID = fmt.Sprintf("%d-%d", owner.PID, n)
		r.Link = fmt.Sprintf("gbe%sn%d", strconv.FormatInt(int64(owner.PID), 36), n) // links have 15 letters at most
		r.dir = filepath.Join(run, r.ID)
		err = os.Mkdir(r.dir, 0o755)
	}
	if err != nil {
		return nil, err
	}
	if err := r.plan(specs, run); err != nil {
		return nil, errors.Join(err, os.RemoveAll(r.dir))
	}
	return r, r.save()
}

// plan gives every host its addresses and ids.
func (r *record) plan(specs []Spec, run string) error {
	subnet, err := freeSubnet(run)
	if err != nil {
		return err
	}
	r.Networks = []network{{Name: "", Bridge: "net0", Prefix: subnet}}
	for i, s := range specs {
		id := make([]byte, 16)
		_, _ = rand.Read(id) // never fails
		h := hostRecord{Spec: s, MachineID: hex.EncodeToString(id)}
		for j, n := range append([]NIC{{Name: "eth0"}}, s.NICs...) {
			nic, err := r.nic(n, i, j)
			if err != nil {
				return err
			}
			h.NICs = append(h.NICs, nic)
		}
		r.Hosts = append(r.Hosts, h)
	}
	return nil
}

// nic plans link j of host i. The host part of all its addresses is the same, which makes failures easier to read.
func (r *record) nic(n NIC, i, j int) (nicRecord, error) {
	at := -1
	for k, known := range r.Networks {
		if known.Name == n.Network {
			at = k
		}
	}
	if at < 0 {
		at = len(r.Networks)
		a := r.Networks[0].Prefix.Addr().As4()
		if a[1] += byte(at); int(a[1]) != int(r.Networks[0].Prefix.Addr().As4()[1])+at {
			return nicRecord{}, errors.New("a fleet has too many networks")
		}
		// Only the fleet's own namespaces know this prefix, so it may be in use outside.
		p := netip.PrefixFrom(netip.AddrFrom4(a), 24)
		r.Networks = append(r.Networks, network{Name: n.Network, Bridge: fmt.Sprintf("net%d", at), Prefix: p})
	}
	addr := r.hostAddr(at, byte(11+i))
	b := addr.As4()
	mtu := n.MTU
	if mtu == 0 {
		mtu = 1500
	}
	return nicRecord{
		Name: n.Name, Network: n.Network, Bridge: r.Networks[at].Bridge, Port: fmt.Sprintf("h%dp%d", i, j),
		MAC:  fmt.Sprintf("02:00:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3]),
		Addr: netip.PrefixFrom(addr, 24), MTU: mtu,
	}, nil
}

// freeSubnet returns a /24 that no link of this machine and no other fleet below run uses.
func freeSubnet(run string) (netip.Prefix, error) {
	var used []netip.Prefix
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return netip.Prefix{}, err
	}
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			used = append(used, p.Masked())
		}
	}
	fleets, err := filepath.Glob(filepath.Join(run, "*"))
	if err != nil {
		return netip.Prefix{}, err
	}
	for _, dir := range fleets {
		if r, err := loadRecord(dir); err == nil && len(r.Networks) > 0 {
			used = append(used, r.Networks[0].Prefix)
		}
	}
	for _, second := range []byte{77, 177} {
		for third := range 256 {
			p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, second, byte(third), 0}), 24)
			if !slices.ContainsFunc(used, p.Overlaps) {
				return p, nil
			}
		}
	}
	return netip.Prefix{}, errors.New("no free subnet in 10.77.0.0/16 and 10.177.0.0/16")
}
