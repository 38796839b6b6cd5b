//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	jsonv2 "encoding/json/v2"
	"reflect"

	"github.com/hone-go/hone/shape"
)

var (
	standardMarshalerTo     = reflect.TypeFor[jsonv2.MarshalerTo]()
	standardUnmarshalerFrom = reflect.TypeFor[jsonv2.UnmarshalerFrom]()
)

// ReadsItself reports whether t reads from a stream of tokens.
func ReadsItself(t reflect.Type) bool {
	return t.Implements(standardUnmarshalerFrom) && t != reflect.TypeFor[*Number]()
}

// WritesItself reports whether t writes to a stream of tokens.
func WritesItself(t reflect.Type) bool {
	return t.Implements(standardMarshalerTo) && t != NumberType && t != reflect.TypeFor[*Number]()
}

// MethodError returns the error of a method as encoding/json takes it.
func MethodError(err error, by string) error {
	if err == nil {
		return nil
	}
	return NotUnsupported(err, by)
}

// MembersOf returns the members of a struct, and the field that takes all others.
func MembersOf(s *shape.Shape, _ bool) ([]shape.Member, *shape.Member) {
	return s.Object().Members, s.Object().Rest
}
