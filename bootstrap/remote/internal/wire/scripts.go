package wire

// The scripts have no line breaks, so that they can stand in a word for
// csh, and use shell builtins where they can: a fork is a millisecond on a
// busy host, and a minimal image lacks tools.

// Marks on the way back. Each is followed by a nonce, so that output which
// happens to hold the same words, or an older log, is never mistaken.
const (
	// BeginMark precedes the output of the command on stdout and stderr.
	// On stdout the line also holds the process id and the process group.
	BeginMark = "gpuboot-begin-"
	// AskMark is the prompt that sudo is told to use.
	AskMark = "gpuboot-ask-"
	// ShellMark, on stderr, says that /bin/sh runs and turns to sudo next.
	// Without it the login shell is at fault and not sudo.
	ShellMark = "gpuboot-shell-"
	// NoSudoMark, on stdout, says that the host has neither sudo nor doas.
	NoSudoMark = "gpuboot-nosudo-"
)

// setup makes every command see the same world. The folders are appended
// because the path of an account without a login shell lacks the sbin
// folders, and the secure_path of sudo on some systems /usr/local/bin.
const setup = `LC_ALL=C; export LC_ALL; ` +
	`PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"; export PATH; `

// begin prints the marks and becomes the command. The fifth field of
// /proc/PID/stat is the process group, needed to end the command and its
// children. It stays empty without /proc, and where the group is not led by
// the command or by the sudo around it: dropbear runs commands in its own
// group, and to end that would end the connection.
const begin = setup + `n=$1; shift; g=; ` +
	`read -r a b c d g e </proc/$$/stat; case $0:$g in *:$$|sudo:$PPID) ;; *) g=;; esac; ` +
	`echo "` + BeginMark + `$n $$ $g"; echo "` + BeginMark + `$n" >&2; exec "$@"`

// plainScript runs ARGV in the home folder of the login.
// Words: NONCE ARGV...
const plainScript = begin

// rootScript runs ARGV as root in "/", so that the folder does not depend
// on how the login became root. Words: NONCE ARGV...
const rootScript = `cd /; umask 022; ` + begin

// sudoScript becomes root and goes on with the script in its third word.
// Words: NONCE ask|no INNER ARGV... With "ask" sudo may ask with our
// prompt, on stderr, and reads the answer from stdin byte by byte, so that
// what follows on stdin reaches the command. -k keeps sudo from using or
// leaving a time stamp on the host. doas can only ask on a terminal.
const sudoScript = `LC_ALL=C; export LC_ALL; n=$1; a=$2; i=$3; shift 3; echo "` + ShellMark + `$n" >&2; ` +
	`if [ "$(id -u)" = 0 ]; then exec /bin/sh -c "$i" sudo "$n" "$@"; fi; ` +
	`if command -v sudo >/dev/null 2>&1; then ` +
	`if [ "$a" = ask ]; then exec sudo -H -k -S -p "` + AskMark + `$n" /bin/sh -c "$i" sudo "$n" "$@"; fi; ` +
	`exec sudo -H -n /bin/sh -c "$i" sudo "$n" "$@"; fi; ` +
	`if command -v doas >/dev/null 2>&1; then exec doas -n /bin/sh -c "$i" sudo "$n" "$@"; fi; ` +
	`echo "` + NoSudoMark + `$n"; exit 126`

// terminalScript is sudoScript for a sudo that must have a terminal
// (requiretty): script(1) makes one, and nothing else of it is used. The
// command, and sudo's question, keep the streams of the session, so that
// nothing is echoed, mixed or changed on the way. q quotes a word with nothing
// but the shell, as the one thing that script takes is a text.
const terminalScript = `LC_ALL=C; export LC_ALL; n=$1; a=$2; i=$3; shift 3; echo "` + ShellMark + `$n" >&2; ` +
	`q() { r=; x=$1; while :; do case $x in *\'*) r="$r${x%%\'*}'\''"; x=${x#*\'};; *) break;; esac; done; c="$c '$r$x'"; }; ` +
	`c="exec sudo -H"; if [ "$a" = ask ]; then c="$c -k -S -p ` + AskMark + `$n"; else c="$c -n"; fi; ` +
	`c="$c /bin/sh -c"; for w in "$i" root "$n" "$@"; do q "$w"; done; ` +
	`SHELL=/bin/sh; export SHELL; ` +
	`exec script -qec "$c <&3 >&4 2>&5 3<&- 4>&- 5>&-" /dev/null 3<&0 4>&1 5>&2 </dev/null >/dev/null 2>&1`

// breakScript evaluates a command line in which "$b" stands for a line
// break. Words: LINE
const breakScript = `b=$(printf "\n."); b=${b%.}; eval "exec $1"`
