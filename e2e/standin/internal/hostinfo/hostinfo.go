// Package hostinfo answers what a host is called, which address it has, and which cgroup controllers it offers.
package hostinfo

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Name gives the node's name: the one asked for, or the host's, in lower case; with an id from the file behind it if wanted.
func Name(asked string, idFile string, newID func() string) (string, error) {
	name := asked
	if name == "" {
		host, err := os.Hostname()
		if err != nil {
			return "", fmt.Errorf("reading the host's name: %w", err)
		}
		name = host
	}
	name = strings.ToLower(name)
	if idFile == "" {
		return name, nil
	}
	id, err := os.ReadFile(idFile)
	if errors.Is(err, os.ErrNotExist) {
		id = []byte(newID() + "\n")
		err = os.WriteFile(idFile, id, 0o644)
	}
	return name + "-" + strings.TrimSpace(string(id)), err
}

// IPs parses the addresses asked for; without any it takes that of the interface with the default route.
func IPs(asked []string) ([]net.IP, error) {
	var ips []net.IP
	for _, s := range asked {
		ip := net.ParseIP(strings.TrimSpace(s))
		if ip == nil {
			return nil, fmt.Errorf("invalid node-ip: %q", s)
		}
		ips = append(ips, ip)
	}
	if len(ips) > 0 {
		return ips, nil
	}
	ip, err := utilnet.ChooseHostInterface()
	if err != nil {
		return nil, fmt.Errorf("choosing the node's address: %w", err)
	}
	return []net.IP{ip}, nil
}

// Errors of CheckCgroups; the texts are k3s's.
var (
	ErrNoMemoryV1 = errors.New("failed to find memory cgroup")
	ErrNoMemoryV2 = errors.New("failed to find memory cgroup (v2)")
)

// Cgroups is what the host offers.
type Cgroups struct {
	V2     bool
	CPUSet bool
}

// CheckCgroups fails when memory cannot be limited. root is /sys/fs/cgroup.
func CheckCgroups(root string) (Cgroups, error) {
	if data, err := os.ReadFile(root + "/cgroup.controllers"); err == nil {
		all := strings.Fields(string(data))
		if !slices.Contains(all, "memory") {
			return Cgroups{V2: true}, ErrNoMemoryV2
		}
		return Cgroups{V2: true, CPUSet: slices.Contains(all, "cpuset")}, nil
	}
	mounted := func(controller string) bool {
		_, err := os.Stat(root + "/" + controller + "/cgroup.procs")
		return err == nil
	}
	if !mounted("memory") {
		return Cgroups{}, ErrNoMemoryV1
	}
	return Cgroups{CPUSet: mounted("cpuset")}, nil
}
