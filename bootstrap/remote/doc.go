// Package remote is one connection to one host: run a command, read a
// file, replace a file atomically, dial through it. Over SSH, or on the
// machine that gpuboot itself runs on.
//
// It reads no configuration of its own, prints nothing, asks nobody (what
// it must be told comes through callbacks of Target), changes no settings
// of sshd, and retries nothing but what Target.RetryFor allows.
//
// # What an operation costs
//
// Dial is one TCP connection and one handshake. Run, ReadFile, WriteFile
// and WriteFiles are one exec channel each, whether the login is root,
// has sudo without a password, or sudo that asks: nothing is probed
// beforehand. DialContext is one direct-tcpip channel.
//
// # Root
//
// A login named root runs commands directly. Every other login goes
// through sudo (or doas where there is no sudo and no password is needed):
// with -n when the target has no sudo password, else with -S and a prompt
// that holds a nonce. The password is written only after that very prompt
// was seen on stderr, and the command's own stdin only after the command
// has begun, so neither can reach the wrong reader, whatever sudoers says.
// A second prompt means that the password is wrong: it is never sent
// again over this connection. It stands in no argv and no environment.
//
// Sudo that insists on a terminal (requiretty) gets one, made by script(1)
// on the host, which the streams of the command do not go through. A first
// refusal shows that it is needed, so that stdin waits for the begin until a
// first command has begun. doas with a password is refused with ErrSudo.
//
// # Files
//
// A file travels as a plain stream to one command that checks its size,
// brings it to the disk and renames it, and not by SFTP. On a real sshd the
// stream was not slower than SFTP with concurrent writes (BenchmarkUpload
// watches that it stays at the speed of a bare stream). It costs one
// channel where SFTP costs a subsystem and a round trip for each of open,
// sync, owner, mode and rename; it is the same under sudo; and it works
// where there is no SFTP server or a .bashrc prints into it.
//
// # Output
//
// Commands run with LC_ALL=C, and as root in "/" with umask 022. What a
// login shell, a banner or sudo prints before the command begins is cut
// off (see package wire), so that results need no cleaning.
package remote
