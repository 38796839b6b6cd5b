package message

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/shape"
)

// AnswerJSON returns the options that encode answers of a type: the rules of encoding/json, but
// members tagged writeOnly are omitted. If the program selects the standard library as its JSON
// engine, that engine encodes only types without members tagged writeOnly.
func AnswerJSON(t reflect.Type) json.Config {
	return json.Config{OmitWriteOnly: json.EngineByDefault() != json.StdEngine || t != nil && HidesMembers(shape.Of(t))}
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// writesItself reports whether a method of the type writes its JSON, so that the JSON does not
// depend on the fields.
func writesItself(s *shape.Shape) bool {
	t := reflect.PointerTo(s.Type)
	return s.Kind != shape.Option && s.Union == nil && (t.Implements(jsonMarshaler) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()))
}

// HidesMembers reports whether a member of s is tagged writeOnly.
func HidesMembers(s *shape.Shape) bool {
	return reachesMember(s, func(m *shape.Member) bool { return m.Field.WriteOnly() }, map[*shape.Shape]bool{})
}

// KeepsMembers reports whether a member of s is tagged readOnly.
func KeepsMembers(s *shape.Shape) bool {
	return reachesMember(s, func(m *shape.Member) bool { return m.Field.ReadOnly() }, map[*shape.Shape]bool{})
}

// reachesMember reports whether the function match returns true for a member of s, or for a member
// of a type inside s. visited contains the shapes that have been visited.
func reachesMember(s *shape.Shape, match func(*shape.Member) bool, visited map[*shape.Shape]bool) bool {
	if s == nil || visited[s] {
		return false
	}
	visited[s] = true
	if s.Union != nil {
		return slices.ContainsFunc(s.Union.Cases, func(c shape.Case) bool { return reachesMember(c.Elem, match, visited) })
	}
	if s.Sum != nil {
		return slices.ContainsFunc(s.Sum.Cases, func(c shape.SumCase) bool { return reachesMember(c.Shape, match, visited) })
	}
	if s.Kind != shape.Struct || writesItself(s) {
		return s.Kind != shape.Struct && reachesMember(s.Elem, match, visited)
	}
	return slices.ContainsFunc(s.Members(), func(m shape.Member) bool {
		return match(&m) || reachesMember(m.Field.Shape, match, visited)
	})
}

// Decodable returns an error if a member of s is in an embedded pointer to an unexported struct:
// package json writes the member, but cannot read it, because it cannot set the pointer.
func Decodable(s *shape.Shape) (err error) {
	reachesMember(s, func(m *shape.Member) bool {
		if m.Closed() || !m.Field.Exported && m.Field.Shape.Kind == shape.Pointer {
			err = fmt.Errorf("the member %q of %v is in an embedded pointer to an unexported struct (%s), which cannot be decoded: export the struct or embed it by value", m.Name, s.Type, m.GoPath())
		}
		return err != nil
	}, map[*shape.Shape]bool{})
	return err
}

// noStreamWithin returns an error if a member of s is a stream: only a whole body can be
// streamed.
func noStreamWithin(s *shape.Shape) error {
	var found reflect.Type
	reachesMember(s, func(m *shape.Member) bool {
		for held := m.Field.Shape; held != nil && found == nil; held = held.Elem {
			if streamType(held.Type) != nil {
				found = held.Type
			}
			if held.Kind == shape.Struct || held.Elem == held {
				break
			}
		}
		return found != nil
	}, map[*shape.Shape]bool{})
	if found != nil {
		return fmt.Errorf("%v contains %v, which is a stream and can only be the whole body", s.Type, found)
	}
	return nil
}
