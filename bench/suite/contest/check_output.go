package contest

import (
	"fmt"
	"reflect"
)

// Same returns an error if got is not equal to want. Contestants call it before they are timed, for
// example with the value that is decoded from their output.
func Same[T any](got, want T) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("output differs: %+v, want %+v", got, want)
	}
	return nil
}
