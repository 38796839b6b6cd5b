package decode

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Code is the generated decoder of a struct type: a function that reads the object at position i of the text
// into the zeroed struct at a, as the method readStruct does in one pass. It returns the position
// after the object, or a negative number to give up. o describes a struct type with the same fingerprint.
//
// The function compares each member only with the fields after the previous member's field. It reads the members
// that come in the order of the fields, and leaves all others to [Decoder.CloseObject].
type Code = rules.Code[func(d *Decoder, o *Object, i int, a mem.Pointer) int]

// Generated is implemented by pointers to types with generated decoders.
type Generated interface{ HoneDecodeJSON() Code }

// attach sets the generated code of the nodes that c has compiled. It ignores generated code whose
// fingerprint differs from the fingerprint of the node.
func (c *Compiler) attach() {
	codes := rules.Codes[func(*Decoder, *Object, int, mem.Pointer) int]{}
	for key := range c.nodes {
		codes.Add(key.Shape, func(pointer any) (code Code, ok bool) {
			if g, ok := pointer.(Generated); ok {
				return g.HoneDecodeJSON(), true
			}
			return Code{}, false
		})
	}
	if len(codes) == 0 {
		return
	}
	for key, n := range c.nodes {
		code := codes[key.Shape.Type]
		switch {
		case n.Op != NodeStruct || code.Run == nil:
		case code.Fingerprint == c.Mode.fingerprint(n):
			n.generated = code.Run
		// Code is generated for the rules of version 1, so for other rules a different fingerprint
		// is expected. In version 1 a different fingerprint means that the code is out of date.
		case c.Mode.IsV1() && !isCurrent(key.Shape, code.Fingerprint):
			rules.ReportStale(key.Shape.Type)
		}
	}
}

// isCurrent reports whether the fingerprint want matches a node of version 1 for values of shape s, by the
// rules of any release.
func isCurrent(s *shape.Shape, want uint64) bool {
	for i := range v1 {
		if n := v1[i].interpreted(s); n.Op == NodeStruct && v1[i].fingerprint(n) == want {
			return true
		}
	}
	return false
}

// The methods below are for generated code. They take and return positions in the text. They return
// a negative position to give up the pass. CloseObject, Name and NextName also accept a negative
// position: Name then returns "", and the others return a negative position.

// Seen is the set of the fields that an object has, as bits.
type Seen [directFields / 64]uint64

// OpenObject returns the position of the first name in the object at i, or of the closing brace.
func (d *Decoder) OpenObject(i int) int {
	i = syntax.SkipSpace(d.Data, i+1)
	if d.depth++; i >= len(d.Data) || d.depth > syntax.MaxDepth {
		return -1
	}
	return i
}

// CloseObject reads the members from position i on, up to the closing brace, and returns the position after
// it. seen has the fields of the struct at a that were read before.
func (d *Decoder) CloseObject(o *Object, i int, seen *Seen, a mem.Pointer) int {
	if i < 0 {
		return -1
	}
	more := d.Data[i] != '}'
	if !more {
		d.depth--
		i++
	}
	return d.readMembers(o, i, more, seen, a, 0)
}

// Name returns the n bytes at position i, or "" if the text is shorter. The string is valid until
// the text is modified.
func (d *Decoder) Name(i, n int) string {
	if i < 0 || n > len(d.Data)-i {
		return ""
	}
	return mem.String(d.Data[i : i+n])
}

// AfterColon returns the position of the value after the colon at i.
func (d *Decoder) AfterColon(i int) int {
	if i+1 < len(d.Data) && d.Data[i] == ':' && d.Data[i+1] > ' ' {
		return i + 1
	}
	return d.readColon(i)
}

// NextName returns the position of the name after the comma at i, or of the closing brace at i.
func (d *Decoder) NextName(i int) int {
	if i >= 0 && i+1 < len(d.Data) && d.Data[i] == ',' && d.Data[i+1] == '"' {
		return i + 1
	}
	return d.nextName(i)
}

// nextName is like NextName, with white space.
func (d *Decoder) nextName(i int) int {
	if i < 0 {
		return -1
	}
	if i = syntax.SkipSpace(d.Data, i); i >= len(d.Data) {
		return -1
	}
	switch d.Data[i] {
	case '}':
		return i
	case ',':
		// Only a name may follow a comma.
		if i = syntax.SkipSpace(d.Data, i+1); i < len(d.Data) && d.Data[i] == '"' {
			return i
		}
	}
	return -1
}

