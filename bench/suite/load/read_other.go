//go:build !linux

package load

import (
	"errors"
	"fmt"
	"runtime"
)

// Read fails: this system is not asked.
func Read() (Reading, error) {
	return Reading{}, fmt.Errorf("what other processes use cannot be told on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Average returns nothing: this system is not asked.
func Average() string { return "" }
