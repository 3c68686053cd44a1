package reach

// allPairs is up to how many hosts every host tries every other.
const allPairs = 32

// pair is a direction: indexes of hosts.
type pair struct{ from, to int }

// pairs lists who tries whom. Up to 32 hosts all try all. Above, each host tries
// all servers and those 1, 2, 4, 8 … places after it, and the servers share the
// rest among them: then every host is tried by several others, any two are
// joined by a short chain of tries, and the number grows as n·log n.
func pairs(hosts []Host) []pair {
	n := len(hosts)
	var out []pair
	var servers []int
	for i, h := range hosts {
		if h.Server {
			servers = append(servers, i)
		}
	}
	for i := range n {
		want := map[int]bool{}
		for step := 1; step < n; step *= 2 {
			want[(i+step)%n] = true
		}
		for k, s := range servers {
			want[s] = true
			for j := k; s == i && j < n; j += len(servers) {
				want[j] = true
			}
		}
		for j := range n {
			if j != i && (n <= allPairs || want[j]) && !(hosts[i].Settled && hosts[j].Settled) {
				out = append(out, pair{i, j})
			}
		}
	}
	return out
}
