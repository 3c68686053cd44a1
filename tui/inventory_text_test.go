package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/gpuboot/gpuboot/inventory"
)

// set works out the hosts of a draft and gives them what was seen.
func set(t *testing.T, d draft, seen map[string]Seen) hostSet {
	t.Helper()
	hosts, problems := d.hosts()
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return hostSet{hosts, seen}
}

func TestInventoryText(t *testing.T) {
	t.Parallel()
	h100, l4 := Seen{GPUs: "8x H100", GPUCount: 8}, Seen{GPUs: "1x RTX PRO 6000 Blackwell", GPUCount: 1}
	for name, c := range map[string]struct {
		d       draft
		seen    map[string]Seen
		choices []Choice
	}{
		"one": {draft{Name: "gpu", Addresses: "203.0.113.7"}, map[string]Seen{"ip-203-0-113-7": l4}, nil},
		"mixed": {draft{
			Name: "train", User: "ubuntu", Key: "~/.ssh/rented key", Addresses: "cp=10.0.0.1\ngpu[1-3]=10.0.0.[11-13]\nroot@[2001:db8::5]:2222, x=2001:db8::6 # the odd ones", Aliases: []string{"bastion"},
			ServerCount: 3, Work: "no", Chosen: map[string]string{"if": "10.0.0.0/24", "iface-8x H100": "eth2"},
		}, map[string]Seen{"gpu1": h100, "gpu2": h100, "gpu3": h100, "x": l4}, []Choice{
			{ID: "if", Key: "defaults.interface", Title: "network", Options: []Option{{Label: "auto"}, {Value: "10.0.0.0/24", Label: "the private one", Why: "it is fast"}}},
			{ID: "fl", Key: "network.flannelBackend", Title: "tunnel", Options: []Option{{Value: "wireguard-native", Label: "encrypted"}}},
			{ID: "iface-8x H100", Key: "interface", GPUs: "8x H100", Title: "network", Options: []Option{{Label: "auto"}, {Value: "eth2", Label: "eth2"}}},
		}},
		"auto": {draft{Name: "gpu", Addresses: "a=10.0.0.1 b=10.0.0.2"}, nil, someChoices(nil)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := set(t, c.d, c.seen)
			text := inventoryText(c.d, f, c.choices, today())
			inv, err := inventory.Parse("x.yaml", text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if len(inv.Hosts) != len(f.hosts) {
				t.Errorf("%d hosts of %d", len(inv.Hosts), len(f.hosts))
			}
			for _, want := range f.hosts {
				got, ok := inv.Host(want.Name)
				if !ok || got.Address != want.Address || got.Port != want.Port || got.User != want.User {
					t.Errorf("%+v became %+v", want, got)
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

func TestSplitEntries(t *testing.T) {
	t.Parallel()
	var got []string
	for _, e := range splitEntries("a, b;c  d # e f\r\n10.0.0.[1,3-4],x\n\n[2001:db8::1]:22") {
		got = append(got, fmt.Sprint(e.line, " ", e.text))
	}
	want := []string{"1 a", "1 b", "1 c", "1 d", "2 10.0.0.[1,3-4]", "2 x", "4 [2001:db8::1]:22"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Whatever is pasted, the wizard either explains or gives hosts of which it can
// write an inventory with just these.
func FuzzEntries(f *testing.F) {
	for _, s := range []string{trioAddresses, "a", "10.0.0.[1-3]", "x=y=z", "\"", "root@[::1]:22", "#", "a\\u0000b", "- a: b", "{}", "[1-2]", "é", "1e3", "true", "n=10.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := draft{Name: "gpu", Addresses: s}
		hosts, problems := d.hosts()
		if len(problems) > 0 || len(hosts) == 0 {
			return
		}
		for _, text := range [][]byte{d.lookText(hosts), inventoryText(d, hostSet{hosts: hosts}, nil, today())} {
			inv, err := inventory.Parse("x.yaml", text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if len(inv.Hosts) != len(hosts) {
				t.Errorf("%d hosts of %d in\n%s", len(inv.Hosts), len(hosts), text)
			}
			for _, h := range hosts {
				if got, ok := inv.Host(h.Name); !ok || got.Address != h.Address || got.Port != h.Port || got.User != h.User {
					t.Errorf("%+v became %+v", h, got)
				}
			}
		}
	})
}

func TestServersAreChosen(t *testing.T) {
	t.Parallel()
	d := draft{Name: "gpu", Addresses: "g1=10.0.0.1 g2=10.0.0.2 c1=10.0.0.3 c2=10.0.0.4"}
	f := set(t, d, map[string]Seen{"g1": {GPUCount: 8}, "g2": {GPUCount: 1}})
	for want, d := range map[string]draft{
		"c1":       {},
		"c1 c2 g1": {ServerCount: 3},
		"g2":       {Servers: []string{"g2", "gone"}},
		"c1 ":      {Servers: []string{"gone"}},
	} {
		if got := strings.Join(f.servers(d), " "); got != strings.TrimSpace(want) {
			t.Errorf("%+v: %q, want %q", d, got, want)
		}
	}
	possible := func(c Choice) string {
		var out []string
		for _, o := range c.Options {
			if !o.Impossible {
				out = append(out, o.Value)
			}
			if o.Why == "" {
				t.Errorf("%s: %s has no reason", c.ID, o.Label)
			}
		}
		return strings.Join(out, " ")
	}
	if got := possible(f.serverChoice()); got != "1 3" {
		t.Errorf("sizes %q", got)
	}
	for want, servers := range map[string][]string{"no yes": {"c1"}, "yes no": {"g1"}, "yes": {"g1", "g2", "c1", "c2"}} {
		if got := possible(f.workChoice(servers)); got != want {
			t.Errorf("work on %q: %q, want %q", servers, got, want)
		}
	}
}

func TestScalarsReadBack(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"plain", "10.5", "true", "a: b", "# no", "[x]", "with \"quotes\"", "multi\nline", "1x L4", "~", ""} {
		inv, err := inventory.Parse("x", []byte("name: a\ndefaults: {interface: "+scalar(s)+"}\nhosts: [{name: a, address: a, role: both}]\n"))
		if err == nil && inv.Hosts[0].Interface != s {
			t.Errorf("%q was read as %q", s, inv.Hosts[0].Interface)
		}
	}
}
