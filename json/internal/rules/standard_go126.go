//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import "reflect"

// ReadsItself reports whether t has a decoding method that takes the standard library's stream. In
// a build without encoding/json/v2 no type has such a method.
func ReadsItself(reflect.Type) bool { return false }

// WritesItself reports whether t has an encoding method that takes the standard library's stream.
// In a build without encoding/json/v2 no type has such a method.
func WritesItself(reflect.Type) bool { return false }

// ReadItself is never called in a build without encoding/json/v2.
func ReadItself(any, []byte) error { return ErrDeclined }
