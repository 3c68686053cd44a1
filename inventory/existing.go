package inventory

import (
	"net/url"
	"slices"
)

// existing checks the section of that name; it is nil when the file has none.
func (d *decoder) existing(s *existingSpec) *Existing {
	places := []at{s.Server.At, s.Token.At, s.Kubeconfig.At}
	places = slices.DeleteFunc(places, func(a at) bool { return a.pos.Line == 0 })
	if len(places) == 0 {
		return nil
	}
	if len(places) < 3 {
		d.report(places[0], "existing must have server, token and kubeconfig", "the token joins the hosts, the kubeconfig shows whether they did")
	}
	d.checkAt(s.Server.At, s.Server.Set, checkJoinURL(s.Server.V))
	return &Existing{Server: s.Server.V, Token: s.Token.V, Kubeconfig: d.filePath(s.Kubeconfig)}
}

func checkJoinURL(s string) error {
	if err := checkURL("server", s, "https"); err != nil {
		return err
	}
	u, err := url.Parse(s)
	if err != nil || u.Port() == "" || u.Path != "" {
		return refused("server "+quote(s)+" is not a join URL", "write it as https://host:6443")
	}
	return nil
}

// checkMembers holds the hosts of an inventory that joins a cluster to being
// workers.
func (d *decoder) checkMembers(hosts []placed) {
	if len(hosts) == 0 {
		d.report(d.root, "the inventory has no hosts", "list them under hosts, or under pools[].hosts")
	}
	for _, h := range hosts {
		if h.Role.IsServer() {
			d.report(h.at, "host "+quote(h.Name)+" cannot be "+string(h.Role)+": hosts join an existing cluster as workers", "use role: worker")
		}
	}
}
