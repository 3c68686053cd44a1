package render

import (
	"fmt"
	"os"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// Header is the first event of a stream: its version and the command.
func Header(command string, now time.Time) engine.Event {
	return engine.Event{
		Time: now.UTC().Truncate(time.Millisecond), Kind: engine.KindHeader,
		Version: engine.StreamVersion, Message: command,
	}
}

// Log is a run log: the events of a run as JSON lines in a file that only its
// owner may read. It holds what the redactor has passed, yet host names and
// remote output are nobody else's business.
//
// Each event goes to the operating system before Sink returns, so the log
// survives a crash of the program at any point. It is not forced to the disk
// before Close: after a power cut its end may be missing.
type Log struct {
	*JSON
	file *os.File
}

// CreateLog makes a new run log with its header. It never overwrites: the error
// is fs.ErrExist if the file is there. Its folder must exist.
func CreateLog(path, command string, now time.Time) (*Log, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the run log: %w", err)
	}
	l := &Log{JSON: NewJSON(f), file: f}
	l.Sink(Header(command, now))
	if err := l.Err(); err != nil {
		f.Close()
		return nil, fmt.Errorf("beginning the run log %s: %w", path, err)
	}
	return l, nil
}

// Path is where the log is.
func (l *Log) Path() string { return l.file.Name() }

// Close forces the log to the disk. Its error is the first of the whole run:
// a log that could not be written must not stop a run, but is worth a warning.
func (l *Log) Close() error {
	err := l.Err()
	if e := l.file.Sync(); err == nil && e != nil {
		err = e
	}
	if e := l.file.Close(); err == nil && e != nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("run log %s: %w", l.Path(), err)
	}
	return nil
}
