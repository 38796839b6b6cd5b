//go:build !linux

package contest

func pinned(start func() error) error { return start() }

// Pinning says in a few words whether processes are pinned, and to what.
func Pinning() string { return "not pinned: this system has no call for it" }
