package bootstrap

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// joinURL is the address that other hosts join a server through.
func joinURL(endpoint string, nodeIP netip.Addr) string {
	if endpoint != "" {
		return "https://" + withPort(endpoint)
	}
	return fmt.Sprintf("https://%s", net.JoinHostPort(nodeIP.String(), strconv.Itoa(apiPort)))
}

// withPort adds k3s's API port where an endpoint names none.
func withPort(endpoint string) string {
	if _, _, err := net.SplitHostPort(endpoint); err == nil {
		return endpoint
	}
	return net.JoinHostPort(strings.Trim(endpoint, "[]"), strconv.Itoa(apiPort))
}

// hostOf is the host part of "host", "host:port" or "[v6]:port".
func hostOf(endpoint string) string {
	if endpoint == "" {
		return ""
	}
	if host, _, err := net.SplitHostPort(endpoint); err == nil {
		return host
	}
	return strings.Trim(endpoint, "[]")
}

// hostPort is the dial address of a join URL.
func hostPort(url string) string { return strings.TrimPrefix(url, "https://") }
