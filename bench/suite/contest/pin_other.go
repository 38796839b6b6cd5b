//go:build !linux

package contest

func pinned(start func() error) error { return start() }

// Pinning describes whether processes are pinned, and to which core.
func Pinning() string { return "not pinned: this system has no call for it" }
