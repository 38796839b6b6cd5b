package wire

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/hone-go/hone/shape"
)

// A program encodes and decodes one type: a flat list of instructions over an
// address. The fields of nested structs and the elements of short arrays lie in
// it one after the other; what repeats or may be absent has a program of its
// own, so a recursive type is a program that refers to itself.
type program struct {
	code  []instr
	names []string // of each instruction: its path from the start of the program
	types []reflect.Type
	refs  []ref
	typ   reflect.Type
	least int // bytes of the shortest encoding
	// factor is the memory that a decode may take for each byte of input, if
	// the limits leave it to the type. It is set on the program of the type
	// that was asked for.
	factor int
	err    *TypeError // if set, the type cannot be encoded
}

// An instr is one step: op works on what lies off bytes from the address. The
// meaning of arg is op's: an index into refs, or a number of bytes.
type instr struct {
	op  op
	off uint32
	arg uint32
}

type op uint8

const (
	opBool op = iota
	opByte
	opInt8
	opInt16
	opInt32
	opInt64
	opUint16
	opUint32
	opUint64
	opFloat32
	opFloat64
	opComplex64
	opComplex128
	opString
	opBytes
	opByteArray // arg: its length
	opTime
	opStrings // slices of plain elements, each in a loop of its own
	opInt32s
	opInt64s
	opUint32s
	opUint64s
	opFloat32s
	opFloat64s
	opSlice // from here on arg is an index into refs
	opArray
	opPointer
	opOption
	opMap
	opBinary // by the type's own methods
	opText
)

// A ref is what an instruction needs to know beyond a number.
type ref struct {
	program *program     // of the element, the pointee or the optional value
	shape   *shape.Shape // of what the instruction works on
	stride  uintptr      // bytes from one element to the next
	value   uintptr      // of an option: offset of the value behind the flag
	cast    mapCast      // of a map: its plain form, or nil
	key     *program     // of a map
	scratch *sync.Pool   // of a map without a cast: *mapScratch
	methods bool         // of such a map: methods see its keys or elements
	append  appendMethod // of opBinary and opText
}

// compile makes and keeps the program of t.
func compile(t reflect.Type) *program {
	c := compiler{root: t, programs: map[*shape.Shape]*program{}, factor: minFactor}
	p := c.program(shape.Of(t), "")
	p.factor = int(min(c.factor, maxFactor))
	if c.err != nil {
		p = &program{typ: t, err: c.err}
	}
	return programs.Put(t, p)
}

// A decoder takes memory for what its input holds, and an encoding holds at least
// so many bytes for each element of a slice, entry of a map and pointer: their
// ratio bounds what any valid encoding of a type needs. Every part of the input
// is counted once, so the largest ratio in the type is enough for all of it.
const (
	minFactor = 64
	maxFactor = 4096
)

// costs notes that size bytes of memory stand for at least least bytes of input.
func (c *compiler) costs(size uintptr, least int) {
	c.factor = max(c.factor, (uint64(size)+uint64(least)-1)/uint64(max(least, 1)))
}

type compiler struct {
	root     reflect.Type
	factor   uint64
	programs map[*shape.Shape]*program
	err      *TypeError
}

// program returns the program of s, which stands at path under the root. A
// program that is still being made is returned as it is.
func (c *compiler) program(s *shape.Shape, path string) *program {
	if p := c.programs[s]; p != nil {
		return p
	}
	p := &program{typ: s.Type, least: least(s)}
	c.programs[s] = p
	c.emit(p, s, 0, "", path)
	return p
}

func (c *compiler) fail(s *shape.Shape, path, format string, args ...any) {
	if c.err == nil {
		c.err = &TypeError{Root: c.root, Path: path, Type: s.Type, Reason: fmt.Sprintf(format, args...)}
	}
}

// unrolled is the number of instructions that an array may take in its
// program's own code; a longer one gets a loop.
const unrolled = 8

