//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"encoding/json"
	jsonv2 "encoding/json/v2"
	"io"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
)

// Interfaces with methods that take the standard library's streams.
var (
	standardMarshalerTo     = reflect.TypeFor[jsonv2.MarshalerTo]()
	standardUnmarshalerFrom = reflect.TypeFor[jsonv2.UnmarshalerFrom]()
)

// ReadsItself reports whether t has a decoding method that takes the standard library's stream.
func ReadsItself(t reflect.Type) bool {
	return t.Implements(standardUnmarshalerFrom) && t != reflect.TypeFor[*Number]()
}

// WritesItself reports whether t has an encoding method that takes the standard library's stream.
func WritesItself(t reflect.Type) bool {
	return t.Implements(standardMarshalerTo) && t != NumberType && t != reflect.TypeFor[*Number]()
}

// ReadItself decodes data with v's method, which takes the standard library's stream.
func ReadItself(v any, data []byte) error {
	err := jsonv2.Unmarshal(data, v, json.DefaultOptionsV1())
	if s, ok := err.(*SyntaxError); ok && s.Offset == int64(len(data)) && s.Error() == "unexpected end of JSON input" {
		return io.EOF // data is valid JSON, so the io.EOF comes from the method itself
	}
	return err
}

// StandardOptions returns those options in set that the standard library supports, except for the
// excluded flags. If stringed is set, numbers are in quotes.
func StandardOptions(set option.Set, excluded option.Flag, stringed bool) option.Options {
	set.On &^= excluded
	if stringed {
		set.Put(option.StringifyNumbers, true)
	}
	return set.Standard()
}
