// Package tui is gpuboot on a terminal: the live view of a run, and the wizard
// that leads from a few addresses to an inventory and a plan.
//
// [Live] draws a run from engine events and from nothing else, so a recorded
// run shows the same view. [Wizard] talks to the outside through [Backend], which
// its caller implements, and ends with an inventory; to apply it, the caller runs
// `up` with [Live] as the view.
//
// Models are values; Update and View are pure and fast, everything that waits or
// touches the world is in a tea.Cmd. Keys stand in keys.go, colours and symbols in
// styles.go. What comes from hosts is cleaned of control characters before it is
// kept, so no remote output can move the cursor.
//
// The package contacts no host and decides nothing about a cluster.
package tui
