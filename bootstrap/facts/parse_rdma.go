package facts

import (
	"errors"
	"slices"
	"strings"
)

// readRDMA reads the probe's lines about RDMA devices, then grep -H over their
// ports' files in sysfs.
func readRDMA(f *Facts, s section) error {
	type device struct{ slot, netdev string }
	devices := map[string]device{}
	for _, line := range lines(s.body) {
		if rest, ok := strings.CutPrefix(line, "# dev "); ok {
			if w := strings.Fields(rest); len(w) == 3 {
				devices[w[0]] = device{dash(longSlot(w[1])), dash(w[2])}
			}
		}
	}
	f.RDMA = parseRDMASysfs(s.body)
	for i := range f.RDMA {
		p := &f.RDMA[i]
		d, known := devices[p.Device]
		p.Slot, p.Netdev = d.slot, d.netdev
		p.Software = p.Software || (known && d.slot == "")
	}
	if len(devices) > 0 && len(f.RDMA) == 0 {
		return errors.New("RDMA devices without ports: " + evidence(s.body))
	}
	return nil
}

// dash turns the probe's "-" for nothing into "".
func dash(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

// parseRDMASysfs reads lines such as
//
//	/sys/class/infiniband/mlx5_0/ports/1/rate:400 Gb/sec (4X NDR)
func parseRDMASysfs(text string) []RDMAPort {
	var ports []RDMAPort
	at := map[string]int{}
	for _, line := range lines(text) {
		path, value, ok := strings.Cut(line, ":")
		_, rest, found := strings.Cut(path, "/sys/class/infiniband/")
		w := strings.Split(rest, "/")
		if !ok || !found || len(w) != 4 || w[1] != "ports" {
			continue
		}
		n, ok := atoi(w[2])
		if !ok {
			continue
		}
		key := w[0] + "/" + w[2]
		i, seen := at[key]
		if !seen {
			i = len(ports)
			at[key] = i
			ports = append(ports, RDMAPort{Device: w[0], Port: n, Software: softRDMA(w[0])})
		}
		ports[i].set(w[3], strings.TrimSpace(value))
	}
	slices.SortStableFunc(ports, func(a, b RDMAPort) int { return strings.Compare(a.Device, b.Device) })
	return ports
}

// set stores a file's content: "4: ACTIVE", "5: LinkUp", "400 Gb/sec (4X NDR)".
func (p *RDMAPort) set(file, value string) {
	_, word, _ := strings.Cut(value, ": ")
	switch file {
	case "state":
		p.State = word
	case "phys_state":
		p.Phys = word
	case "rate":
		p.GbPerSec = rate(value)
	case "link_layer":
		p.LinkLayer = value
	}
}

// softRDMA goes by the names that rdma link add is shown with everywhere; where
// sysfs tells of a device, that decides too.
func softRDMA(name string) bool {
	return strings.HasPrefix(name, "rxe") || strings.HasPrefix(name, "siw")
}