// emit adds the instructions for an s at off. Name is the path from the start
// of p, path that from the root.
func (c *compiler) emit(p *program, s *shape.Shape, off uintptr, name, path string) {
	if off > math.MaxUint32 {
		c.fail(s, path, "lies past the first 4 GiB of its struct")
		return
	}
	add := func(o op, arg uint32) {
		p.code = append(p.code, instr{o, uint32(off), arg})
		p.names = append(p.names, name)
		p.types = append(p.types, s.Type)
	}
	addRef := func(o op, r ref) {
		r.shape = s
		p.refs = append(p.refs, r)
		add(o, uint32(len(p.refs)-1))
	}
	if s.Kind != shape.Time && s.Kind != shape.Option {
		if o, m, ok := methodsOf(s.Type); ok {
			addRef(o, ref{append: m})
			return
		}
	}
	switch s.Kind {
	case shape.Bool, shape.Float32, shape.Float64, shape.Complex64, shape.Complex128, shape.String,
		shape.Bytes, shape.Time, shape.Int8, shape.Int16, shape.Int32, shape.Int64,
		shape.Uint8, shape.Uint16, shape.Uint32, shape.Uint64:
		if s.Kind == shape.Bytes && hasMethods(s.Elem.Type) {
			addRef(opSlice, ref{program: c.program(s.Elem, path+"[]"), stride: s.Elem.Size})
			return
		}
		add(plainOps[s.Kind], 0)
	case shape.Slice:
		if o, ok := sliceOps[s.Elem.Kind]; ok && !hasMethods(s.Elem.Type) {
			add(o, 0)
			return
		}
		c.costs(s.Elem.Size, least(s.Elem))
		addRef(opSlice, ref{program: c.program(s.Elem, path+"[]"), stride: s.Elem.Size})
	case shape.Array:
		switch {
		case s.Len == 0 || least(s.Elem) == 0:
			c.program(s.Elem, path+"[]") // which may find that it cannot be encoded
		case s.Elem.Kind == shape.Uint8 && !hasMethods(s.Elem.Type) && s.Len <= math.MaxInt32:
			add(opByteArray, uint32(s.Len))
		case s.Len <= unrolled && s.Elem.Kind < shape.Slice:
			for i := range s.Len {
				c.emit(p, s.Elem, off+uintptr(i)*s.Elem.Size, index(name, i), path+"[]")
			}
		default:
			addRef(opArray, ref{program: c.program(s.Elem, path+"[]"), stride: s.Elem.Size})
		}
	case shape.Pointer:
		c.costs(s.Elem.Size, 1+least(s.Elem))
		addRef(opPointer, ref{program: c.program(s.Elem, path)})
	case shape.Option:
		// The flag is at off; a zero-size value lies at it too.
		r := ref{program: c.program(s.Elem, path), value: s.Value - s.Present}
		off += s.Present
		addRef(opOption, r)
	case shape.Map:
		c.costs(s.Key.Size+s.Elem.Size+mapOverhead, least(s.Key)+least(s.Elem))
		r := ref{key: c.program(s.Key, path+"[key]"), program: c.program(s.Elem, path+"[]")}
		if !hasMethods(s.Key.Type) && !hasMethods(s.Elem.Type) {
			r.cast = castOf(s.Key.Kind, s.Elem.Kind)
		}
		if r.cast == nil {
			r.scratch = scratchOf(s)
			r.methods = callsMethods(s.Key) || callsMethods(s.Elem)
		}
		addRef(opMap, r)
	case shape.Struct:
		c.emitStruct(p, s, off, name, path)
	case shape.Interface:
		c.fail(s, path, "an interface does not say which type to decode")
	default:
		c.fail(s, path, "a %v has no meaning outside this process", s.Kind)
	}
}

