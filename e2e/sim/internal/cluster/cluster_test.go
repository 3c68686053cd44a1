package cluster

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func begin(t *testing.T) *Cluster {
	t.Helper()
	c, err := New(Founding{ID: "c", Founder: "s1", Version: "v1.36.2+k3s1", ServerSecret: "sss", AgentSecret: "aaa", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTokensAdmitWhomTheyShould(t *testing.T) {
	t.Parallel()
	c, other := begin(t), begin(t)
	for name, x := range map[string]struct {
		token, role, want string
	}{
		"server token, server":   {c.ServerToken(), "server", ""},
		"server token, agent":    {c.ServerToken(), "agent", ""},
		"agent token, agent":     {c.AgentToken(), "agent", ""},
		"agent token, server":    {c.AgentToken(), "server", "not authorized"},
		"short token":            {"sss", "server", ""},
		"wrong password":         {strings.Replace(c.ServerToken(), ":sss", ":zzz", 1), "agent", "not authorized"},
		"another cluster's":      {other.ServerToken(), "agent", "token CA hash does not match the Cluster CA certificate hash"},
		"a hash that is no hash": {"K10abc::server:sss", "agent", "invalid token CA hash length"},
	} {
		err := c.Admit(x.token, x.role)
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}

func TestEtcdTakesOneLearnerAtATime(t *testing.T) {
	t.Parallel()
	c := begin(t)
	if err := c.AddLearner("s2"); err != nil {
		t.Fatal(err)
	}
	if err := c.AddLearner("s3"); !errors.Is(err, ErrTooManyLearners) || c.Learners() != 2 {
		t.Errorf("a second learner: %v", err)
	}
	c.Promote("s2")
	if err := c.AddLearner("s3"); err != nil || c.Members() != 2 {
		t.Errorf("after the first votes: %v, %d voters", err, c.Members())
	}
}

func TestQuorumIsAMajorityOfVoters(t *testing.T) {
	t.Parallel()
	c := begin(t)
	for _, s := range []string{"s2", "s3"} {
		if err := c.AddLearner(s); err != nil {
			t.Fatal(err)
		}
		c.Promote(s)
	}
	c.SetUp("s2", false)
	if !c.Quorum() {
		t.Error("two of three are no quorum")
	}
	c.SetUp("s1", false)
	if c.Quorum() {
		t.Error("one of three is a quorum")
	}
}

func TestADeletedNodeFreesItsNameAndItsSeat(t *testing.T) {
	t.Parallel()
	c := begin(t)
	if err := c.CheckPassword("s1", "one"); err != nil {
		t.Fatal(err)
	}
	if err := c.CheckPassword("s1", "two"); !errors.Is(err, ErrPassword) {
		t.Errorf("another machine under the same name: %v", err)
	}
	c.forget("s1")
	if err := c.CheckPassword("s1", "two"); err != nil {
		t.Errorf("after the node was deleted: %v", err)
	}
	if in, _ := c.Member("s1"); in {
		t.Error("the server is still in etcd")
	}
}

// Whole seconds go over the wire, and a restart must be told from before.
func TestEveryHeartbeatDiffers(t *testing.T) {
	t.Parallel()
	c := begin(t)
	a, b := c.beat("n"), c.beat("n")
	if !b.After(a.Time) || a.Nanosecond() != 0 {
		t.Errorf("%v and %v", a, b)
	}
}
