package engine

import (
	"bytes"
	"encoding/json"
	"time"
)

// StreamVersion is the version of the event stream's JSON form. It rises only
// when a reader of the older form would misunderstand the newer one; new fields
// and kinds do not raise it.
const StreamVersion = 1

// Kind says what an event reports and so which of its fields are set. Readers
// ignore kinds they do not know.
type Kind string

const (
	// KindHeader is the first event of a run log: Version, Message (the command).
	KindHeader Kind = "log.header"
	// KindRunStarted and KindRunFinished frame one command. The engine does not
	// send them. Message names the command, File is the run log; the latter has
	// Elapsed and Status, and Error if the run ended for a reason that no step has.
	KindRunStarted  Kind = "run.started"
	KindRunFinished Kind = "run.finished"
	// KindPhaseStarted and KindPhaseFinished frame one call of [Run] whose Options
	// name a phase: Message, Lanes; the latter has Elapsed and Status.
	KindPhaseStarted  Kind = "phase.started"
	KindPhaseFinished Kind = "phase.finished"
	// KindStepStarted: Host, Step, N, Of, Status "running".
	KindStepStarted Kind = "step.started"
	// KindStepWaiting: Host, Step, N, Of, Status "waiting", Gate, and By, the step
	// that will open it. Sent again when one gate has opened and another is missing.
	KindStepWaiting Kind = "step.waiting"
	// KindStepProgress: Host, Step, Done, Total, Unit.
	KindStepProgress Kind = "step.progress"
	// KindStepOutput: Host, Step, Message (one line of a remote command).
	KindStepOutput Kind = "step.output"
	// KindStepFinished is sent exactly once for each step, also for those that
	// never began: Host, Step, N, Of, Status, Elapsed (running time, without
	// waiting), Message (why unchanged), Error, and By, the step that broke, where
	// the status is blocked or skipped.
	KindStepFinished Kind = "step.finished"
	// KindGateOpened: Gate, and Host and Step of the step that opened it.
	KindGateOpened Kind = "gate.opened"
	// KindGateFailed: Gate, Host and Step that would have opened it, By, the step
	// that broke, and Message, its error.
	KindGateFailed Kind = "gate.failed"
	// KindFinding: Host, Level (block, warn, info), ID, Message, Evidence, Fix.
	KindFinding Kind = "finding"
	// KindPlanChange: Host, Change.
	KindPlanChange Kind = "plan.change"
	// KindHostFacts: Host, Facts.
	KindHostFacts Kind = "host.facts"
	// KindNote: Message, and Host and Step where it belongs to one; Level "warn"
	// where a person should read it.
	KindNote Kind = "note"
)

// Event is one thing that happened. Its JSON form is one object on one line
// with empty fields left out: stable, and the form of run logs and of
// "--output json". Readers ignore fields they do not know.
type Event struct {
	Time    time.Time `json:"time,omitzero"` // UTC, whole milliseconds
	Kind    Kind      `json:"kind"`
	Version int       `json:"version,omitempty"` // stream version, header only
	Host    string    `json:"host,omitempty"`    // the lane: a host's name or "cluster"
	Step    string    `json:"step,omitempty"`
	N       int       `json:"n,omitempty"`  // the step's number in its lane, from 1
	Of      int       `json:"of,omitempty"` // the number of steps of its lane
	Status  Status    `json:"status,omitempty"`
	Gate    string    `json:"gate,omitempty"`
	By      *StepRef  `json:"by,omitempty"` // another step that this event is about
	Message string    `json:"message,omitempty"`
	File    string    `json:"file,omitempty"` // the run log, for a person to open

	Done  int64  `json:"done,omitempty"`  // progress in Unit
	Total int64  `json:"total,omitempty"` // zero or less: unknown
	Unit  string `json:"unit,omitempty"`  // "B" for bytes, else a plural noun

	Level    string `json:"level,omitempty"` // block, warn, info
	ID       string `json:"id,omitempty"`    // a finding's stable name
	Evidence string `json:"evidence,omitempty"`
	Fix      string `json:"fix,omitempty"`

	Lanes   []string          `json:"lanes,omitempty"` // names, in the order given
	Facts   map[string]string `json:"facts,omitempty"` // for reading by people
	Elapsed time.Duration     `json:"-"`               // written as elapsed_ms, whole milliseconds
	Error   *ErrorInfo        `json:"error,omitempty"`
	Change  *Change           `json:"change,omitempty"`
}

// StepRef names one step of one lane.
type StepRef struct {
	Host string `json:"host"`
	Step string `json:"step"`
}

// String gives "host: step".
func (r StepRef) String() string { return r.Host + ": " + r.Step }

// ErrorInfo is an error made ready to be shown.
type ErrorInfo struct {
	Cause  string `json:"cause"`            // the error's text, without the host's name
	Output string `json:"output,omitempty"` // tail of the remote output, whole lines
	Hint   string `json:"hint,omitempty"`   // what to do, the next command to type
	Retry  string `json:"retry,omitempty"`  // the command that tries again
}

// Change is one thing that a plan would do to a host.
type Change struct {
	Step       string `json:"step,omitempty"`
	Action     string `json:"action"` // create, update, delete, restart, ...
	What       string `json:"what"`
	Reason     string `json:"reason,omitempty"`
	Disruptive bool   `json:"disruptive,omitempty"` // running work would notice
}

// eventFields has Event's fields without its methods.
type eventFields Event

type eventJSON struct {
	eventFields
	ElapsedMS int64 `json:"elapsed_ms,omitempty"`
}

// MarshalJSON writes the documented form. It leaves <, > and & as they are.
func (e Event) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(eventJSON{eventFields(e), e.Elapsed.Milliseconds()})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads the documented form and ignores unknown fields.
func (e *Event) UnmarshalJSON(data []byte) error {
	var j eventJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*e = Event(j.eventFields)
	e.Elapsed = time.Duration(j.ElapsedMS) * time.Millisecond
	return nil
}
