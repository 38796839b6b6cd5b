//go:build !linux

package contest

func pinned(start func() error) error { return start() }

// Pinning returns the reason why processes are not pinned.
func Pinning() string { return "not pinned: the suite cannot pin processes on this system" }
