package tui

import (
	"fmt"
	"time"
)

// short gives a duration in at most six cells: 0.4s, 12s, 4m05s, 2h03m, 3d04h.
func short(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}

// about says an estimate with no more precision than it has.
func about(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return "a few seconds"
	case d < 90*time.Second:
		return fmt.Sprintf("about %d s", int((d+5*time.Second)/(10*time.Second))*10)
	case d < 90*time.Minute:
		return fmt.Sprintf("about %d min", int((d+30*time.Second)/time.Minute))
	}
	return fmt.Sprintf("about %.1f h", d.Hours())
}

// amount gives progress: "412 of 930 MB", "3 of 8 images", "412 MB" while the
// total is unknown.
func amount(done, total int64, unit string) string {
	if unit != "B" {
		if total <= 0 {
			return fmt.Sprintf("%d %s", done, unit)
		}
		return fmt.Sprintf("%d of %d %s", done, total, unit)
	}
	scale, name := byteUnit(max(done, total))
	if total <= 0 {
		return fmt.Sprintf("%.0f %s", float64(done)/scale, name)
	}
	return fmt.Sprintf("%.0f of %.0f %s", float64(done)/scale, float64(total)/scale, name)
}

func byteUnit(n int64) (scale float64, name string) {
	switch {
	case n >= 10e9:
		return 1e9, "GB"
	case n >= 1e6:
		return 1e6, "MB"
	case n >= 1e3:
		return 1e3, "kB"
	}
	return 1, "B"
}
