package bind

import (
	"encoding"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/shape"
)

// A program is what is known about a struct type: where its fields come from
// and how to set them.
type program struct {
	path   []field
	header []field
	query  []field
	keys   table // of query
	err    *TypeError
}

// A field is one place to put a value.
type field struct {
	name    string // of the parameter; canonical for a header
	goPath  string // ".Base.Limit"
	source  Source
	hops    []shape.Hop // embedded pointers on the way
	offset  uintptr     // from the last of them, or from the struct
	value   *value
	repeats bool // takes all values of a name
}

// A value says how to set one type of thing from a string.
type value struct {
	op     op
	typ    reflect.Type
	elem   *value // of a pointer, an option or a slice
	at     uintptr
	flag   uintptr // of an option
	layout string  // of a time
}

type op uint8

const (
	opBool op = iota
	opInt8
	opInt16
	opInt32
	opInt64
	opUint8
	opUint16
	opUint32
	opUint64
	opFloat32
	opFloat64
	opString
	opBytes
	opTime
	opDuration
	opText  // encoding.TextUnmarshaler
	opParam // paramUnmarshaler
	opPointer
	opOption
	opSlice
)

var kindOps = map[shape.Kind]op{
	shape.Bool: opBool, shape.Int8: opInt8, shape.Int16: opInt16, shape.Int32: opInt32, shape.Int64: opInt64,
	shape.Uint8: opUint8, shape.Uint16: opUint16, shape.Uint32: opUint32, shape.Uint64: opUint64,
	shape.Float32: opFloat32, shape.Float64: opFloat64, shape.String: opString, shape.Bytes: opBytes,
}

// paramUnmarshaler is for types that read a parameter in another way than they
// read text.
type paramUnmarshaler interface{ UnmarshalParam(param string) error }

var (
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	paramType    = reflect.TypeFor[paramUnmarshaler]()
	durationType = reflect.TypeFor[time.Duration]()
)

var programs plan.Cache[program]

// programOf returns the program for a struct type. It compiles each type once;
// a type that cannot be bound has a program too, which holds the reason.
func programOf(t reflect.Type) *program {
	if p := programs.Get(t); p != nil {
		return p
	}
	return programs.Put(t, compile(t))
}

func compile(t reflect.Type) *program {
	p := &program{}
	if t.Kind() != reflect.Struct {
		p.err = &TypeError{Root: t, Type: t, Reason: "not a struct"}
		return p
	}
	s := shape.Of(t)
	if s.Kind != shape.Struct {
		p.err = &TypeError{Root: t, Type: t, Reason: "not a struct of fields"}
		return p
	}
	for _, from := range []struct {
		source Source
		tags   []string
		into   *[]field
	}{
		{FromPath, []string{"param", "path"}, &p.path},
		{FromHeader, []string{"header"}, &p.header},
		{FromQuery, []string{"query"}, &p.query},
	} {
		named := map[string]*shape.Field{}
		flats := s.Flatten(func(f *shape.Field) (name string, tagged, skip bool) {
			name, skip = nameOf(f, from.tags)
			if skip || name == "" {
				return "", false, skip || !f.Embedded
			}
			named[name] = f
			return name, true, false
		})
		if p.err = mistakes(s, from.tags, flats, named); p.err != nil {
			return p
		}
		for i := range flats {
			if !flats[i].Tagged {
				continue // an embedded field that is not a struct
			}
			f, err := compileField(s, &flats[i], from.source)
			if err != nil {
				p.err = err
				return p
			}
			*from.into = append(*from.into, f)
		}
	}
	p.keys = newTable(p.query)
	return p
}

// nameOf returns the name in the first of the tags that a field has. A name of
// "-" leaves the field out.
func nameOf(f *shape.Field, tags []string) (name string, skip bool) {
	for _, tag := range tags {
		if v, ok := f.Tag.Lookup(tag); ok {
			if name, _, _ = strings.Cut(v, ","); name != "" {
				return name, name == "-"
			}
		}
	}
	return "", false
}

