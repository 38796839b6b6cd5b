package contest

import (
	"fmt"
	"reflect"
)

// Same returns an error if got is not equal to want. It checks contestants whose output can be
// decoded.
func Same[T any](got, want T) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("output differs: %+v, want %+v", got, want)
	}
	return nil
}
