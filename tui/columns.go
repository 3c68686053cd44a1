package tui

import "slices"

// maxColumns bounds the matrix; steps beyond it are run and counted, but have no
// column of their own.
const maxColumns = 64

// column is one stage: a step's name within a phase.
type column struct {
	phase int // counts phases, since one name may come twice
	name  string
}

// columns puts the stages of all hosts into one order that agrees with the order
// on every host, though hosts do not have the same steps and nobody has listed
// them. The zero value is empty.
type columns struct {
	list   []column       // by id, in the order first seen
	ids    map[column]int // the way back
	before map[int][]int  // ids that some host has directly before this one
	order  []int          // ids as shown
	place  []int          // where an id is shown
}

// see notes that a host has the step c after the column prev (-1 for none). The
// id is -1 when there are too many; moved says that columns changed places.
func (cs *columns) see(c column, prev int) (id int, moved bool) {
	id, known := cs.ids[c]
	if !known {
		if len(cs.list) == maxColumns {
			return -1, false
		}
		if cs.ids == nil {
			cs.ids, cs.before = map[column]int{}, map[int][]int{}
		}
		id = len(cs.list)
		cs.ids[c] = id
		cs.list = append(cs.list, c)
	}
	fresh := prev >= 0 && !slices.Contains(cs.before[id], prev)
	if fresh {
		cs.before[id] = append(cs.before[id], prev)
	}
	if known && !fresh {
		return id, false
	}
	cs.sort()
	return id, true
}

// sort orders the columns by phase, then so that each stands behind those that
// come before it on some host; what is left open keeps the order first seen. Hosts
// that contradict each other cannot stop it: the earliest seen then goes first.
func (cs *columns) sort() {
	cs.order = cs.order[:0]
	placed := make([]bool, len(cs.list))
	for len(cs.order) < len(cs.list) {
		next := cs.next(placed)
		placed[next] = true
		cs.order = append(cs.order, next)
	}
	cs.place = make([]int, len(cs.list))
	for at, id := range cs.order {
		cs.place[id] = at
	}
}

func (cs *columns) next(placed []bool) int {
	best, bestFree := -1, false
	for id, c := range cs.list {
		if placed[id] {
			continue
		}
		free := true
		for _, b := range cs.before[id] {
			free = free && placed[b]
		}
		switch {
		case best < 0, c.phase < cs.list[best].phase, c.phase == cs.list[best].phase && free && !bestFree:
			best, bestFree = id, free
		}
	}
	return best
}

// shown gives the columns in their order.
func (cs *columns) shown() []column {
	out := make([]column, len(cs.order))
	for at, id := range cs.order {
		out[at] = cs.list[id]
	}
	return out
}
