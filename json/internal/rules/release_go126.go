//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"reflect"

	"github.com/hone-go/hone/shape"
)

// MethodError returns the error of an unmarshal method in the form that encoding/json gives it.
// By names the method.
func MethodError(err error, _ string) error { return err }

// ReadsItself reports whether the type t has a method that takes the standard library's stream
// to decode.
func ReadsItself(reflect.Type) bool { return false }

// WritesItself reports whether the type t has a method that takes the standard library's stream
// to encode.
func WritesItself(reflect.Type) bool { return false }

// MembersOf returns the members of a struct, and the member that holds all others. Before Go
// 1.27 v1 has no such member.
func MembersOf(s *shape.Shape, v1 bool) ([]shape.Member, *shape.Member) {
	if v1 {
		return s.Members(), nil
	}
	return s.Object().Members, s.Object().Rest
}
