package facts

import (
	"errors"
	"strings"
	"time"
)

func newClock(start, end clockReading) Clock {
	if start.at.IsZero() || end.at.IsZero() {
		return Clock{Synced: "unknown"}
	}
	return Clock{
		Remote:    start.at.Add(end.at.Sub(start.at) / 2),
		Precision: max(start.precision, end.precision),
		Synced:    "unknown",
		start:     start.at,
		end:       end.at,
	}
}

// compare sets the offset to our clock: our times before the probe was sent and
// after its answer came. The host read its clock first and last thing, so the
// time that the probe itself took does not count, as in NTP.
func (c *Clock) compare(sent, received time.Time) {
	if c.Remote.IsZero() {
		return
	}
	ours := sent.Add(received.Sub(sent) / 2)
	c.Offset = c.Remote.Sub(ours)
	if c.Precision == time.Second {
		c.Offset += time.Second / 2 // a cut fraction is half a second on average
	}
	c.RTT = max(received.Sub(sent)-c.end.Sub(c.start), 0)
}

// readSync reads whether a time service keeps the clock: systemd-timesyncd's
// flag file, chronyc's leap status, or timedatectl.
func readSync(f *Facts, s section) error {
	if f.Clock.Remote.IsZero() {
		f.unknown("clock.time", "date printed no seconds since 1970")
	}
	synced, err := parseSync(s.body)
	f.Clock.Synced = synced
	return err
}

func parseSync(text string) (string, error) {
	for _, line := range lines(text) {
		leap, isChrony := strings.CutPrefix(line, "Leap status")
		switch {
		case line == "timesyncd=yes", line == "NTPSynchronized=yes":
			return "yes", nil
		case line == "NTPSynchronized=no":
			return "no", nil
		case isChrony && strings.Contains(leap, "Not synchronised"):
			return "no", nil
		case isChrony:
			return "yes", nil
		}
	}
	return "unknown", errors.New("no time service answers: " + evidence(text))
}
