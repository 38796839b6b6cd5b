//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import "reflect"

// ReadsItself reports whether the type t has a method that takes the standard library's stream
// to decode.
func ReadsItself(reflect.Type) bool { return false }

// WritesItself reports whether the type t has a method that takes the standard library's stream
// to encode.
func WritesItself(reflect.Type) bool { return false }

// ReadItself decodes data by v's method that takes the standard library's stream.
func ReadItself(any, []byte) error { return ErrDeclined }
