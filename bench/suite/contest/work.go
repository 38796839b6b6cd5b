package contest

import (
	"fmt"
	"reflect"
)

// Same is the check of contestants whose output can be read back.
func Same[T any](got, want T) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("output differs: %+v, want %+v", got, want)
	}
	return nil
}

// Loop makes a Run of one operation.
func Loop(op func()) func(int) {
	return func(n int) {
		for range n {
			op()
		}
	}
}
