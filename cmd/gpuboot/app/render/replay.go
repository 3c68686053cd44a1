package render

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// maxLine is the length of a line, in bytes, beyond which a file is taken for
// something else than a run log.
const maxLine = 16 << 20

// VersionError says that a log is of a newer form than this program knows.
// Reading it would show something wrong, so nothing of it is shown.
type VersionError struct{ Version int }

// Error names both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the run log has version %d, this gpuboot reads up to %d", e.Version, engine.StreamVersion)
}

// Hint says what reads it.
func (e *VersionError) Hint() string {
	return "replay it with the gpuboot that wrote it, or a newer one"
}

// Replay reads a run log and gives its events to the sink, as fast as they can
// be read. A last line that was cut, as a crash leaves it, is passed over. Any
// other line that is no event ends the replay with an error that names it; a
// log without header is taken as the current version.
func Replay(r io.Reader, sink engine.Sink) error {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, readErr := readLine(in)
		last := errors.Is(readErr, io.EOF)
		if readErr != nil && !last {
			return fmt.Errorf("reading the run log: line %d: %w", n, readErr)
		}
		if err := replayLine(line, sink); err != nil {
			if _, newer := errors.AsType[*VersionError](err); last && !newer {
				return nil
			}
			return fmt.Errorf("reading the run log: line %d: %w", n, err)
		}
		if last {
			return nil
		}
	}
}

var errLongLine = errors.New("the line is too long for a run log")

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func replayLine(line []byte, sink engine.Sink) error {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	var e engine.Event
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	if e.Kind == "" {
		return errors.New("an event without a kind")
	}
	if e.Kind == engine.KindHeader && e.Version > engine.StreamVersion {
		return &VersionError{e.Version}
	}
	sink.Emit(e)
	return nil
}
