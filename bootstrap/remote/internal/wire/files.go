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
	OpForward = "gpuboot-forward" // the only one that needs no root
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

// fileFns are shell functions. fresh PATH TEMP makes the temporary file,
// which nobody else can read and which cannot be a link that was laid
// there. settle TEMP SIZE OWNER MODE refuses a file that is not whole: a
// link that breaks ends stdin just like content that is complete.
const fileFns = `umask 077; ` +
	`fresh() { [ -d "$1" ] && return 43; [ -d "${1%/*}/" ] || return 44; (set -C; : >"$2"); }; ` +
	`settle() { [ "$(wc -c <"$1")" -eq "$2" ] || return 42; chown "$3" "$1" && chmod "$4" "$1"; }; ` +
	`trap 'exit 1' HUP INT TERM PIPE; `

// writeScript brings the content to the disk before it takes the place of
// the file. dd is used because its conv=fsync works with GNU and busybox,
// where sync(1) with a file name does not. Words: PATH TEMP SIZE OWNER MODE
const writeScript = fileFns +
	`fresh "$1" "$2" || exit; trap 'rm -f "$2"' EXIT; ` +
	`dd of="$2" bs=131072 conv=fsync status=none || exit; ` +
	`settle "$2" "$3" "$4" "$5" || exit; mv -f "$2" "$1"`

// WriteArgs is the argv that makes the file at path from stdin.
func WriteArgs(path, nonce string, size int64, owner, mode string) []string {
	return []string{"/bin/sh", "-c", writeScript, OpWrite,
		path, path + TempSuffix + nonce, strconv.FormatInt(size, 10), owner, mode}
}

// writesScript makes several files from lines on stdin, each with the
// fields PATH SIZE OWNER MODE BASE64 and tabs between them, and a last
// line "." without which nothing takes its place. The names of files and
// their temporary files are collected in the arguments. Words: NONCE
const writesScript = fileFns +
	`x=$1; set --; end=; trap 'while [ $# -gt 1 ]; do rm -f "$2"; shift 2; done' EXIT; t=$(printf "\t"); ` +
	`while IFS=$t read -r p s o m b; do [ "$p" = . ] && end=1 && break; ` +
	`fresh "$p" "$p` + TempSuffix + `$x" || exit; set -- "$@" "$p" "$p` + TempSuffix + `$x"; ` +
	`printf %s "$b" | base64 -d | dd of="$p` + TempSuffix + `$x" conv=fsync status=none || exit; ` +
	`settle "$p` + TempSuffix + `$x" "$s" "$o" "$m" || exit; done; ` +
	`[ "$end" ] || exit 42; while [ $# -gt 1 ]; do mv -f "$2" "$1" || exit; shift 2; done`

// WritesArgs is the argv that makes files from lines on stdin.
func WritesArgs(nonce string) []string {
	return []string{"/bin/sh", "-c", writesScript, OpWrites, nonce}
}

const readScript = `[ -e "$1" ] || exit 44; [ -d "$1" ] && exit 43; exec cat "$1"`

// ReadArgs is the argv that prints the file at path.
func ReadArgs(path string) []string {
	return []string{"/bin/sh", "-c", readScript, OpRead, path}
}

// killScript ends a process group, or one process when its argument is
// negative: politely, and after two seconds not.
const killScript = `case $1 in -*) t=${1#-};; *) t=-$1;; esac; ` +
	`kill -s TERM -- "$t" 2>/dev/null || exit 0; i=0; ` +
	`while [ $i -lt 20 ]; do kill -s 0 -- "$t" 2>/dev/null || exit 0; sleep 0.1; i=$((i+1)); done; ` +
	`kill -s KILL -- "$t" 2>/dev/null; exit 0`

// KillArgs is the argv that ends a process group, or the one process -group
// where its group is not its own.
func KillArgs(group int) []string {
	return []string{"/bin/sh", "-c", killScript, OpKill, strconv.Itoa(group)}
}

// Connected is what a forward prints when its connection stands; bytes of
// the connection follow at once.
const Connected = '+'

// forwardScript carries one TCP connection over stdin and stdout with what
// the host has. Words: HOST PORT PYTHON BASH
const forwardScript = `if command -v python3 >/dev/null 2>&1; then exec python3 -c "$3" "$1" "$2"; fi; ` +
	`if command -v bash >/dev/null 2>&1; then exec bash -c "$4" forward "$1" "$2"; fi; exit 45`

// An end of stdin means that our side closed the connection.
const forwardPython = `import os, socket, sys, threading
try:
    s = socket.create_connection((sys.argv[1], int(sys.argv[2])), 30)
except OSError as e:
    sys.stderr.write("%s\n" % e)
    sys.exit(46)
s.settimeout(None)
os.write(1, b"+")
def up():
    try:
        while True:
            d = os.read(0, 65536)
            if not d: break
            s.sendall(d)
    finally:
        os._exit(0)
threading.Thread(target=up, daemon=True).start()
while True:
    d = s.recv(65536)
    if not d: break
    while d: d = d[os.write(1, d):]
os._exit(0)
`

const forwardBash = `exec 3<>"/dev/tcp/$1/$2" || exit 46; printf +; exec 4<&0; ` +
	`cat <&3 & r=$!; cat <&4 >&3 & w=$!; wait -n $r $w; kill $r $w`

// ForwardArgs is the argv that connects to an address as the host sees it.
func ForwardArgs(host, port string) []string {
	return []string{"/bin/sh", "-c", forwardScript, OpForward, host, port, forwardPython, forwardBash}
}