func (c *compiler) emitStruct(p *program, s *shape.Shape, off uintptr, name, path string) {
	hidden := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		tag, _, _ := strings.Cut(f.Tag.Get("wire"), ",")
		embedded := f.Embedded && f.Shape.Kind == shape.Struct
		if tag == "-" {
			continue
		}
		if !f.Exported && !embedded {
			if f.Embedded && f.Shape.Kind == shape.Pointer && f.Shape.Elem.Kind == shape.Struct {
				c.fail(f.Shape, path+"."+f.Name, "an embedded pointer to an unexported struct cannot be set; tag it `wire:\"-\"`")
			}
			hidden++
			continue
		}
		c.emit(p, f.Shape, off+f.Offset, name+"."+f.Name, path+"."+f.Name)
	}
	if hidden > 0 && hidden == len(s.Fields) {
		c.fail(s, path, "no field is exported and there are no marshal methods")
	}
}

// callsMethods reports whether a program for s hands the memory that it runs
// over, or a part of it, to a type's own methods, which may keep it.
func callsMethods(s *shape.Shape) bool {
	switch s.Kind {
	case shape.Time:
		return false
	case shape.Option:
		return callsMethods(s.Elem)
	}
	if hasMethods(s.Type) {
		return true
	}
	if s.Kind == shape.Array {
		return callsMethods(s.Elem)
	}
	for i := range s.Fields {
		if callsMethods(s.Fields[i].Shape) {
			return true
		}
	}
	return false
}

var plainOps = [...]op{
	shape.Bool: opBool, shape.Int8: opInt8, shape.Uint8: opByte,
	shape.Int16: opInt16, shape.Int32: opInt32, shape.Int64: opInt64,
	shape.Uint16: opUint16, shape.Uint32: opUint32, shape.Uint64: opUint64,
	shape.Float32: opFloat32, shape.Float64: opFloat64,
	shape.Complex64: opComplex64, shape.Complex128: opComplex128,
	shape.String: opString, shape.Bytes: opBytes, shape.Time: opTime,
}

var sliceOps = map[shape.Kind]op{
	shape.String: opStrings, shape.Int32: opInt32s, shape.Int64: opInt64s,
	shape.Uint32: opUint32s, shape.Uint64: opUint64s,
	shape.Float32: opFloat32s, shape.Float64: opFloat64s,
}

// least returns the bytes of the shortest encoding of an s. It looks no further
// than what is always there, so it ends on every type.
func least(s *shape.Shape) int {
	if s.Kind != shape.Time && s.Kind != shape.Option && hasMethods(s.Type) {
		return 1
	}
	switch s.Kind {
	case shape.Float32:
		return 4
	case shape.Float64, shape.Complex64:
		return 8
	case shape.Complex128:
		return 16
	case shape.Time:
		return 3
	case shape.Array:
		if n := least(s.Elem); n == 0 || s.Len <= math.MaxInt32/n {
			return s.Len * n
		}
		return math.MaxInt32
	case shape.Struct:
		n := 0
		for i := range s.Fields {
			f := &s.Fields[i]
			if tag, _, _ := strings.Cut(f.Tag.Get("wire"), ","); tag == "-" {
				continue
			}
			if f.Exported || f.Embedded && f.Shape.Kind == shape.Struct {
				n = min(n+least(f.Shape), math.MaxInt32)
			}
		}
		return n
	}
	return 1
}

var (
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// methodsOf returns the instruction for a type that encodes itself: it, or a
// pointer to it, has both halves of a pair of package encoding.
func methodsOf(t reflect.Type) (op, appendMethod, bool) {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return 0, nil, false
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(binaryAppender) && p.Implements(binaryUnmarshaler):
		return opBinary, callAppendBinary, true
	case p.Implements(binaryMarshaler) && p.Implements(binaryUnmarshaler):
		return opBinary, callMarshalBinary, true
	case p.Implements(textAppender) && p.Implements(textUnmarshaler):
		return opText, callAppendText, true
	case p.Implements(textMarshaler) && p.Implements(textUnmarshaler):
		return opText, callMarshalText, true
	}
	return 0, nil, false
}

func hasMethods(t reflect.Type) bool {
	_, _, ok := methodsOf(t)
	return ok
}
