// Package wire is the text that travels to a host: the command line that
// an SSH exec request carries, and the few fixed shell scripts behind it.
//
// Both ends use it. Package remote writes a Line; package remotetest reads
// it back, so that a test handler sees the plain argv and not the wrapping.
//
// A line has this shape, whatever the login shell of the account is:
//
//	exec /bin/sh -c SCRIPT MODE NONCE [more words] ARGV...
//
// The words are quoted so that sh, bash, zsh, fish, csh and tcsh all read
// them alike, and everything that decides something happens in /bin/sh.
// The innermost script prints a begin mark on stdout and on stderr and
// then becomes the command. What comes before the mark is noise: a .bashrc
// that prints, a banner of the image, a warning or the lecture of sudo.
// A mark that never comes is the proof that the command never ran.
//
// The package opens no connection and runs nothing.
package wire
