package api

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"

	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
)

// answerJSON returns the options by which answers of a type are encoded: the rules of
// encoding/json, without the members that are tagged writeOnly. Where the standard library is
// the engine of the program, it encodes the types that have no such members.
func answerJSON(t reflect.Type) json.Config {
	return json.Config{OmitWriteOnly: json.EngineByDefault() != json.StdEngine || t != nil && hidesMembers(shape.Of(t))}
}

// appendAnswer appends the encoding of v by answerJSON.
func appendAnswer(dst []byte, v any) ([]byte, error) {
	return answerJSON(reflect.TypeOf(v)).Append(dst, v)
}

// answerOptions adds the option of answerJSON to the options of an operation, if it has any.
func answerOptions(opts []jsonv2.Options, t reflect.Type) []jsonv2.Options {
	if len(opts) == 0 {
		return nil
	}
	return []jsonv2.Options{jsonv2.JoinOptions(append(slices.Clone(opts), jsonv2.OmitWriteOnly(answerJSON(t).OmitWriteOnly))...)}
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// writesItself reports whether a method of s makes its JSON. Nobody looks into such a type.
func writesItself(s *shape.Shape) bool {
	t := reflect.PointerTo(s.Type)
	return s.Kind != shape.Option && s.Union == nil && (t.Implements(jsonMarshaler) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()))
}

// hidesMembers reports whether a member of s is tagged writeOnly.
func hidesMembers(s *shape.Shape) bool {
	return reachesMember(s, (*shape.Field).WriteOnly, map[*shape.Shape]bool{})
}

// keepsMembers reports whether a member of s is tagged readOnly.
func keepsMembers(s *shape.Shape) bool {
	return reachesMember(s, (*shape.Field).ReadOnly, map[*shape.Shape]bool{})
}

// reachesMember reports whether a member of s, or of a type that s holds, is one that is asked
// for. Met has the shapes that were asked.
func reachesMember(s *shape.Shape, is func(*shape.Field) bool, met map[*shape.Shape]bool) bool {
	if s == nil || met[s] {
		return false
	}
	met[s] = true
	if s.Union != nil {
		return slices.ContainsFunc(s.Union.Cases, func(c shape.Case) bool { return reachesMember(c.Elem, is, met) })
	}
	if s.Kind != shape.Struct || writesItself(s) {
		return s.Kind != shape.Struct && reachesMember(s.Elem, is, met)
	}
	return slices.ContainsFunc(s.Members(), func(m shape.Member) bool {
		return is(m.Field) || reachesMember(m.Field.Shape, is, met)
	})
}

// noStreamWithin returns an error if a member of s is a stream: only a whole body can be sent
// while it is made.
func noStreamWithin(s *shape.Shape) error {
	var found reflect.Type
	reachesMember(s, func(f *shape.Field) bool {
		for held := f.Shape; held != nil && found == nil; held = held.Elem {
			if isStream(held.Type) {
				found = held.Type
			}
			if held.Kind == shape.Struct || held.Elem == held {
				break
			}
		}
		return found != nil
	}, map[*shape.Shape]bool{})
	if found != nil {
		return fmt.Errorf("%v holds %v, which is sent while it is made and can only be the whole body", s.Type, found)
	}
	return nil
}
