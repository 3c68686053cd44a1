// Package engine runs steps on many hosts at once and says what happens as a
// stream of events.
//
// A [Lane] is one host's list of steps in order. A step may wait for named
// gates, which steps of other lanes open when they succeed, so a slow host
// holds up only those that truly need it. There are no barriers over all hosts.
//
// # What each end of a step means for the rest
//
//   - done or unchanged: its gates open and the lane goes on.
//   - failed: the lane ends. Its remaining steps are skipped, and every gate
//     that they or the failed step would have opened fails. All other lanes go on.
//   - blocked: a gate the step needs has failed. From there on the lane is
//     treated like a failed one; the error names the host and the step that
//     broke first, however long the chain in between.
//   - cancelled: the run was stopped, from outside or by a vital lane. Running
//     steps get a cancelled context and are awaited; no further step begins.
//
// # What the package does not do
//
// It knows no SSH, no Kubernetes and no terminal. It does not retry and it
// does not roll back: a step that wants either does so itself. It cannot kill
// a step that ignores its context; [Run] waits for such a step.
package engine
