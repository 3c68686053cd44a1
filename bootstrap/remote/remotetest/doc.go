// Package remotetest is an SSH host in this process, for tests of whatever
// uses package remote. It is a real SSH server on a loopback port with a
// file system of its own in a temporary folder; commands are Go functions.
//
// What a test relies on:
//
//   - A command that no handler matches fails the test. So does a handler
//     that was never called, unless it is Optional.
//   - Handlers see the plain argv and stdin of the caller. The wrapping of
//     package remote, sudo and its password are dealt with here, the way
//     sudo does.
//   - ReadFile, WriteFile and WriteFiles work on the files below Root
//     without any handler; owners are kept as text and need no rights.
//     They are commands of package remote, so there is no SFTP here either.
//   - Faults are switched on and off while the test runs.
//
// It is no shell and no real host: scripts run only where a handler says
// so (see Handler.Shell), and then on the machine of the test.
package remotetest
