// Package hush keeps bubbletea from questioning the terminal while the process
// starts. On import, bubbletea v1 asks for the background colour and waits for the
// answer, up to five seconds on a terminal that gives none, and that for every
// command, also for those that draw nothing. Terminals whose TERM begins with
// "screen" are not asked, so TERM says that until [Restore].
//
// It works because Go initialises packages that wait for nothing of each other in
// the order of their import paths: this one needs only the standard library, and
// bubbletea needs golang.org/x/sys, which comes after it. A test holds a real
// process to it.
package hush

import "os"

var term, had = hush() //nolint:gochecknoglobals // has to happen, and be remembered, before main

func hush() (term string, had bool) {
	term, had = os.LookupEnv("TERM")
	if had {
		os.Setenv("TERM", "screen")
	}
	return term, had
}

// Restore gives TERM back its value. It is called once, when the packages that
// must not ask have been initialised.
func Restore() {
	if had {
		os.Setenv("TERM", term)
	}
}
