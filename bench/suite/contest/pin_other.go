//go:build !linux

package contest

func pinned(start func() error) error { return start() }

// Pinning describes whether processes are pinned, and to which core.
func Pinning() string { return "not pinned: the suite cannot pin processes on this system" }
