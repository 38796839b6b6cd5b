package scalar

import (
	"errors"
	"fmt"
)

var errBigInt = errors.New("not the encoding of a big.Int")

// CheckBigInt returns an error if b is not the encoding of a big.Int: a byte that is 0, or 1 for
// a negative number, and the magnitude with its most significant byte first and without leading
// zeros.
func CheckBigInt(b []byte) error {
	switch {
	case len(b) == 0 || b[0] > 1:
		return errBigInt
	case len(b) > 1 && b[1] == 0, len(b) == 1 && b[0] == 1:
		return fmt.Errorf("%w: leading zeros, or a negative zero", errBigInt)
	}
	return nil
}
