package app

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/remote/sshconfig"
	"github.com/gpuboot/gpuboot/tui"
)

// promise is what an inventory may promise of a host's GPUs, "" without any. The
// product is named only where the driver names it: before that its name is a
// guess from a table of PCI ids.
func promise(f *facts.Facts) (string, int) {
	count := 0
	for _, d := range f.GPUs {
		if !d.VF {
			count++
		}
	}
	if count == 0 {
		return "", 0
	}
	var names []string
	for _, g := range f.NVIDIA.GPUs {
		names = append(names, strings.TrimPrefix(g.Name, "NVIDIA "))
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) != 1 || names[0] == "" || len(f.NVIDIA.GPUs) != count {
		return fmt.Sprint(count), count
	}
	return fmt.Sprintf("%dx %s", count, names[0]), count
}

// sshHosts are the aliases of the user's ssh_config without wildcards; files that
// it includes are not searched. It is an offer, so a file that cannot be read
// offers nothing.
func sshHosts() []tui.SSHHost {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(home, ".ssh", "config"))
	if err != nil {
		return nil
	}
	var out []tui.SSHHost
	for _, alias := range sshAliases(text) {
		c, err := sshconfig.Resolve(alias, sshconfig.Options{})
		if err == nil {
			out = append(out, tui.SSHHost{Alias: alias, Address: c.HostName, User: c.User})
		}
	}
	return out
}

func sshAliases(text []byte) []string {
	var out []string
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		words := strings.Fields(strings.Replace(lines.Text(), "=", " ", 1))
		if len(words) < 2 || !strings.EqualFold(words[0], "host") {
			continue
		}
		for _, w := range words[1:] {
			if !strings.ContainsAny(w, `*?!"#`) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}