// ReadValue reads the value at i into a, the address of field number k of o. It returns the
// position after the value.
func (d *Decoder) ReadValue(o *Object, k, i int, a mem.Pointer) int {
	return d.read(o.fields[k].node, i, a, 0)
}

// ReadStructField is like ReadValue, but a is the address of the struct.
func (d *Decoder) ReadStructField(o *Object, k, i int, a mem.Pointer) int {
	return d.read(o.fields[k].node, i, a, o.fields[k].offset)
}

// ReadString returns the string at i, which begins with a quote, and the position after it.
func (d *Decoder) ReadString(i int) (string, int) { return d.readString(i) }

// A Field describes a field of a struct for the printer of generated code. The fields of a type are
// the same on all platforms and with all build tags.
type Field struct {
	// Form says how generated code reads the field.
	Form Form
	// Name is the name of the member.
	Name string
	// Path contains the names of the Go fields from the struct to the field.
	Path []string
	// Package is the package that declares the unexported fields in Path, or "" if there are none.
	Package string
	// Type is the type of the field.
	Type reflect.Type
}

// A Form says how generated code reads a field.
type Form uint8

const (
	FormEngine Form = iota // the engine reads the value
	FormBool
	FormInt
	FormUint
	FormFloat64
	FormString
)

// formOf returns the form of the values of n.
func formOf(n *Node) Form {
	switch {
	case n.Op >= nodeInt8 && n.Op <= nodeInt64:
		return FormInt
	case n.Op >= NodeUint8 && n.Op <= nodeUint64:
		return FormUint
	case n.Op == NodeFloat64:
		return FormFloat64
	case n.Op == NodeBool:
		return FormBool
	case n.Op == NodeString:
		return FormString
	}
	return FormEngine
}

// fieldsOf returns the fields of the struct type of n.
func (m *Mode) fieldsOf(n *Node) []Field {
	members, _ := m.MembersOf(n.Shape)
	all := make([]Field, len(members))
	for i := range members {
		f := &all[i]
		f.Form, f.Name, f.Path, f.Type = formOf(n.object.fields[i].node), members[i].Name, members[i].Names(), members[i].Field.Shape.Type
		f.Package = packageOf(n.Shape, f.Path)
	}
	return all
}

// packageOf returns the package that declares the unexported fields on the path from s, or "".
func packageOf(s *shape.Shape, path []string) (unexported string) {
	pkg := ""
	for _, name := range path {
		if p := s.Type.PkgPath(); p != "" {
			pkg = p // a struct type without a name belongs to the type that contains it
		}
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Name == name {
				if !f.Exported {
					unexported = pkg
				}
				s = f.Shape
				break
			}
		}
	}
	return unexported
}

// fingerprintVersion is a part of each fingerprint. Change it to make all existing generated code
// out of date.
const fingerprintVersion = 1

// fingerprint returns a number that depends on everything on which generated code for n relies: the
// names, paths, types and forms of the fields.
func (m *Mode) fingerprint(n *Node) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, fingerprintVersion, shape.TypeName(n.Shape.Type), len(n.object.fields))
	for _, f := range m.fieldsOf(n) {
		// %#v quotes strings, so that two different lists of fields never become the same text.
		fmt.Fprintf(h, "%d %#v %#v %#v %d\n", f.Form, f.Name, f.Path, shape.TypeName(f.Type), f.Type.Kind())
	}
	return h.Sum64()
}

// interpreted returns the node for values of shape s without generated code.
func (m *Mode) interpreted(s *shape.Shape) *Node {
	c := Compiler{Mode: m, nodes: map[Key]*Node{}}
	return c.Node(Key{Shape: s, Methods: true, Most: math.MaxInt})
}

// Fields returns the fields of the struct type t by the rules of version 1 for Go 1.27, and their
// fingerprint, whatever the linked release of Go is. ok is false if no decoder can be generated for t, because
// values of t are not decoded in one pass.
func Fields(t reflect.Type) (all []Field, fingerprint uint64, ok bool) {
	m := &v1[0]
	n := m.interpreted(shape.Of(t))
	if n.Op != NodeStruct || !isDirect(n, map[*Node]bool{}) {
		return nil, 0, false
	}
	return m.fieldsOf(n), m.fingerprint(n), true
}
