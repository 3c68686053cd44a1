// Package providers is a dated table of companies that rent GPU machines: what
// they sell, who logs in, what their images bring, and the traps that are known.
// It is advice for people, shown by the wizard and by `gpuboot providers`; nothing
// in gpuboot decides by it, since what counts is what a host itself shows.
//
// The package contacts nobody and recommends nobody.
package providers

import (
	"slices"
	"strings"
)

// Kind is what a provider sells under one name.
type Kind string

// The kinds of products.
const (
	// Container shares the provider's kernel: no systemd of its own, so no k3s.
	Container Kind = "container"
	// VM has a kernel of its own.
	VM Kind = "vm"
	// BareMetal is a whole machine.
	BareMetal Kind = "bare metal"
	// Managed is a Kubernetes that the provider runs.
	Managed Kind = "managed kubernetes"
)

// Fit says whether gpuboot can make a cluster of what a provider sells.
type Fit string

// The fits.
const (
	// Fits: the usual product can run k3s.
	Fits Fit = "yes"
	// Partly: some products can, and Why says which.
	Partly Fit = "some products"
	// Unfit: it cannot, and Why says the reason.
	Unfit Fit = "no"
)

// Provider is one row. Empty fields mean that nothing is known.
type Provider struct {
	// ID is the stable name for filters and files: lower case, no spaces.
	ID   string
	Name string
	// Kinds are what is sold under this name.
	Kinds []Kind
	Fit   Fit
	// Why explains a Fit that is not Fits, in one sentence for the renter.
	Why string
	// Logins are the user names of its images, the usual one first.
	Logins []string
	// Driver says what its images bring of the GPU driver.
	Driver string
	// Traps are what renters ran into, one a sentence.
	Traps []string
	// Unverified are the statements above that nobody could check.
	Unverified []string
	// Source is where this was read, and Read the day, as YYYY-MM-DD.
	Source, Read string
}

// Login is the user name to try first, "" if none is known.
func (p Provider) Login() string {
	if len(p.Logins) == 0 {
		return ""
	}
	return p.Logins[0]
}

// All gives every row, by ID.
func All() []Provider {
	all := slices.Concat(containers(), machines(), moreMachines(), clouds())
	slices.SortFunc(all, func(a, b Provider) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Find gives the rows of which a field has every word of the query; case does not
// matter, and an empty query gives all. "container", "root" and "nebius" are
// queries.
func Find(query string) []Provider {
	words := strings.Fields(strings.ToLower(query))
	return slices.DeleteFunc(All(), func(p Provider) bool {
		text := p.text()
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

func (p Provider) text() string {
	parts := slices.Concat([]string{p.ID, p.Name, string(p.Fit), p.Why, p.Driver}, p.Logins, p.Traps, p.Unverified)
	for _, k := range p.Kinds {
		parts = append(parts, string(k))
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

// ByID finds one row.
func ByID(id string) (Provider, bool) {
	all := All()
	i := slices.IndexFunc(all, func(p Provider) bool { return p.ID == id })
	if i < 0 {
		return Provider{}, false
	}
	return all[i], true
}

// SharedTraps are those of renting in general, whoever the provider is.
func SharedTraps() []string {
	return []string{
		"The public address is often not on the network card (1:1 NAT): nodes need their private addresses, and the API's certificate the public one.",
		"Several machines may call themselves \"ubuntu\" or \"localhost\": give each host a name in the inventory.",
		"Security groups are often closed between machines of one project; k3s needs TCP 6443 and 10250, and UDP 8472 (vxlan) or 51820 (wireguard), among them.",
		"The MTU may be 1450 or 1400 inside a VM.",
		"Root disks of 20 to 50 GB fill up with GPU images.",
		"Addresses may change when a machine is stopped and started.",
		"Some networks have IPv6 only, and some clocks are wrong.",
		"Right after the start, cloud-init and unattended upgrades still run and hold the package lock.",
	}
}
