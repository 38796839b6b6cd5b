//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	jsonv2 "encoding/json/v2"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// The interfaces of methods that take the standard library's streams.
var (
	standardMarshalerTo     = reflect.TypeFor[jsonv2.MarshalerTo]()
	standardUnmarshalerFrom = reflect.TypeFor[jsonv2.UnmarshalerFrom]()
)

// ReadsItself reports whether the type t has a method that takes the standard library's stream
// to decode.
func ReadsItself(t reflect.Type) bool {
	return t.Implements(standardUnmarshalerFrom) && t != reflect.TypeFor[*Number]()
}

// WritesItself reports whether the type t has a method that takes the standard library's stream
// to encode.
func WritesItself(t reflect.Type) bool {
	return t.Implements(standardMarshalerTo) && t != NumberType && t != reflect.TypeFor[*Number]()
}

// MethodError returns the error of an unmarshal method in the form that encoding/json gives it.
// By names the method.
func MethodError(err error, by string) error {
	if err == nil {
		return nil
	}
	return NotUnsupported(err, by)
}

// MembersOf returns the members of a struct, and the member that holds all others. Before Go
// 1.27 v1 has no such member.
func MembersOf(s *shape.Shape, _ bool) ([]shape.Member, *shape.Member) {
	return s.Object().Members, s.Object().Rest
}
