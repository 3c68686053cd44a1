package remotetest

import (
	"fmt"
	"net"
	"strconv"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// Line is a command line as package remote sends it. The names in this file
// are for hosts other than [Host], such as the simulated ones of e2e/sim: they
// too must see a plain argv, and know the file operations for what they are.
type Line = wire.Line

// Modes of a Line in which a login that is not root becomes root.
const (
	SudoAsk = wire.SudoAsk
	SudoNo  = wire.SudoNo
)

// ParseLine reads the text of an exec request.
func ParseLine(text string) (Line, error) { return wire.Parse(text) }

// SudoBegins is what a line prints on stderr before it turns to sudo.
func SudoBegins(l Line) string { return wire.ShellMark + l.Nonce + "\n" }

// Begins is what a line prints on stdout and stderr before its command runs
// in process group pid.
func Begins(l Line, pid int) (stdout, stderr string) {
	return fmt.Sprintf("%s%s %d %d\n", wire.BeginMark, l.Nonce, pid, pid), wire.BeginMark + l.Nonce + "\n"
}

// Exit codes of the operations, as package remote understands them.
const (
	ExitShort   = wire.ExitShort   // another number of bytes arrived than was announced
	ExitIsDir   = wire.ExitIsDir   // the path is a folder
	ExitMissing = wire.ExitMissing // the file, or the folder it goes in, does not exist
	ExitNoPeer  = wire.ExitNoPeer  // the address did not accept the connection
)

// Connected is what Forward prints when its connection stands; the bytes of
// the connection follow at once.
const Connected = wire.Connected

// Operation is one of the fixed scripts of package remote, taken apart. Read
// has Path; Write all but Nonce, Group and Addr, its content is on stdin; Writes
// has Nonce, and lines on stdin; Kill has Group; Forward has Addr, and carries a
// connection on stdin and stdout.
type Operation struct {
	Kind        string
	Path, Temp  string
	Size        int64
	Owner, Mode string
	Nonce       string
	Group       int
	Addr        string // host:port
}

// Kinds of operations.
const (
	Read    = wire.OpRead
	Write   = wire.OpWrite
	Writes  = wire.OpWrites
	Kill    = wire.OpKill
	Forward = wire.OpForward
)

// TempSuffix stands, with the nonce behind it, at the end of the name of a
// temporary file of Writes.
const TempSuffix = wire.TempSuffix

// OperationOf tells a file operation or kill from a caller's own command.
func OperationOf(l Line) (Operation, bool) {
	if len(l.Args) < 5 || l.Args[1] != "-c" {
		return Operation{}, false
	}
	op, words := Operation{Kind: l.Args[3]}, l.Args[4:]
	switch {
	case op.Kind == Read:
		op.Path = words[0]
	case op.Kind == Write && len(words) == 5:
		op.Path, op.Temp, op.Owner, op.Mode = words[0], words[1], words[3], words[4]
		op.Size, _ = strconv.ParseInt(words[2], 10, 64)
	case op.Kind == Writes:
		op.Nonce = words[0]
	case op.Kind == Kill:
		op.Group, _ = strconv.Atoi(words[0])
	case op.Kind == Forward && len(words) > 1:
		op.Addr = net.JoinHostPort(words[0], words[1])
	default:
		return Operation{}, false
	}
	return op, true
}
