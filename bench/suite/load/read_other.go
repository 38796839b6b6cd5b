//go:build !linux

package load

import (
	"errors"
	"fmt"
	"runtime"
)

// Read returns an error, since it is not implemented for this system.
func Read() (Reading, error) {
	return Reading{}, fmt.Errorf("what other processes use cannot be told on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Average returns "", since it is not implemented for this system.
func Average() string { return "" }
