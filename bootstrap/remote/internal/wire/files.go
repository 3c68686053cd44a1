package wire

import "strconv"

// The file scripts run as root through Line like any command. Their fourth
// word names the operation, so that remotetest can do it on its own files.

// Names of the operations.
const (
	OpWrite   = "gpuboot-write"
	OpWrites  = "gpuboot-writes"
	OpRead    = "gpuboot-read"
	OpKill    = "gpuboot-kill"
	OpForward = "gpuboot-forward"
)

// Exit codes of the operations, chosen where sh, dd, cat and mv have none.
const (
	ExitShort   = 42 // fewer or more bytes arrived than were announced
	ExitIsDir   = 43 // the path is a folder
	ExitMissing = 44 // the file, or the folder it goes in, does not exist
	ExitNoTool  = 45 // the host lacks the tools for this operation
	ExitNoPeer  = 46 // the address did not accept the connection
)

// TempSuffix stands, with a nonce behind it, between the name of a file
// and the end of the name of its temporary file in the same folder.
const TempSuffix = ".gpuboot-"

// place writes stdin to a temporary file that nobody else can read, and
// renames it only when all announced bytes are on the disk: a link that
// breaks ends stdin like a file that is complete. A trap removes what is
// left. dd is used because its conv=fsync works with GNU and busybox,
// where sync(1) with a file name does not.
const placeFns = `umask 077; ` +
	`fresh() { [ -d "$1" ] && return 43; case $1 in */*) [ -d "${1%/*}/" ] || return 44;; esac; ` +
	`(set -C; : >"$2") || return 1; }; ` +
	`settle() { [ "$(wc -c <"$1")" -eq "$2" ] || return 42; chown "$3" "$1" && chmod "$4" "$1"; }; `

const writeScript = placeFns +
	`p=$1; t=$2; trap 'rm -f "$t"' EXIT; trap 'exit 1' HUP INT TERM PIPE; ` +
	`fresh "$p" "$t" || exit; dd of="$t" bs=131072 conv=fsync || exit; ` +
	`settle "$t" "$3" "$4" "$5" || exit; mv -f "$t" "$p"`

// WriteArgs is the argv that makes the file at path from stdin.
func WriteArgs(path, nonce string, size int64, owner, mode string) []string {
	return []string{"/bin/sh", "-c", writeScript, OpWrite,
		path, path + TempSuffix + nonce, strconv.FormatInt(size, 10), owner, mode}
}

const readScript = `[ -e "$1" ] || exit 44; [ -d "$1" ] && exit 43; exec cat "$1"`

// ReadArgs is the argv that prints the file at path.
func ReadArgs(path string) []string {
	return []string{"/bin/sh", "-c", readScript, OpRead, path}
}

// killScript ends a process group: politely, and after two seconds not.
const killScript = `kill -s TERM -- "-$1" 2>/dev/null || exit 0; i=0; ` +
	`while [ $i -lt 20 ]; do kill -s 0 -- "-$1" 2>/dev/null || exit 0; sleep 0.1; i=$((i+1)); done; ` +
	`kill -s KILL -- "-$1" 2>/dev/null; exit 0`

// KillArgs is the argv that ends a process group.
func KillArgs(group int) []string {
	return []string{"/bin/sh", "-c", killScript, OpKill, strconv.Itoa(group)}
}
