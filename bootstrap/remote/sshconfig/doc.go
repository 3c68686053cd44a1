// Package sshconfig reads the client configuration of OpenSSH, so that a
// host that is an alias in ~/.ssh/config is reached as ssh reaches it.
//
// It knows what finds and opens a connection: HostName, User, Port,
// IdentityFile, IdentitiesOnly, CertificateFile, IdentityAgent, ProxyJump,
// HostKeyAlias, the known hosts files and ConnectTimeout, with Host, Match,
// Include and the tokens of ssh_config(5). Other keywords are passed over.
//
// It runs nothing: a Match with exec that would decide something, and a
// ProxyCommand that would be used, are errors that name file and line.
// CanonicalizeHostname is not done.
package sshconfig
