package bootstrap

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// render writes a plan's changes, one a line, for comparing.
func render(p *Plan) string {
	var b strings.Builder
	for _, h := range p.Hosts {
		for _, c := range h.Changes {
			fmt.Fprintf(&b, "%s | %s | %s %s | %s\n", h.Host.Name, c.Step, c.Action, c.What, c.Reason)
		}
	}
	return b.String()
}

func mustPlan(t *testing.T, in Input) *Plan {
	t.Helper()
	p, err := MakePlan(in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlanOfFreshHostsNamesEveryChange(t *testing.T) {
	t.Parallel()
	p := mustPlan(t, bareInput(t, threeHosts))
	text := render(p)
	for _, want := range []string{
		"s1 | install k3s | install k3s v1.36.2+k3s1 (amd64) | not installed",
		"s1 | install k3s | write /etc/rancher/k3s/config.yaml | absent; node IP 10.0.0.10 on eth0: ",
		"s1 | start k3s | start k3s.service | not started yet",
		"w1 | join cluster | start k3s-agent.service | not started yet",
		"w2 | labels and taints | set node w2 | new node",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan lacks %q:\n%s", want, text)
		}
	}
	s1, _ := p.Host("s1")
	w1, _ := p.Host("w1")
	if !s1.Member.Founder || s1.Member.Join != "" {
		t.Errorf("s1 must begin the cluster: %+v", s1.Member)
	}
	if w1.Member.Join != "https://10.0.0.10:6443" {
		t.Errorf("w1 joins %q", w1.Member.Join)
	}
}

func TestSecondPlanIsUnchanged(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"three hosts": threeHosts, "three servers": threeServers} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := mustPlan(t, converged(t, bareInput(t, text)))
			if !p.Unchanged() {
				t.Errorf("still changes:\n%s", render(p))
			}
		})
	}
}

