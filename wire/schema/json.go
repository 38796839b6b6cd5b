package schema

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/wire/internal/program"
)

// A DecodeError reports input that does not match a schema. Its cause is one of
// those of wire.DecodeError.
type DecodeError struct {
	Offset int    // bytes from the start of the input
	Path   string // ".Items[3].Price", behind "record 5" in a stream; "" at the root
	Err    error  // the cause; never nil
}

func (e *DecodeError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("byte %d: %s: %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// AppendJSON appends the value that data is the encoding of to dst, as JSON. The
// schema has passed [Schema.Check].
//
// Bytes, unknown fields that a struct keeps and what a type's own binary method made are base64, NaN and infinities
// strings, integers of more than 64 bits hexadecimal strings, and maps whose keys are not strings, numbers or bools lists of pairs.
//
// A raw is the value that it holds, null if it is empty. What stands in the place of a
// field that was removed is read, and left out.
//
// The error is a [*DecodeError]. What was decoded before the fault is appended
// all the same, and is no valid JSON. The memory that the text takes is bounded by
// the product of the lengths of data and of the schema.
func (s *Schema) AppendJSON(dst, data []byte) ([]byte, error) {
	r := reader{schema: s, in: data, out: dst}
	err := r.run(func() {
		r.value(s.Type, "", program.DefaultDepth)
		r.end("")
	})
	return r.out, err
}

// AppendJSONLines is [Schema.AppendJSON] for the records that a wire.Encoder has
// written, each behind its length: a line of JSON for each.
func (s *Schema) AppendJSONLines(dst, data []byte) ([]byte, error) {
	r := reader{schema: s, in: data, out: dst}
	err := r.run(func() {
		for i := 0; r.pos < len(data); i++ {
			path := "record " + strconv.Itoa(i)
			n := r.length(program.LenVarint, path, 1)
			r.in = data[:r.pos+n]
			r.value(s.Type, path, program.DefaultDepth)
			r.end(path)
			r.in = data
			r.out = append(r.out, '\n')
		}
	})
	return r.out, err
}

// A reader decodes by a schema and writes JSON as it goes. Its methods panic with
// a *DecodeError at a fault, which run returns.
type reader struct {
	schema *Schema
	in     []byte
	pos    int
	out    []byte
	skips  bool          // what is read was removed: numbers need not fit
	empty  int           // values so far that took no bytes
	leasts map[*Type]int // what least has found out
}

// maxEmpty is how many values are read that take no bytes, all in all: a few
// bytes may announce any number of them.
const maxEmpty = 1 << 16

func (r *reader) run(read func()) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			e, ok := fault.(*DecodeError)
			if !ok {
				panic(fault)
			}
			err = e
		}
	}()
	read()
	return nil
}

func (r *reader) fail(pos int, path string, cause error) {
	panic(&DecodeError{Offset: pos, Path: path, Err: cause})
}

func (r *reader) end(path string) {
	if r.pos < len(r.in) {
		r.fail(r.pos, path, program.ErrTrailing)
	}
}

func (r *reader) bytes(n int, path string) []byte {
	if n > len(r.in)-r.pos {
		r.fail(len(r.in), path, program.ErrTruncated)
	}
	r.pos += n
	return r.in[r.pos-n : r.pos]
}

func (r *reader) uvarint(path string) uint64 {
	v, next := program.Uvarint(r.in, r.pos)
	if next == 0 {
		at, cause := program.UvarintFault(r.in, r.pos)
		r.fail(at, path, cause)
	}
	r.pos = next
	return v
}

// length reads a length and checks that so many parts of at least least bytes
// may follow.
func (r *reader) length(form program.Len, path string, least int) int {
	n, next, cause := program.Count(r.in, r.pos, form, least)
	if cause != nil {
		r.fail(next, path, cause)
	}
	r.pos = next
	return n
}

func (r *reader) block(form program.Len, path string) []byte {
	return r.bytes(r.length(form, path, 1), path)
}

