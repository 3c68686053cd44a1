// Package control holds the settings of a cluster that its servers have to share and that agents ask for.
package control

import (
	"net"
	"reflect"
)

// Critical are the settings that have to be equal on all servers. The names of the fields are k3s's, because its warning
// about a difference prints them.
type Critical struct {
	ClusterDNSs           []string
	ClusterIPRanges       []string
	ClusterDomain         string
	DisableCCM            bool
	DisableHelmController bool
	DisableNPC            bool
	DisableServiceLB      bool
	EncryptSecrets        bool
	EmbeddedRegistry      bool
	FlannelBackend        string
	FlannelIPv6Masq       bool
	FlannelExternalIP     bool
	EgressSelectorMode    string
	ServiceIPRanges       []string
}

// Mismatch names the fields that differ, in the order of the struct.
func (c Critical) Mismatch(other Critical) []string {
	var names []string
	a, b := reflect.ValueOf(c), reflect.ValueOf(other)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			names = append(names, a.Type().Field(i).Name)
		}
	}
	return names
}

// Config is what a server tells its agents (/v1-k3s/config). The JSON is the stand-in's own, not k3s's.
type Config struct {
	Critical
	HTTPSPort             int
	DisableKubeProxy      bool
	ServiceNodePortRange  string
	SystemDefaultRegistry string
}

// ServiceIP is the first address of a range of service addresses: the API server's own service has it.
func ServiceIP(cidr string) (net.IP, error) {
	_, n, err := net.ParseCIDR(cidr)
	if err != nil {
		return nil, err
	}
	return offset(n.IP, 1), nil
}

// DNSIP is the address that k3s gives to cluster DNS when none is said: the tenth of the range.
func DNSIP(cidr string) (net.IP, error) {
	_, n, err := net.ParseCIDR(cidr)
	if err != nil {
		return nil, err
	}
	return offset(n.IP, 10), nil
}

func offset(base net.IP, by byte) net.IP {
	ip := append(net.IP(nil), base...)
	ip[len(ip)-1] += by
	return ip
}