// mistakes reports tags that promise what cannot be kept: on a field that is
// not exported, or the same name on several fields of one level.
func mistakes(s *shape.Shape, tags []string, flats []shape.Flat, named map[string]*shape.Field) *TypeError {
	for i := range s.Fields {
		f := &s.Fields[i]
		if name, skip := nameOf(f, tags); name != "" && !skip && !f.Exported && !f.Embedded {
			return &TypeError{Root: s.Type, Field: "." + f.Name, Type: f.Shape.Type, Reason: "it has a tag, but is not exported"}
		}
	}
	for i := range flats {
		delete(named, flats[i].Name)
	}
	for name, f := range named {
		return &TypeError{Root: s.Type, Field: "." + f.Name, Type: f.Shape.Type,
			Reason: "another field is tagged " + strconv.Quote(name) + " too"}
	}
	return nil
}

func compileField(root *shape.Shape, flat *shape.Flat, source Source) (field, *TypeError) {
	f := field{
		name: flat.Name, source: source, goPath: goPath(root.Type, flat.Index),
		hops: flat.Through, offset: flat.Offset,
	}
	if source == FromHeader {
		f.name = http.CanonicalHeaderKey(f.name)
	}
	refuse := func(reason string) (field, *TypeError) {
		return field{}, &TypeError{Root: root.Type, Field: f.goPath, Type: flat.Field.Shape.Type, Reason: reason}
	}
	for _, hop := range f.hops {
		if hop.Closed {
			return refuse("it is reached through an embedded pointer to a type that is not exported")
		}
	}
	v, reason := compileValue(flat.Field.Shape, flat.Field.Tag.Get("format"), true)
	if reason != "" {
		return refuse(reason)
	}
	f.value, f.repeats = v, v.repeats()
	return f, nil
}

// compileValue returns the reason if there is no way to set the type. Slices
// of slices would need two kinds of repetition, and HTTP has but one.
func compileValue(s *shape.Shape, layout string, mayRepeat bool) (v *value, reason string) {
	v = &value{typ: s.Type, layout: layout}
	pointer := reflect.PointerTo(s.Type)
	switch {
	case s.Kind == shape.Option:
		v.op, v.at, v.flag = opOption, s.Value, s.Present
		v.elem, reason = compileValue(s.Elem, layout, mayRepeat)
	case s.Kind == shape.Time:
		v.op = opTime
		if v.layout == "" {
			v.layout = time.RFC3339
		}
	case pointer.Implements(paramType) && s.Kind != shape.Pointer:
		v.op = opParam
	case pointer.Implements(textType) && s.Kind != shape.Pointer:
		v.op = opText
	case s.Type == durationType:
		v.op = opDuration
	case s.Kind == shape.Pointer:
		v.op = opPointer
		v.elem, reason = compileValue(s.Elem, layout, mayRepeat)
	case s.Kind == shape.Slice:
		if !mayRepeat {
			return nil, "a slice of slices"
		}
		v.op = opSlice
		v.elem, reason = compileValue(s.Elem, layout, false)
	default:
		o, ok := kindOps[s.Kind]
		if !ok {
			return nil, "no text form is known for it"
		}
		v.op = o
	}
	return v, reason
}

// repeats reports whether the value takes all values of a key.
func (v *value) repeats() bool {
	for ; v != nil; v = v.elem {
		if v.op == opSlice {
			return true
		}
	}
	return false
}

func goPath(t reflect.Type, index []int) string {
	var b strings.Builder
	for _, i := range index {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f := t.Field(i)
		b.WriteByte('.')
		b.WriteString(f.Name)
		t = f.Type
	}
	return b.String()
}

// place returns the address that the field's offset counts from, following the
// embedded pointers and setting those that are nil.
func (f *field) place(root mem.Pointer) mem.Pointer {
	if len(f.hops) == 0 {
		return root
	}
	return f.follow(root)
}

func (f *field) follow(root mem.Pointer) mem.Pointer {
	for i := range f.hops {
		next := root.Elem(f.hops[i].Offset)
		if next.IsNil() {
			next = root.SetNew(f.hops[i].Offset, f.hops[i].Elem.Type)
		}
		root = next
	}
	return root
}