// TestPlanChangesOnlyWhatDiffers starts from a converged cluster and changes one
// thing at a time.
func TestPlanChangesOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		old, new string // replaced in the inventory
		want     string
	}{
		"label": {"tier: gold", "tier: silver",
			"w1 | labels and taints | set node w1 | label tier is \"gold\", inventory says \"silver\"\n" +
				"w2 | labels and taints | set node w2 | label tier is \"gold\", inventory says \"silver\"\n"},
		"label removed": {"labels: {tier: gold}", "labels: {}",
			"w1 | labels and taints | set node w1 | label tier left the inventory\n" +
				"w2 | labels and taints | set node w2 | label tier left the inventory\n"},
		"taint": {`taints: ["dedicated=ml:NoSchedule"]`, `taints: ["dedicated=hpc:NoSchedule"]`,
			"w1 | labels and taints | set node w1 | taint dedicated:NoSchedule has value \"ml\", inventory says \"hpc\"\n" +
				"w2 | labels and taints | set node w2 | taint dedicated:NoSchedule has value \"ml\", inventory says \"hpc\"\n"},
		"k3s option of one host": {"{name: w2, address: 10.0.0.12}", "{name: w2, address: 10.0.0.12, k3sConfig: {kubelet-arg: [max-pods=50]}}",
			"w2 | install k3s | write /etc/rancher/k3s/config.yaml | content differs; node IP 10.0.0.12 on eth0: *\n" +
				"w2 | join cluster | restart k3s-agent.service | its files change; running pods stay\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := converged(t, bareInput(t, threeHosts))
			in.Inventory = parse(t, strings.Replace(threeHosts, c.old, c.new, 1))
			got := render(mustPlan(t, in))
			if !matches(got, c.want) {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

func TestRegistriesComeAndGo(t *testing.T) {
	t.Parallel()
	with := threeHosts + "  \n"
	with = strings.Replace(with, "k3s: {version: v1.36.2+k3s1}", "k3s: {version: v1.36.2+k3s1, registries: {mirrors: {docker.io: {endpoint: [\"https://mirror.example\"]}}}}", 1)
	in := bareInput(t, with)
	p := mustPlan(t, in)
	if got := render(p); strings.Count(got, "write /etc/rancher/k3s/registries.yaml | absent") != 3 {
		t.Errorf("changes:\n%s", got)
	}
	done := converged(t, in)
	for i := range p.Hosts {
		journalFile(t, done.Facts[p.Hosts[i].Host.Name], registriesPath)
	}
	done.Inventory = parse(t, threeHosts)
	got := render(mustPlan(t, done))
	if strings.Count(got, "remove /etc/rancher/k3s/registries.yaml | left the inventory") != 3 || strings.Count(got, "restart k3s") != 3 {
		t.Errorf("changes:\n%s", got)
	}
}

// matches compares line by line; a * at the end of a wanted line stands for
// anything.
func matches(got, want string) bool {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		return false
	}
	for i := range g {
		prefix, open := strings.CutSuffix(w[i], "*")
		if open && !strings.HasPrefix(g[i], prefix) || !open && g[i] != w[i] {
			return false
		}
	}
	return true
}

func TestPlanAfterAnInterruptedRun(t *testing.T) {
	t.Parallel()
	done := converged(t, bareInput(t, threeHosts))
	j, err := ParseJournal(done.Facts["w2"].Journal)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("killed before the start", func(t *testing.T) {
		t.Parallel()
		in := done
		in.Facts = cloneFacts(done.Facts)
		half := j
		half.Started = ""
		in.Facts["w2"].Journal, _ = half.Marshal()
		want := "w2 | join cluster | start k3s-agent.service | not started yet\n"
		if got := render(mustPlan(t, in)); got != want {
			t.Errorf("got %q", got)
		}
	})
	t.Run("killed between files and restart", func(t *testing.T) {
		t.Parallel()
		in := done
		in.Facts = cloneFacts(done.Facts)
		half := j
		half.Started = "older"
		in.Facts["w2"].Journal, _ = half.Marshal()
		want := "w2 | join cluster | restart k3s-agent.service | runs with older files: an earlier run did not restart it; running pods stay\n"
		if got := render(mustPlan(t, in)); got != want {
			t.Errorf("got %q", got)
		}
	})
	t.Run("killed during the upload", func(t *testing.T) {
		t.Parallel()
		in := done
		in.Facts = cloneFacts(done.Facts)
		half := j
		half.Started, half.Binary = "", InstalledBinary{}
		in.Facts["w2"].Journal, _ = half.Marshal()
		if got := render(mustPlan(t, in)); !strings.Contains(got, "replace k3s v1.36.2+k3s1 (amd64) | an earlier run did not finish installing it") {
			t.Errorf("got %q", got)
		}
	})
}

// An agent's unit can stay "activating" for minutes while its node is Ready.
func TestActivatingUnitOfAReadyNodeIsLeftAlone(t *testing.T) {
	t.Parallel()
	in := converged(t, bareInput(t, threeHosts))
	in.Facts["w1"].K3s.Unit.Active, in.Facts["w1"].K3s.Unit.Sub = "activating", "start"
	if got := render(mustPlan(t, in)); got != "" {
		t.Errorf("changes:\n%s", got)
	}
	for i := range in.Cluster.Nodes {
		in.Cluster.Nodes[i].Ready = in.Cluster.Nodes[i].Name != "w1"
	}
	if got := render(mustPlan(t, in)); !strings.Contains(got, "restart k3s-agent.service | unit is activating (start)") {
		t.Errorf("changes:\n%s", got)
	}
}

func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Input)
		want   string
	}{
		"another cluster": {func(in *Input) { in.Inventory.Name = "other" }, `belongs to gpuboot's cluster "lab"`},
		"a role change": {func(in *Input) {
			in.Inventory = parseOrPanic(strings.Replace(threeHosts, "role: worker", "role: both", 1))
		}, "runs as k3s agent, the inventory makes it both"},
		"an older k3s":    {func(in *Input) { in.Version = "v1.35.1+k3s1" }, "asks for the older v1.35.1+k3s1"},
		"a skipped minor": {func(in *Input) { in.Version = "v1.38.0+k3s1" }, "skips a minor version"},
		"a strange architecture": {func(in *Input) {
			in.Facts = cloneFacts(in.Facts)
			in.Facts["w1"].Arch = "riscv64"
		}, `architecture "riscv64"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := converged(t, bareInput(t, threeHosts))
			c.change(&in)
			_, err := MakePlan(in)
			var refused Refusals
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want a refusal with %q, got %v", c.want, err)
			}
		})
	}
}

// A server that does not answer may hold the cluster already.
func TestNoClusterIsBegunBesideASilentServer(t *testing.T) {
	t.Parallel()
	in := bareInput(t, threeServers)
	delete(in.Facts, "s2")
	in.Missing = map[string]error{"s2": errors.New("no route")}
	_, err := MakePlan(in)
	var refused Refusals
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "s2: did not answer") {
		t.Errorf("got %v", err)
	}
}

func TestSilentServerOfARunningClusterHoldsNobody(t *testing.T) {
	t.Parallel()
	in := converged(t, bareInput(t, threeServers))
	delete(in.Facts, "s1")
	in.Missing = map[string]error{"s1": errors.New("no route")}
	if got := render(mustPlan(t, in)); got != "" {
		t.Errorf("changes:\n%s", got)
	}
}

func TestJoinURLIsKeptWhenTheFounderLeaves(t *testing.T) {
	t.Parallel()
	in := converged(t, bareInput(t, threeServers))
	in.Inventory = parse(t, strings.Replace(threeServers, "{name: s1, address: 10.0.0.10}, ", "", 1)+"  - {name: spare, role: both, hosts: [{name: s9, address: 10.0.0.9}]}\n")
	delete(in.Facts, "s1")
	in.Facts["s9"] = bare(in.Inventory.Hosts[2])
	p := mustPlan(t, in)
	s2, _ := p.Host("s2")
	s3, _ := p.Host("s3")
	s9, _ := p.Host("s9")
	if s2.Member.Join != "https://10.0.0.12:6443" || s3.Member.Join != "https://10.0.0.11:6443" || s9.Member.Join != "https://10.0.0.11:6443" || s9.Member.Founder {
		t.Errorf("joins: s2 %+v, s3 %+v, s9 %+v", s2.Member, s3.Member, s9.Member)
	}
}

func TestLimitPlansOnlyThoseHosts(t *testing.T) {
	t.Parallel()
	in := converged(t, bareInput(t, threeHosts))
	in.Facts["w1"] = bare(in.Inventory.Hosts[1])
	in.Facts["w2"] = bare(in.Inventory.Hosts[2])
	in.Only = []string{"w2"}
	p := mustPlan(t, in)
	if len(p.Hosts) != 1 || p.Hosts[0].Host.Name != "w2" || p.Hosts[0].Start != StartFirst {
		t.Errorf("got %s", render(p))
	}
}

func TestStrangersAreLeftAlone(t *testing.T) {
	t.Parallel()
	in := converged(t, bareInput(t, threeHosts))
	in.Cluster.Nodes = append(in.Cluster.Nodes, Node{Name: "somebody"})
	p := mustPlan(t, in)
	if !p.Unchanged() || len(p.Strangers) != 1 || p.Strangers[0] != "somebody" {
		t.Errorf("changes %q, strangers %v", render(p), p.Strangers)
	}
}
