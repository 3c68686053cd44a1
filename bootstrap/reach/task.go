package reach

import (
	"fmt"
	"strconv"
	"strings"
)

// bulk is how much a connection has to carry each way.
const bulk = 96 << 10

// task is one try of one host.
type task struct {
	key Key
	// token is what the peer's listener greets with, "" when something else
	// listens, or may.
	token string
	// size is how much TCP carries, or the largest packet that UDP tries.
	size int
}

// line is the task as an agent reads it.
func (t task) line(id int) string {
	return fmt.Sprintf("%d %s %s %d %s %d\n", id, t.key.Proto, t.key.Addr, t.key.Port, orDash(t.token), t.size)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// answer is a line that an agent printed.
type answer struct {
	id     int
	word   string
	number int
}

// parseAnswer reads "ID WORD NUMBER"; ok is false for any other line.
func parseAnswer(line string) (a answer, ok bool) {
	f := strings.Fields(line)
	if len(f) != 3 {
		return answer{}, false
	}
	id, err1 := strconv.Atoi(f[0])
	n, err2 := strconv.Atoi(f[2])
	if err1 != nil || err2 != nil || id < 0 || n < 0 || n > 1<<20 {
		return answer{}, false
	}
	return answer{id, f[1], n}, true
}

// check says what an answer means for a task.
func (t task) check(a answer) Check {
	switch a.word {
	case "open":
		if t.key.Proto == UDP {
			return Check{State: Open, MTU: a.number}
		}
		return Check{State: Open}
	case "stall":
		return Check{State: Open, Stalls: true}
	case "stranger":
		return Check{State: Stranger}
	case "timeout":
		return Check{State: Filtered}
	case "unreachable":
		return Check{State: Unreachable}
	case "refused":
		if t.token != "" {
			return Check{State: Rejected}
		}
		return Check{State: Silent}
	}
	return Check{}
}
