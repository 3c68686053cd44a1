# Turns the output of `go test -bench -benchmem` into one table; anything that is no result goes through to stderr only
# when it tells of a failure.
/^pkg: / { pkg = $2; sub(/^github\.com\/gpuboot\/gpuboot\//, "", pkg) }
/^Benchmark/ && NF >= 4 {
	if (!header++) printf "%-28s %-34s %14s %12s %12s %10s\n", "package", "benchmark", "time/op", "rate", "memory/op", "allocs/op"
	name = $1; sub(/^Benchmark/, "", name); sub(/-[0-9]+$/, "", name)
	time = rate = mem = allocs = "-"; extra = ""
	for (i = 3; i < NF; i += 2) {
		if ($(i+1) == "ns/op") time = span($i)
		else if ($(i+1) == "MB/s") rate = $i " MB/s"
		else if ($(i+1) == "B/op") mem = bytes($i)
		else if ($(i+1) == "allocs/op") allocs = $i
		else extra = extra "  " $i " " $(i+1)
	}
	printf "%-28s %-34s %14s %12s %12s %10s%s\n", pkg, name, time, rate, mem, allocs, extra
}
/^(---|FAIL|panic:)/ { print > "/dev/stderr"; failed = 1 }
END { exit failed }
function span(ns) {
	if (ns >= 1e9) return sprintf("%.2f s", ns / 1e9)
	if (ns >= 1e6) return sprintf("%.2f ms", ns / 1e6)
	if (ns >= 1e3) return sprintf("%.2f us", ns / 1e3)
	return sprintf("%.1f ns", ns)
}
function bytes(n) {
	if (n >= 1048576) return sprintf("%.1f MiB", n / 1048576)
	if (n >= 1024) return sprintf("%.1f KiB", n / 1024)
	return n " B"
}
