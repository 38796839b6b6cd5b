package contest

import "golang.org/x/sys/unix"

// limitMemory limits the memory of this process, so that a probe with hostile lengths cannot use up
// the machine's memory.
func limitMemory() {
	const most = 3 << 30 // bytes of address space, including those that the runtime reserves
	_ = unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most})
}
