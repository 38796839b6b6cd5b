package contest

import "golang.org/x/sys/unix"

// limitMemory bounds the memory that this process may take, so that a probe
// with hostile lengths does not take the machine's.
func limitMemory() {
	const most = 3 << 30 // of addresses, of which the runtime reserves some
	_ = unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most})
}
