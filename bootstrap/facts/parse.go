package facts

import (
	"fmt"
	"strings"
)

// Parse reads what the probe printed. Text before and after its answer does not
// matter. A section that is missing or cannot be read leaves an entry in
// Facts.Unknown and the rest of the facts intact; the errors are [ErrNoProbe]
// and [ErrTruncated].
func Parse(out []byte) (*Facts, error) {
	fr, err := split(out)
	if err != nil {
		return nil, fmt.Errorf("reading the probe's output: %w", err)
	}
	f := &Facts{
		User:    -1,
		Files:   map[string]FileFact{},
		Units:   map[string]Unit{},
		Unknown: map[string]string{},
		Raw:     map[string]string{},
	}
	f.Clock = newClock(fr.start, fr.end)
	for _, p := range parsers() {
		f.read(p, fr.sections)
	}
	f.derive()
	return f, nil
}

// parser reads one section into the facts.
type parser struct {
	name string
	// optional says that the probe leaves the section out where it makes no
	// sense, such as nvidia-smi's without a driver.
	optional bool
	// fails says that the parser itself judges a status other than 0.
	fails bool
	read  func(f *Facts, s section) error
}

// parsers lists every section once, in an order in which later ones may look at
// what earlier ones found.
func parsers() []parser {
	return []parser{
		{name: "self", read: readSelf},
		{name: "host", read: readHost},
		{name: "os", read: readOS},
		{name: "dgx", optional: true, read: readDGX},
		{name: "systemd", read: readSystemd, fails: true},
		{name: "units", optional: true, read: readUnits},
		{name: "cgroup", read: readCgroup},
		{name: "virt", read: readVirt},
		{name: "memory", read: readMemory},
		{name: "swaps", read: readSwaps},
		{name: "clock", read: readSync, fails: true},
		{name: "mounts", read: readMounts},
		{name: "df", read: readFileSystems},
		{name: "disks", read: readDisks},
		{name: "pci", read: readPCI},
		{name: "pcinames", optional: true, fails: true, read: readPCINames},
		{name: "nvidia", read: readNVIDIA},
		{name: "smi", optional: true, fails: true, read: readSMI},
		{name: "fabric", optional: true, fails: true, read: readFabric},
		{name: "remap", optional: true, fails: true, read: readRemap},
		{name: "klog", optional: true, read: readKernlog},
		{name: "modules", read: readModules},
		{name: "modfiles", read: readModuleFiles},
		{name: "addr", read: readAddrs},
		{name: "linkkinds", fails: true, read: readLinkKinds},
		{name: "net", read: readNet},
		{name: "route4", read: readRoutes},
		{name: "route6", fails: true, read: readRoutes},
		{name: "resolv", read: readResolvers},
		{name: "hosts", read: readOwnName},
		{name: "files", read: readFiles},
		{name: "k3sconfig", read: readK3sConfig},
		{name: "k3sversion", read: readK3sVersion},
		{name: "journal", optional: true, read: readJournal},
		{name: "dirs", read: readDirs},
		{name: "procs", read: readProcesses},
		{name: "locks", read: readLocks},
		{name: "reboot", read: readReboot},
		{name: "ports", read: readListeners},
		{name: "rdma", read: readRDMA},
		{name: "security", read: readSecurity},
		{name: "limits", read: readLimits},
		{name: "iptables", fails: true, read: readIPTables},
		{name: "firewall", read: readFirewall},
		{name: "proxy", read: readProxy},
	}
}

func (f *Facts) read(p parser, sections map[string]section) {
	s, ok := sections[p.name]
	switch {
	case !ok && p.optional:
		return
	case !ok:
		f.unknown(p.name, notAsked)
		return
	}
	f.Raw[p.name] = s.body
	switch {
	case s.status == "skipped":
		f.unknown(p.name, "the host was too slow: the probe skipped it to stay within its time")
		return
	case s.status == "":
		f.unknown(p.name, "cut off: "+evidence(s.body))
		return
	case s.status != "0" && !p.fails:
		f.unknown(p.name, "status "+s.status+": "+evidence(s.body))
		return
	}
	if err := p.read(f, s); err != nil {
		f.unknown(p.name, err.Error())
	}
}

func (f *Facts) unknown(name, why string) { f.Unknown[name] = why }

// evidence is the end of a text, short enough for one line of a report.
func evidence(s string) string {
	s = strings.Join(strings.Fields(tail(s, 300)), " ")
	if s == "" {
		return "no output"
	}
	return s
}

// derive fills what follows from several sections.
func (f *Facts) derive() {
	f.deriveContainer()
	f.deriveSMI()
	f.deriveGPUs()
	f.deriveK3s()
	f.deriveModules()
	f.deriveFirewalls()
}

// notAsked stands for a section that an answer does not have at all, as that of
// another gpuboot's probe.
const notAsked = "the section is missing"
