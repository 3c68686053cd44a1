package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gpuboot/gpuboot/inventory"
)

// inventoryText writes the inventory of a draft: with a comment for every choice
// and its reason, in the order of the inventory's own example. The same draft, hosts
// and choices give the same text.
func inventoryText(d draft, f hostSet, choices []Choice, day time.Time) []byte {
	w := &yamlText{}
	w.comment(0, "Made by gpuboot's wizard on "+day.Format(time.DateOnly)+". Yours to edit: gpuboot validate checks it, gpuboot plan shows what it would do, gpuboot schema lists all keys.")
	w.line(0, "name: "+scalar(d.Name))
	for _, section := range []string{"k3s", "network", "defaults"} {
		w.section(section, d, choices)
	}
	w.pools(d, f, choices)
	return []byte(w.String())
}

// yamlText collects lines.
type yamlText struct{ strings.Builder }

func (w *yamlText) line(indent int, s string) {
	w.WriteString(spaces(indent) + s + "\n")
}

func (w *yamlText) comment(indent int, s string) {
	for _, l := range wrap(s, 78-indent, "# ", "# ") {
		w.line(indent, l)
	}
}

// section writes a top-level map of settings. Where everything is left to gpuboot,
// only the reasons are written, as a map without a value is no inventory.
func (w *yamlText) section(name string, d draft, choices []Choice) {
	var mine []Choice
	values := name == "defaults" && d.User+d.Key != ""
	for _, c := range choices {
		if strings.HasPrefix(c.Key, name+".") && c.GPUs == "" {
			mine = append(mine, c)
			o, _ := picked(c, d.Chosen)
			values = values || o.Value != ""
		}
	}
	if !values && len(mine) == 0 {
		return
	}
	w.line(0, "")
	indent := 0
	if values {
		w.line(0, name+":")
		indent = 2
	}
	if name == "defaults" {
		w.login(d)
	}
	for _, c := range mine {
		w.choice(indent, strings.TrimPrefix(c.Key, name+"."), c, d)
	}
}

func (w *yamlText) login(d draft) {
	if d.User != "" {
		w.line(2, "user: "+scalar(d.User))
	}
	if d.Key != "" {
		w.line(2, "identityFile: "+scalar(d.Key))
	}
}

// choice writes one setting with its reason; what is left to gpuboot is a comment.
func (w *yamlText) choice(indent int, key string, c Choice, d draft) {
	o, ok := picked(c, d.Chosen)
	if !ok {
		return
	}
	text := c.Title + ": " + o.Label
	if o.Why != "" {
		text += "; " + o.Why
	}
	w.comment(indent, clean(text))
	if o.Value != "" {
		w.line(indent, key+": "+scalar(o.Value))
	}
}

// pool is hosts that go into one pool: of one role and with equal GPUs.
type pool struct {
	name  string
	role  inventory.Role
	gpus  string
	hosts []inventory.Host
}

func (w *yamlText) pools(d draft, f hostSet, choices []Choice) {
	servers := f.servers(d)
	work, _ := picked(f.workChoice(servers), map[string]string{choiceWork: d.Work})
	w.line(0, "")
	if n := len(servers); n == 1 {
		w.comment(0, "One server: the cluster needs it. Three survive the loss of one, an even number no more than the odd one below it.")
	} else {
		w.comment(0, fmt.Sprintf("%d servers: the cluster survives the loss of %d. Keep the number odd.", n, (n-1)/2))
	}
	w.line(0, "pools:")
	for _, p := range makePools(f, servers, work.Value == "yes") {
		w.line(2, "- name: "+scalar(p.name))
		w.line(4, "role: "+string(p.role))
		if p.gpus != "" {
			w.comment(4, "What every host of this pool held when it was looked at; a host that holds less is an error.")
			w.line(4, "gpus: "+scalar(p.gpus))
		}
		for _, c := range choices {
			if c.Key != "" && c.GPUs != "" && c.GPUs == p.gpus {
				w.choice(4, c.Key, c, d)
			}
		}
		w.line(4, "hosts:")
		for _, h := range p.hosts {
			w.line(6, "- "+scalar(hostText(h, d.User)))
		}
	}
}

func makePools(f hostSet, servers []string, work bool) []pool {
	var out []pool
	taken := map[string]int{}
	for _, h := range f.hosts {
		r, gpus := role(h.Name, servers, work), f.seen[h.Name].GPUs
		i := slices.IndexFunc(out, func(p pool) bool { return p.role == r && p.gpus == gpus })
		if i < 0 {
			base := poolName(r, gpus)
			taken[base]++
			if n := taken[base]; n > 1 {
				base = fmt.Sprintf("%s-%d", base, n)
			}
			out = append(out, pool{name: base, role: r, gpus: gpus})
			i = len(out) - 1
		}
		out[i].hosts = append(out[i].hosts, h)
	}
	// Servers first: that is where a reader looks for them.
	slices.SortStableFunc(out, func(a, b pool) int { return rank(a.role) - rank(b.role) })
	return out
}

func rank(r inventory.Role) int {
	if r.IsServer() {
		return 0
	}
	return 1
}

var notLabel = regexp.MustCompile(`[^a-z0-9]+`)

// poolName is what people call such hosts: control, gpu-h100, cpu.
func poolName(r inventory.Role, gpus string) string {
	if r.IsServer() {
		return "control"
	}
	if gpus == "" {
		return "cpu"
	}
	_, product, _ := strings.Cut(strings.ToLower(gpus), "x ")
	product = strings.Trim(notLabel.ReplaceAllString(product, "-"), "-")
	return strings.TrimRight("gpu-"+product[:min(len(product), 30)], "-")
}

// hostText is a host's entry: "[name=][user@]address[:port]".
func hostText(h inventory.Host, user string) string {
	address := h.Address
	if h.Port != 0 {
		if strings.Contains(address, ":") {
			address = "[" + address + "]"
		}
		address = fmt.Sprintf("%s:%d", address, h.Port)
	}
	if h.User != "" && h.User != user {
		address = h.User + "@" + address
	}
	return h.Name + "=" + address
}

// scalar writes a string so that YAML reads the same string.
func scalar(s string) string {
	data, err := yaml.Marshal(s)
	if err != nil {
		return quoted(s)
	}
	if text := strings.TrimSpace(string(data)); !strings.Contains(text, "\n") {
		return text
	}
	return quoted(s)
}