// fixed reads a number of width bytes.
func (r *reader) fixed(width int, big bool, path string) (v uint64) {
	for i, c := range r.bytes(width, path) {
		if big {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

func (r *reader) flag(path string) bool {
	b := r.bytes(1, path)[0]
	if b > 1 {
		r.fail(r.pos-1, path, program.ErrFlag)
	}
	return b == 1
}

func (r *reader) text(s string) { r.out = jsontext.AppendString(r.out, s, true) }

func (r *reader) raw(s string) { r.out = append(r.out, s...) }

// lengthOf returns how the length of a t is written.
func lengthOf(t *Type) program.Len {
	l, _ := program.ParseLen(t.Length) // what has none in its schema has a uvarint
	return l
}

func (r *reader) value(t *Type, path string, depth int) {
	from := r.pos
	if depth == 0 {
		r.fail(r.pos, path, program.ErrDepth)
	}
	switch t = r.schema.Resolve(t); t.Kind {
	case "bool":
		r.out = strconv.AppendBool(r.out, r.flag(path))
	case "int", "uint":
		r.integer(t, path)
	case "bigint":
		r.bigint(t, path)
	case "float":
		r.float(t, path)
	case "complex":
		r.list(2, func(int) { r.float(t, path) })
	case "string", "text":
		r.text(string(r.block(lengthOf(t), path)))
	case "bytes", "binary":
		r.text(base64.StdEncoding.EncodeToString(r.block(lengthOf(t), path)))
	case "time":
		at, next, cause := program.ReadTime(r.in, r.pos)
		if cause != nil {
			r.fail(next, path, cause)
		}
		r.pos = next
		r.text(at.Format(time.RFC3339Nano))
	case "time utc", "time location":
		r.layoutTime(t, path)
	case "raw":
		n := r.length(lengthOf(t), path, 1)
		if n == 0 {
			r.raw("null")
			break
		}
		whole := r.in
		r.in = r.in[:r.pos+n]
		r.value(t.Elem, path, depth-1)
		r.end(path)
		r.in = whole
	case "skip":
		r.bytes(t.Count, path)
		r.raw("null")
	case "optional":
		if r.flag(path) {
			r.value(t.Elem, path, depth-1)
		} else {
			r.raw("null")
		}
	case "slice", "array":
		n := t.Count
		if t.Kind == "slice" {
			n = r.length(lengthOf(t), path, r.least(t.Elem))
		}
		r.list(n, func(i int) { r.value(t.Elem, path+"["+strconv.Itoa(i)+"]", depth-1) })
	case "map":
		r.entries(t, path, depth-1)
	case "struct":
		r.fields(t, path, depth-1)
	default:
		r.union(t, path, depth-1)
	}
	if r.pos == from {
		if r.empty++; r.empty > maxEmpty {
			r.fail(r.pos, path, program.ErrLimit)
		}
	}
}

func (r *reader) list(n int, one func(i int)) {
	r.raw("[")
	for i := range n {
		if i > 0 {
			r.raw(",")
		}
		one(i)
	}
	r.raw("]")
}

// least is 1 if a type takes a byte or more, whatever it is, and 0 if it may
// take none.
func (r *reader) least(t *Type) int {
	t = r.schema.Resolve(t)
	n, known := r.leasts[t]
	if known {
		return n
	}
	if r.leasts == nil {
		r.leasts = map[*Type]int{}
	}
	r.leasts[t] = 0 // for a type that contains itself
	switch t.Kind {
	case "struct":
		if t.Evolving {
			n = 1
		}
		for _, f := range t.Fields {
			n = max(n, r.least(f.Type))
		}
	case "array":
		if t.Count > 0 {
			n = r.least(t.Elem)
		}
	case "skip":
		n = min(t.Count, 1)
	default:
		n = 1
	}
	r.leasts[t] = n
	return n
}

func (r *reader) integer(t *Type, path string) {
	var v uint64
	from, unused := r.pos, 64-t.Bits
	signed := t.Kind == "int"
	if t.Coding != "varint" {
		v = r.fixed(t.Bits/8, t.Coding == "big", path)
	} else if v = r.uvarint(path); signed {
		v = uint64(program.Unzigzag(v))
	}
	i := int64(v<<unused) >> unused
	switch {
	case t.Coding == "varint" && !r.skips && (signed && uint64(i) != v || !signed && bits.Len64(v) > t.Bits):
		r.fail(from, path, program.ErrOverflow)
	case signed:
		r.out = strconv.AppendInt(r.out, i, 10)
	default:
		r.out = strconv.AppendUint(r.out, v, 10)
	}
}

// bigint shows an integer of 64 bits and a sign as a number, a longer one as
// hexadecimal text: decimal text takes quadratic time.
func (r *reader) bigint(t *Type, path string) {
	from := r.pos
	b := r.block(lengthOf(t), path)
	if cause := program.CheckBigInt(b); cause != nil {
		r.fail(from, path, cause)
	}
	sign, magnitude := "", b[1:]
	if b[0] == 1 {
		sign = "-"
	}
	if len(magnitude) > 8 {
		r.text(sign + "0x" + hex.EncodeToString(magnitude))
		return
	}
	var v uint64
	for _, c := range magnitude {
		v = v<<8 | uint64(c)
	}
	r.raw(sign)
	r.out = strconv.AppendUint(r.out, v, 10)
}

func (r *reader) float(t *Type, path string) {
	v := r.fixed(t.Bits/8, t.Coding == "big", path)
	f := math.Float64frombits(v)
	if t.Bits == 32 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		r.text(fmt.Sprint(f))
		return
	}
	r.out = strconv.AppendFloat(r.out, f, 'g', -1, t.Bits)
}

// layoutTime reads a time of a declared layout. A location that this machine does
// not know is left out of account, but shown.
func (r *reader) layoutTime(t *Type, path string) {
	v := program.OfUnixNano(int64(r.fixed(8, false, path)))
	if t.Kind == "time utc" || !r.flag(path) {
		r.text(v.Format(time.RFC3339Nano))
		return
	}
	name := string(r.block(program.LenU8, path))
	if loc, err := time.LoadLocation(name); err == nil && name != "Local" {
		v = v.In(loc)
	}
	r.text(v.Format(time.RFC3339Nano) + "[" + name + "]")
}

func (r *reader) entries(t *Type, path string, depth int) {
	n := r.length(lengthOf(t), path, r.least(t.Key)+r.least(t.Elem))
	if depth == 0 {
		r.fail(r.pos, path, program.ErrDepth)
	}
	quote := ""
	switch r.schema.Resolve(t.Key).Kind {
	case "string", "text":
	case "int", "uint", "bool":
		quote = `"`
	default:
		r.list(n, func(int) {
			r.list(2, func(i int) {
				if i == 0 {
					r.value(t.Key, path+"[key]", depth)
				} else {
					r.value(t.Elem, path+"[…]", depth)
				}
			})
		})
		return
	}
	r.raw("{")
	for i := range n {
		if i > 0 {
			r.raw(",")
		}
		r.raw(quote)
		r.value(t.Key, path+"[key]", depth)
		r.raw(quote)
		r.raw(":")
		r.value(t.Elem, path+"[…]", depth)
	}
	r.raw("}")
}

func (r *reader) fields(t *Type, path string, depth int) {
	whole, end := r.in, 0
	if t.Evolving {
		end = r.length(program.LenVarint, path, 1)
		end += r.pos
		r.in = r.in[:end]
	}
	r.raw("{")
	first := true
	for i, f := range t.Fields {
		if t.Evolving && r.pos == end {
			break // the writer knew no more
		}
		if skip := r.schema.Resolve(f.Type); skip.Kind == "skip" {
			r.bytes(skip.Count, path)
			continue
		}
		if f.Removed != "" {
			kept, outer := len(r.out), r.skips
			r.skips = true
			r.value(f.Type, path+"."+fieldName(f, i), depth)
			r.skips, r.out = outer, r.out[:kept]
			continue
		}
		if !first {
			r.raw(",")
		}
		first = false
		name := fieldName(f, i)
		r.text(name)
		r.raw(":")
		r.value(f.Type, path+"."+name, depth)
	}
	if t.Unknown != "" && r.pos < end {
		if !first {
			r.raw(",")
		}
		r.text(t.Unknown)
		r.raw(":")
		r.text(base64.StdEncoding.EncodeToString(r.in[r.pos:end]))
	}
	r.raw("}")
	if t.Evolving {
		r.in, r.pos = whole, end
	}
}

func (r *reader) union(t *Type, path string, depth int) {
	from := r.pos
	var id uint64
	if t.Tag == "byte" {
		id = r.fixed(1, false, path)
	} else if id = r.uvarint(path); id == 0 {
		r.raw("null")
		return
	}
	for _, c := range t.Cases {
		if uint64(c.ID) != id {
			continue
		}
		if c.Type == nil {
			r.text(c.Name)
			return
		}
		r.raw("{")
		r.text(c.Name)
		r.raw(":")
		r.value(c.Type, path+".("+c.Name+")", depth)
		r.raw("}")
		return
	}
	r.fail(from, path, fmt.Errorf("tag %d is none of the cases", id))
}
