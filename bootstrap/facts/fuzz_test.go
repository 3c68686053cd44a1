package facts

import (
	"os"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

// recorded is what the probe printed on the host of testdata/hgx.txtar; see
// TestRecordedAnswerIsOfThisProbe.
func recorded(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/hgx.probe")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whatever a host prints, Parse and all that works on its facts must not panic,
// and an error comes without facts.
func FuzzParse(f *testing.F) {
	f.Add(recorded(f))
	f.Add([]byte("\n@@gpuboot-probe 1 @@m 1900000000.5\n\n@@m begin host\nuname=a b c d\n\n@@m end host 0\n\n@@m done 1\n"))
	f.Add([]byte("\n@@gpuboot-probe 1 @@ 1\n@@ done 2"))
	inv := newWorld().inv
	f.Fuzz(func(t *testing.T, out []byte) {
		facts, err := Parse(out)
		if (err == nil) != (facts != nil) {
			t.Fatalf("facts %v with error %v", facts != nil, err)
		}
		if err != nil {
			return
		}
		all := map[string]*Facts{"s1": facts, "w1": facts}
		for _, found := range Check(inv, all, "v1.36.2+k3s1") {
			if found.ID == "" || found.Severity.rank() < 0 || found.Summary == "" || found.Fix == "" {
				t.Errorf("a finding lacks something: %+v", found)
			}
		}
		addr, reason, err := ChooseAddress(inventory.Host{}, facts, all)
		if err == nil && (!addr.NodeIP.IsValid() || addr.Interface == "" || reason == "") {
			t.Errorf("address %+v because %q", addr, reason)
		}
	})
}

func FuzzOSRelease(f *testing.F) {
	f.Add("ID=ubuntu\nID_LIKE=\"debian x\"\nPRETTY_NAME='a'\n#x\nVERSION_ID=\"")
	f.Fuzz(func(_ *testing.T, text string) { knownOS(parseOSRelease(text)) })
}

func FuzzAddr(f *testing.F) {
	f.Add(`[{"ifname":"a","flags":["UP"],"mtu":1,"link_type":"ether","addr_info":[{"local":"10.0.0.1","prefixlen":24,"scope":"global"},{}]},{}]`)
	f.Add("1: lo: <UP,LOWER_UP> mtu 65536 qdisc x\n    link/ether 02:00:00:00:00:01 brd x\n    inet 10.0.0.1 peer 10.0.0.2/32 scope global lo\n")
	f.Fuzz(func(t *testing.T, text string) {
		links, err := parseAddr(text)
		if err == nil && len(links) == 0 {
			t.Error("no link and no error")
		}
		for _, l := range links {
			for _, a := range l.Addrs {
				if !a.Prefix.IsValid() {
					t.Errorf("address %+v", a)
				}
			}
		}
	})
}

func FuzzRoutes(f *testing.F) {
	f.Add(`[{"dst":"default","gateway":"10.0.0.1","dev":"a","metric":1,"nexthops":[{"gateway":"fe80::1","dev":"b"}]}]`)
	f.Add("unreachable default metric 4\ndefault via 10.0.0.1 dev eth0\n")
	f.Fuzz(func(t *testing.T, text string) {
		routes, _ := parseRoutes(text)
		for _, r := range routes {
			if !r.Dst.IsValid() || r.Type == "" {
				t.Errorf("route %+v", r)
			}
		}
	})
}

func FuzzDF(f *testing.F) {
	f.Add("Filesystem Type 1-blocks Used Available Capacity Mounted on\n/dev/a ext4 10 1 9 10% /\nx y - - - - /z\n")
	f.Add("Filesystem 1024-blocks Used Available Capacity Mounted on\na 9223372036854775807 1 -9 1% /\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range parseDF(text) {
			if r.size < 0 || r.mount == "" {
				t.Errorf("row %+v", r)
			}
		}
	})
}

func FuzzLsblk(f *testing.F) {
	f.Add(`{"blockdevices":[{"name":"sda","type":"disk","size":"10","rota":"1","mountpoints":[null,"/"],"children":[{"type":"part","children":[{}]}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		disks, _ := parseLsblk(text)
		for _, d := range disks {
			if d.SizeBytes <= 0 {
				t.Errorf("disk %+v", d)
			}
		}
	})
}

func FuzzStat(f *testing.F) {
	f.Add("600|root:root|25|1764590000|2025-12-01 11:53:20.123456789 +0000|/etc/a|b")
	f.Fuzz(func(t *testing.T, line string) {
		if path, _, err := parseStat(line); err == nil && path == "" {
			t.Error("no path")
		}
	})
}

func FuzzListeners(f *testing.F) {
	f.Add("tcp LISTEN 0 9 [::ffff:1.2.3.4]%eth0:6444 *:* users:((\"k\",pid=4,fd=9))\n")
	f.Add("# proc tcp\n0100007F:192C\n")
	f.Fuzz(func(t *testing.T, text string) {
		facts := newFacts()
		_ = readListeners(facts, ended(text))
		for _, l := range facts.Network.Listeners {
			if l.Port < 0 || l.Port > 65535 || !l.Addr.IsValid() {
				t.Errorf("listener %+v", l)
			}
		}
	})
}
