package engine

import "slices"

// gate is a named condition that one step opens and others wait for. Only the
// run's loop touches it.
type gate struct {
	name    string
	opener  StepRef
	open    bool
	err     *GateError // set once the gate can no longer open
	waiters []*lane
}

// openGates opens what the lane's step promises and lets the waiters go on.
// All gates are marked before any waiter is looked at, so that none is told to
// wait for a gate that opens in the same breath.
func (r *run) openGates(l *lane, s *Step) {
	var opened []*gate
	for _, name := range s.Opens {
		g := r.gates[name]
		g.open = true
		if len(g.waiters) > 0 {
			opened = append(opened, g)
		}
		r.say(Event{Kind: KindGateOpened, Host: l.Name, Step: s.Name, Gate: name})
	}
	r.wake(opened)
}

// failGates fails every gate that the lane would have opened from its current
// step on, and with them the steps that wait.
func (r *run) failGates(l *lane, steps []Step, root *GateError) {
	var failed []*gate
	for i := range steps {
		for _, name := range steps[i].Opens {
			g := r.gates[name]
			g.err = &GateError{Gate: name, Host: root.Host, Step: root.Step, Err: root.Err}
			failed = append(failed, g)
			r.say(Event{
				Kind: KindGateFailed, Host: l.Name, Step: steps[i].Name, Gate: name,
				By: &StepRef{root.Host, root.Step}, Message: causeText(root.Host, root.Err),
			})
		}
	}
	r.wake(failed)
}

// wake looks again at all lanes that wait for one of the gates, in lane order:
// who began to wait first is an accident, and a stable order is easier to read.
func (r *run) wake(gates []*gate) {
	var waiters []*lane
	for _, g := range gates {
		waiters = append(waiters, g.waiters...)
		g.waiters = nil
	}
	slices.SortStableFunc(waiters, func(a, b *lane) int { return a.index - b.index })
	for _, l := range waiters {
		if l.state == laneWaiting {
			r.advance(l)
		}
	}
}
