package reach

import "testing"

func TestAnswersMeanWhatWasTried(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line  string
		proto Proto
		token string
		want  Check
	}{
		{"0 open 0", TCP, "t", Check{State: Open}},
		{"0 open 1400", UDP, "t", Check{State: Open, MTU: 1400}},
		{"0 stall 0", TCP, "t", Check{State: Open, Stalls: true}},
		{"0 stranger 0", TCP, "t", Check{State: Stranger}},
		{"0 timeout 0", UDP, "t", Check{State: Filtered}},
		{"0 unreachable 113", TCP, "t", Check{State: Unreachable}},
		{"0 refused 0", TCP, "t", Check{State: Rejected}},
		{"0 refused 0", TCP, "", Check{State: Silent}},
		{"0 error 5", TCP, "t", Check{}},
	} {
		a, ok := parseAnswer(c.line)
		if got := (task{key: Key{Proto: c.proto}, token: c.token}).check(a); !ok || got != c.want {
			t.Errorf("%q with listener %q: %+v, want %+v", c.line, c.token, got, c.want)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{"", "1 open 1500", "x", "1 open -1", "9999999999999999999 open 0", "1 open 0 0", "taken tcp 10.0.0.1 22"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if a, ok := parseAnswer(line); ok && (a.id < 0 || a.number < 0 || a.word == "") {
			t.Errorf("%q is read as %+v", line, a)
		}
	})
}
