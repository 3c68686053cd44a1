package inventory

import (
	"slices"
	"strings"
)

// FlagKind is the type of a k3s flag's value.
type FlagKind string

// The kinds of k3s flags.
const (
	FlagString   FlagKind = "string"
	FlagBool     FlagKind = "bool"
	FlagInt      FlagKind = "int"
	FlagDuration FlagKind = "duration" // text such as 5m0s
	FlagList     FlagKind = "list"     // a list of strings; one string is a list of one
)

// K3sFlag is a flag of k3s server or k3s agent, which is also a key of its
// config.yaml.
type K3sFlag struct {
	Name string
	Kind FlagKind
	// Server and Agent say which of the two commands knows the flag. It matters: a
	// key that only the server knows keeps an agent from starting ("flag provided
	// but not defined").
	Server, Agent bool
	// Owned says, for a flag that an inventory may not set, what to do instead.
	Owned string
	// Secret flags are given by reference, see Secret.
	Secret bool
	// Critical flags must have one value on all servers; k3s refuses to join a
	// server with another ("critical configuration value mismatch").
	Critical bool
}

// K3sFlags lists what k3s server and k3s agent accept, sorted by name.
//
// Sources, read 2026-12-01: the command line help on docs.k3s.io/cli/server and
// docs.k3s.io/cli/agent for names and commands; pkg/cli/cmds/server.go and
// agent.go in github.com/k3s-io/k3s (1.30 line) for kinds and hidden flags;
// for flags that came later, the list of k3s flags in pkg/cli/cmds/server.go of
// github.com/rancher/rke2 and k3s#14300 (helm-controller-arg, in 1.36.3 and its
// siblings). The critical ones are CriticalControlArgs in k3s's
// pkg/daemons/config/types.go, which is also the source of
// flannel-ip-masq-disable-random-fully. An older k3s may not know all of them.
func K3sFlags() []K3sFlag {
	flags := slices.Concat(clusterFlags(), networkFlags(), storeFlags(), componentFlags(), nodeFlags(), runtimeFlags())
	slices.SortFunc(flags, func(a, b K3sFlag) int { return strings.Compare(a.Name, b.Name) })
	return flags
}

// flagBuilder collects rows; the letters of where are s for server, a for agent,
// c for critical and x for secret.
type flagBuilder []K3sFlag

func (b *flagBuilder) add(where string, kind FlagKind, names ...string) {
	for _, name := range names {
		*b = append(*b, K3sFlag{
			Name: name, Kind: kind,
			Server: strings.Contains(where, "s"), Agent: strings.Contains(where, "a"),
			Critical: strings.Contains(where, "c"), Secret: strings.Contains(where, "x"),
		})
	}
}

// own adds flags that gpuboot keeps for itself, with what to use instead.
func (b *flagBuilder) own(where string, kind FlagKind, instead string, names ...string) {
	from := len(*b)
	b.add(where, kind, names...)
	for i := range (*b)[from:] {
		(*b)[from+i].Owned = instead
	}
}
