// Package facts finds out what a host is, and judges it.
//
// [Collect] runs one read-only script on a host, in one round trip, and [Parse]
// turns what it printed into typed [Facts]. [Check] compares the facts of all
// hosts with the inventory and with each other and gives findings, each with
// its evidence and the fix. [ChooseAddress] decides which address a node uses
// in the cluster.
//
// Check and ChooseAddress are pure functions: the same facts give the same
// answer, in the same order. Nothing here changes a host, talks to Kubernetes,
// or decides what is done about a finding.
package facts
