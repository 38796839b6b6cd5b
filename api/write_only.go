package api

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// writesItself reports whether JSON of s is made by a method, which decides what is in it.
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

// noStreamWithin returns an error if a member of s is sent while it is made, which only a
// whole body can be.
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

// hiding tells of types that are met while the program runs whether they hide members.
var hiding sync.Map

// appendJSON appends the JSON of v, by the rules of encoding/json, without members that are
// tagged writeOnly.
func appendJSON(dst []byte, v any) ([]byte, error) {
	out, err := json.Append(dst, v)
	t := reflect.TypeOf(v)
	if err != nil || t == nil {
		return out, err
	}
	hides, known := hiding.Load(t)
	if !known {
		hides, _ = hiding.LoadOrStore(t, hidesMembers(shape.Of(t)))
	}
	if hides == true {
		out = append(dst, withoutWriteOnly(shape.Of(t), out[len(dst):])...)
	}
	return out, nil
}

// withoutWriteOnly returns text, which package json has made of a value of s, without the
// members that are tagged writeOnly.
func withoutWriteOnly(s *shape.Shape, text []byte) []byte {
	h := hider{d: jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	h.value(s)
	return h.out
}

type hider struct {
	d   *jsontext.Decoder
	out []byte
}

// raw copies a value or a name.
func (h *hider) raw() {
	text, _ := h.d.ReadValue()
	h.out = append(h.out, text...)
}

func (h *hider) value(s *shape.Shape) {
	for s != nil && s.Held() != nil {
		s = s.Held()
	}
	switch kind := h.d.PeekKind(); {
	case s == nil, kind != '{' && kind != '[':
		h.raw()
	case kind == '[' && (s.Kind == shape.Slice || s.Kind == shape.Array):
		h.list(']', func() { h.value(s.Elem) })
	case kind == '{' && s.Kind == shape.Map:
		h.list('}', func() { h.member(s.Elem) })
	case kind == '{' && s.Union != nil:
		h.list('}', func() { h.named(func(name string) *shape.Shape { return caseNamed(s.Union, name) }) })
	case kind == '{' && s.Kind == shape.Struct && !writesItself(s):
		h.object(s)
	default:
		h.raw()
	}
}

func caseNamed(u *shape.Union, name string) *shape.Shape {
	for _, c := range u.Cases {
		if c.Name == name {
			return c.Elem
		}
	}
	return nil
}

// object copies the members of a struct that may be sent.
func (h *hider) object(s *shape.Shape) {
	members := s.Members()
	h.list('}', func() {
		mark := len(h.out)
		h.named(func(name string) *shape.Shape {
			i := slices.IndexFunc(members, func(m shape.Member) bool { return m.Name == name })
			switch {
			case i < 0:
				return nil
			case members[i].Field.WriteOnly():
				_ = h.d.SkipValue()
				h.out = h.out[:mark]
				return skipped
			}
			return members[i].Field.Shape
		})
	})
}

// skipped stands for a member whose value has been read.
var skipped = new(shape.Shape)

// named copies a member whose shape depends on its name.
func (h *hider) named(of func(name string) *shape.Shape) {
	start := len(h.out)
	h.raw()
	name, _ := jsontext.AppendUnquote(nil, h.out[start:])
	h.out = append(h.out, ':')
	if s := of(string(name)); s != skipped {
		h.value(s)
	}
}

func (h *hider) member(s *shape.Shape) { h.named(func(string) *shape.Shape { return s }) }

// list copies an array or an object, with a comma between elements that were copied.
func (h *hider) list(end jsontext.Kind, one func()) {
	open, _ := h.d.ReadToken()
	h.out = append(h.out, byte(open.Kind()))
	first := len(h.out)
	for h.d.PeekKind() != end && h.d.PeekKind() != jsontext.KindInvalid {
		mark := len(h.out)
		if mark > first {
			h.out = append(h.out, ',')
		}
		before := len(h.out)
		if one(); len(h.out) == before {
			h.out = h.out[:mark]
		}
	}
	_, _ = h.d.ReadToken()
	h.out = append(h.out, byte(end))
}
