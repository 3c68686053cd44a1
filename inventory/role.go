package inventory

import "strings"

// Role says what a host does in the cluster.
type Role string

// The roles of a host.
const (
	// RoleServer runs the control plane and, by a taint, nothing else.
	RoleServer Role = "server"
	// RoleWorker runs work and no control plane: a k3s agent.
	RoleWorker Role = "worker"
	// RoleBoth is a server that also runs work.
	RoleBoth Role = "both"
)

// roles in the order in which messages and the schema list them.
func roles() []string {
	return []string{string(RoleServer), string(RoleWorker), string(RoleBoth)}
}

// roleSynonyms maps what other tools call a role to our word for it.
func roleSynonyms() map[string]Role {
	return map[string]Role{
		"master": RoleServer, "control-plane": RoleServer, "controlplane": RoleServer, "controller": RoleServer,
		"agent": RoleWorker, "node": RoleWorker, "compute": RoleWorker,
		"all": RoleBoth, "single": RoleBoth, "server+worker": RoleBoth, "controller+worker": RoleBoth,
	}
}

// IsServer reports whether hosts of this role run the control plane.
func (r Role) IsServer() bool { return r == RoleServer || r == RoleBoth }

// UnmarshalText accepts server, worker and both.
func (r *Role) UnmarshalText(text []byte) error {
	s := string(text)
	switch Role(s) {
	case RoleServer, RoleWorker, RoleBoth:
		*r = Role(s)
		return nil
	}
	meant, ok := roleSynonyms()[strings.ToLower(s)]
	hint := didYouMean(string(meant))
	if !ok {
		hint = suggest(s, roles())
	}
	return refused("role "+quote(s)+" is unknown, allowed are "+join(roles()), hint)
}
