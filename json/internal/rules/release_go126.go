//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"reflect"

	"github.com/hone-go/hone/shape"
)

// MethodError returns the error of a method as encoding/json takes it.
func MethodError(err error, _ string) error { return err }

func ReadsItself(reflect.Type) bool { return false }

func WritesItself(reflect.Type) bool { return false }

// MembersOf returns the members of a struct, and the field that takes all others, which v1
// does not have.
func MembersOf(s *shape.Shape, v1 bool) ([]shape.Member, *shape.Member) {
	if v1 {
		return s.Members(), nil
	}
	return s.Object().Members, s.Object().Rest
}
