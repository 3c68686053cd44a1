package engine

// keptOutput is how many lines of a step's output a State holds.
const keptOutput = tailLines

// Apply folds one event into the state. Unknown kinds change only the clock.
// Events that miss their partner, as in a log that was cut, are taken as they
// are.
func (s *State) Apply(e Event) {
	s.clock(e)
	switch e.Kind {
	case KindHeader:
		s.Version, s.Command = e.Version, e.Message
	case KindRunStarted, KindRunFinished:
		s.applyRun(e)
	case KindPhaseStarted:
		s.phase++
		s.Phase = e.Message
		for _, name := range e.Lanes {
			h := s.host(name)
			h.Of, h.pending = 0, true
		}
	case KindPhaseFinished:
		for _, h := range s.Hosts {
			h.pending = false
		}
	case KindStepStarted, KindStepWaiting, KindStepFinished:
		s.applyStep(e)
	case KindStepProgress, KindStepOutput, KindNote:
		s.applySpeech(e)
	case KindFinding:
		s.Findings = append(s.Findings, e)
	case KindPlanChange:
		s.Changes = append(s.Changes, e)
	case KindHostFacts:
		s.host(e.Host).Facts = e.Facts
	}
}

func (s *State) clock(e Event) {
	if e.Time.IsZero() {
		return
	}
	if s.Began.IsZero() {
		s.Began = e.Time
	}
	if e.Time.After(s.Now) {
		s.Now = e.Time
	}
}

func (s *State) applyRun(e Event) {
	if e.Message != "" {
		s.Command = e.Message
	}
	if e.File != "" {
		s.File = e.File
	}
	s.Status = StatusRunning
	if e.Kind == KindRunFinished {
		s.Status, s.Elapsed, s.Error = e.Status, e.Elapsed, e.Error
	}
}

// host finds or makes the state of a host.
func (s *State) host(name string) *HostState {
	if h := s.byName[name]; h != nil {
		return h
	}
	if s.byName == nil {
		s.byName = make(map[string]*HostState)
	}
	h := &HostState{Name: name}
	s.byName[name] = h
	s.Hosts = append(s.Hosts, h)
	return h
}

// step finds or makes the state of a step of the present phase.
func (s *State) step(host, name string) *StepState {
	h := s.host(host)
	for i := len(h.Steps) - 1; i >= 0 && h.Steps[i].phase == s.phase; i-- {
		if h.Steps[i].Name == name {
			return h.Steps[i]
		}
	}
	st := &StepState{Phase: s.Phase, Name: name, phase: s.phase}
	h.Steps = append(h.Steps, st)
	return st
}

func (s *State) applyStep(e Event) {
	st := s.step(e.Host, e.Step)
	st.Status, st.Since = e.Status, e.Time
	st.Gate, st.By = e.Gate, e.By
	if e.N > 0 {
		st.N = e.N
	}
	h := s.host(e.Host)
	h.pending = false
	if e.Of > 0 {
		h.Of = e.Of
	}
	if e.Kind != KindStepFinished {
		return
	}
	st.Elapsed, st.Error = e.Elapsed, e.Error
	if e.Status.OK() {
		st.Note, st.Output = e.Message, nil
	}
}

func (s *State) applySpeech(e Event) {
	if e.Kind == KindNote && e.Level == "warn" {
		s.Warnings = append(s.Warnings, e)
		return
	}
	if e.Host == "" || e.Step == "" {
		return
	}
	st := s.step(e.Host, e.Step)
	switch e.Kind {
	case KindStepProgress:
		st.Done, st.Total, st.Unit = e.Done, e.Total, e.Unit
	case KindStepOutput:
		st.Output = append(st.Output, e.Message)
		if extra := len(st.Output) - keptOutput; extra > 0 {
			st.Output = append(st.Output[:0], st.Output[extra:]...)
		}
	case KindNote:
		st.Note = e.Message
	}
}
