//go:build !linux

package load

import (
	"errors"
	"fmt"
	"runtime"
)

// Read returns an error, since it is not implemented for this system.
func Read() (Reading, error) {
	return Reading{}, fmt.Errorf("the processor use of other processes is not available on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Average returns "", since it is not implemented for this system.
func Average() string { return "" }
