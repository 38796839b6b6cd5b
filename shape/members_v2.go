package shape

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// An Object describes a struct type as a JSON object by the rules of encoding/json/v2, which
// encoding/json also follows since Go 1.27.
type Object struct {
	// Members are in the order of declaration. Each member has a different field.
	Members []Member

	// Rest is the field that collects the members that no other field has, or nil. Its type is a
	// map with string keys or raw JSON, or a pointer to one of these.
	Rest *Member

	// Faults are the errors in the tags and the fields, in the order of discovery. encoding/json
	// ignores them; v2 refuses the type.
	Faults []Fault
}

// A Fault is an error in a struct type.
type Fault struct {
	Type reflect.Type // the struct type: the type of the object or of an embedded struct
	Err  error

	// Embeds is nil for most faults. Otherwise it is an embedded type, or the key type of an embedded
	// map, and the Fault matters only if this type has methods that encode or decode it.
	Embeds reflect.Type

	// Format is set for a fault in the tag option "format". encoding/json reports this fault,
	// although it ignores all others.
	Format bool
}

// Object returns the JSON object of a struct type. It is computed once and shared.
func (s *Shape) Object() *Object {
	s.object.once.Do(func() { s.object.of = s.walkObject() })
	return s.object.of
}

//lint:ignore ST1005 the standard library says so
var errNoFields = errors.New("Go struct has no exported fields")

// rawPackage and rawName identify the type of raw JSON.
const rawPackage, rawName = "encoding/json/jsontext", "Value"

// isRaw reports whether t is raw JSON: the jsontext.Value of the standard library or of this
// module, or encoding/json's RawMessage, which is the same type from Go 1.27 on.
func isRaw(t reflect.Type) bool {
	if t.Kind() != reflect.Slice {
		return false
	}
	switch pkg := t.PkgPath(); t.Name() {
	case rawName:
		return pkg == rawPackage || strings.HasSuffix(pkg, "/json/internal/stream")
	case "RawMessage":
		return pkg == "encoding/json"
	}
	return false
}

// An objectWalk collects the fields of a struct and of its embedded structs in breadth-first order.
type objectWalk struct {
	queue  []objectArea
	seen   map[*Shape]bool
	fields []Member
	rests  []Member
	faults []Fault
}

type objectArea struct {
	area
	inner bool // the walk descends into embedded structs
}

func (w *objectWalk) fault(t reflect.Type, format string, args ...any) {
	w.faults = append(w.faults, Fault{Type: t, Err: fmt.Errorf(format, args...)})
}

func (s *Shape) walkObject() *Object {
	w := objectWalk{queue: []objectArea{{area{shape: s}, true}}, seen: map[*Shape]bool{s: true}}
	for len(w.queue) > 0 {
		a := w.queue[0]
		w.queue = w.queue[1:]
		w.collect(a)
	}
	o := &Object{Faults: w.faults, Members: dominant(w.fields)}
	if n := len(w.rests); n == 1 || n > 1 && len(w.rests[0].Index) != len(w.rests[1].Index) {
		o.Rest = &w.rests[0]
	}
	return o
}

// collect collects the fields of the struct a.
func (w *objectWalk) collect(a objectArea) {
	t := a.shape.Type
	rest := ""                // the Go name of the field that collects unknown members
	names := map[string]int{} // indexes of fields by JSON name
	anyTag, anyField := false, false
	for i := range a.shape.Fields {
		f := &a.shape.Fields[i]
		tag, tagged := f.tag.Lookup("json")
		anyTag = anyTag || tagged
		m, skip, err := parseMember(f, tag, tagged)
		if err != nil {
			w.faults = append(w.faults, Fault{Type: t, Err: err})
		}
		if skip {
			continue
		}
		anyField = true
		m.Place = a.place(i)
		inner := f.Shape
		if inner.Kind == Pointer && inner.Type.Name() == "" {
			inner = inner.Elem
		}
		if f.Embedded && !m.tagged {
			if inner.Type.Kind() != reflect.Struct {
				w.fault(t, "embedded Go struct field %s of non-struct type must be explicitly given a JSON name", f.Name)
			} else {
				m.embed = true
			}
		}
		if m.embed && !w.embed(a, f, &m, inner, &rest) {
			continue
		}
		if !f.Exported {
			if !f.Embedded || inner.Type.Kind() != reflect.Struct {
				w.fault(t, "Go struct field %s is not exported", f.Name)
				continue
			}
			//lint:ignore ST1005 the standard library says so
			w.faults = append(w.faults, Fault{Type: t, Embeds: inner.Type, Err: fmt.Errorf("Go struct field %s is not exported for method calls", f.Name)})
		}
		if j, twice := names[m.Name]; twice {
			w.fault(t, "Go struct fields %s and %s conflict over JSON object name %q", a.shape.Fields[j].Name, f.Name, m.Name)
		}
		names[m.Name] = i
		m.order, m.Quoted = len(w.fields), m.String && quotable(f.Shape.Type)
		w.fields = append(w.fields, m)
		if m.Format != "" {
			w.fault(t, "Go struct field %s has unsupported `format` tag option", f.Name)
			w.faults[len(w.faults)-1].Format = true
		}
	}
	if len(a.shape.Fields) > 0 && !anyTag && !anyField {
		w.faults = append(w.faults, Fault{Type: t, Err: errNoFields})
	}
}

// embed adds a field whose members belong to the enclosing object. It returns true if the field
// cannot be embedded and is an ordinary member instead.
func (w *objectWalk) embed(a objectArea, f *Field, m *Member, inner *Shape, rest *string) (plain bool) {
	t := a.shape.Type
	if m.hasOptions || m.tagged {
		w.fault(t, "Go struct field %s cannot have any options other than `embed` specified", f.Name)
		if m.tagged {
			return true
		}
	}
	if !isRaw(inner.Type) {
		w.faults = append(w.faults, Fault{Type: t, Embeds: inner.Type,
			Err: fmt.Errorf("embedded Go struct field %s of type %s must not implement marshal or unmarshal methods", f.Name, inner.Type)})
	}
	switch {
	case inner.Type.Kind() == reflect.Struct:
		if a.inner {
			w.queue = append(w.queue, objectArea{m.Place.within(inner), !w.seen[inner]})
		}
		w.seen[inner] = true
		return false
	case !f.Exported:
		w.fault(t, "embedded Go struct field %s is not exported", f.Name)
		return false
	case isRaw(inner.Type):
	case inner.Kind == Map && inner.Key.Type.Kind() == reflect.String:
		w.faults = append(w.faults, Fault{Type: t, Embeds: inner.Key.Type,
			Err: fmt.Errorf("embedded map field %s of type %s must have a string key that does not implement marshal or unmarshal methods", f.Name, inner.Type)})
	default:
		w.fault(t, "embedded Go struct field %s of type %s must be a Go struct, Go map of string key, or jsontext.Value", f.Name, inner.Type)
		return true
	}
	if *rest != "" {
		w.fault(t, "embedded Go struct fields %s and %s cannot both be a Go map or jsontext.Value", *rest, f.Name)
	}
	*rest = f.Name
	w.rests = append(w.rests, *m)
	return false
}

func (m *Member) tag() int {
	if m.tagged {
		return 1
	}
	return 0
}

// Order returns the member's position in breadth-first order.
func (m *Member) Order() int { return m.order }
