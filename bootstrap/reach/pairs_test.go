package reach

import (
	"fmt"
	"testing"
)

func many(n, servers int) []Host {
	hosts := make([]Host, n)
	for i := range hosts {
		hosts[i] = Host{Name: fmt.Sprintf("h%d", i), Server: i < servers}
	}
	return hosts
}

func TestFewHostsTryAllOthers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 32} {
		if got := len(pairs(many(n, 1))); got != n*(n-1) {
			t.Errorf("%d hosts: %d pairs, want %d", n, got, n*(n-1))
		}
	}
}

func TestManyHostsTryServersAndSomeOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, servers int }{{33, 1}, {200, 3}, {1000, 3}} {
		tries, toServer, seen := map[int]int{}, map[int]int{}, map[pair]bool{}
		for _, p := range pairs(many(c.n, c.servers)) {
			if p.from == p.to || seen[p] {
				t.Fatalf("pair %v", p)
			}
			seen[p] = true
			tries[p.to]++
			if p.to < c.servers {
				toServer[p.from]++
			}
		}
		for i := range c.n {
			want := c.servers
			if i < c.servers {
				want--
			}
			if tries[i] < 6 || toServer[i] != want {
				t.Errorf("%d hosts: host %d is tried by %d, and tries %d servers", c.n, i, tries[i], toServer[i])
			}
		}
		if len(seen) > c.n*20 {
			t.Errorf("%d hosts: %d pairs", c.n, len(seen))
		}
	}
}

func TestSettledHostsLeaveEachOtherAlone(t *testing.T) {
	t.Parallel()
	hosts := many(4, 1)
	for i := range 3 {
		hosts[i].Settled = true
	}
	if got := len(pairs(hosts)); got != 6 {
		t.Errorf("%d pairs, want those with the new host: 6", got)
	}
}
