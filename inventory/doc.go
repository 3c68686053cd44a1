// Package inventory reads the file that describes the machines and the cluster
// to make of them.
//
// Load and Parse turn YAML into an [Inventory] whose hosts carry their effective
// values: a key set on a host wins over its pool, which wins over defaults.
// Labels and k3s keys are merged key by key; every other list (taints,
// identityFiles, jumpHosts) is replaced as a whole by the most specific one, so
// that a host can also say "none" with an empty list.
//
// Reading never stops at the first mistake. The error is a [Problems] with all
// of them, each with file, line and column, the allowed values, and where
// possible the word that was probably meant. Things that work but are seldom
// wanted are in [Inventory.Warnings].
//
// The package touches no host and no cluster, looks up no name, and does not
// check that the files it names exist: an inventory may be checked on a machine
// that has none of them. Secrets are only referred to (see [Secret]) and read
// when [Secret.Resolve] is called.
package inventory
