package image

import "fmt"

// roomFactor is how much more than its compressed size an image takes while it is pulled and unpacked: the compressed layers
// and about twice as much unpacked. A rule of thumb, so it warns and never fails.
const roomFactor = 3

// disk compares sizes with the free room. It says nothing where either is not known.
func disk(v Variant, h Host) (Finding, bool) {
	f := Finding{Check: CheckDisk, Verdict: OK}
	least, wanted := v.Compressed+v.Unpacked, roomFactor*v.Compressed+v.Unpacked
	if h.Free == nil || least == 0 {
		return f, false
	}
	size := humanSize(least) + " compressed"
	if v.Compressed == 0 {
		size = humanSize(least) + " unpacked"
	}
	switch free := *h.Free; {
	case free < least:
		f.Verdict, f.Reason = Fail, fmt.Sprintf("the image is %s, only %s are free", size, humanSize(free))
	case free < wanted:
		f.Verdict, f.Reason = Warn, fmt.Sprintf("the image is %s and takes about %s unpacked, %s are free", size, humanSize(wanted), humanSize(free))
	default:
		f.Reason = fmt.Sprintf("the image is %s, %s are free", size, humanSize(free))
	}
	if f.Verdict != OK {
		f.Fix = &Fix{Text: "about " + humanSize(wanted) + " free where the container runtime keeps its images"}
	}
	return f, true
}

// humanSize writes a size for people, in binary units.
func humanSize(n int64) string {
	const kib = 1024
	if n < kib {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), 0
	for value >= kib && unit < len("KMGTPE") {
		value /= kib
		unit++
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTPE"[unit-1])
}
