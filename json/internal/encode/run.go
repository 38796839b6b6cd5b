package encode

import (
	"encoding/base64"
	"reflect"
	"slices"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// Run appends the JSON of the value at a.
//
// At the start Run grows the buffer by the maximum total length of all literals and numbers, and
// again after each value of unbounded length, so that most instructions append without a check.
// Short operations are inline, because the loop is faster without calls.
func (p *Program) Run(e *Encoder, dst []byte, a mem.Pointer) ([]byte, error) {
	// Ensure once that all literals and numbers fit.
	dst = slices.Grow(dst, p.reserve)
	code := p.code
	for pc := 0; pc < len(code); pc++ {
		var err error
		in := &code[pc]
		off := uintptr(in.off)
		// Copy the literal in units of 16 bytes, even beyond its end. The buffer has space for the
		// padding, and the value overwrites it.
		if n := len(dst); in.size > 0 {
			dst = dst[:n+int(in.size)]
			mem.Copy16(dst[:cap(dst)], n, in.literal, 0)
			if in.size > literalUnit {
				mem.Copy16(dst[:cap(dst)], n+literalUnit, in.literal, literalUnit)
				// Literals of more than 32 bytes are rare: a long name, or several adjacent
				// constants.
				if in.size > 2*literalUnit {
					copyUnits(dst[:cap(dst)], n, in.literal)
				}
			}
		}
		switch in.op {
		case opLiteral:
			continue
		case opComma:
			// If all earlier fields were omitted, the output ends in the opening brace.
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			continue
		case opName:
			// Ignore the error: invalid UTF-8 in the name of a field is always written as U+FFFD.
			dst, _ = syntax.AppendText(dst, p.refs[in.arg].name, e.Escapes&^syntax.OnlyUTF8)
			dst = append(dst, ':')
		case opSkip:
			// If the field is omitted, jump past its name and its value. The loop adds one to pc.
			// Jumps only go forward, so the loop ends.
			if r := &p.refs[in.arg]; r.omit(a, off) {
				pc = r.target - 1
			}
			continue
		case opSkipWord:
			// Adjacent fields are often omitted together.
			for mem.Load[uintptr](a, off) == 0 {
				pc = int(in.arg) - 1
				if pc+1 == len(code) || code[pc+1].op != opSkipWord {
					break
				}
				pc++
				in = &code[pc]
				off = uintptr(in.off)
			}
			continue
		case opSkipByte:
			if mem.Load[uint8](a, off) == 0 {
				pc = int(in.arg) - 1
			}
			continue
		case opBool:
			if mem.Load[bool](a, off) {
				dst = append(dst, "true"...)
			} else {
				dst = append(dst, "false"...)
			}
			continue
		case opInt8:
			if v := int64(mem.Load[int8](a, off)); uint64(v) < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendInt(dst, v)
			}
			continue
		case opInt16:
			if v := int64(mem.Load[int16](a, off)); uint64(v) < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendInt(dst, v)
			}
			continue
		case opInt32:
			if v := int64(mem.Load[int32](a, off)); uint64(v) < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendInt(dst, v)
			}
			continue
		case opInt64:
			if v := mem.Load[int64](a, off); uint64(v) < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendInt(dst, v)
			}
			continue
		case opUint8:
			if v := uint64(mem.Load[uint8](a, off)); v < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendUint(dst, v)
			}
			continue
		case opUint16:
			if v := uint64(mem.Load[uint16](a, off)); v < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendUint(dst, v)
			}
			continue
		case opUint32:
			if v := uint64(mem.Load[uint32](a, off)); v < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendUint(dst, v)
			}
			continue
		case opUint64:
			if v := mem.Load[uint64](a, off); v < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendUint(dst, v)
			}
			continue
		case opUintptr:
			if v := uint64(mem.Load[uintptr](a, off)); v < 100 {
				dst = syntax.AppendSmall(dst, uint8(v))
			} else {
				dst = syntax.AppendUint(dst, v)
			}
			continue
		case opFloat32:
			if dst, err = p.float(e, pc, dst, float64(mem.Load[float32](a, off)), 32); err != nil {
				return dst, err
			}
			continue
		case opFloat64:
			if dst, err = p.float(e, pc, dst, mem.Load[float64](a, off), 64); err != nil {
				return dst, err
			}
			continue
		case opString:
			// The length of a string is not bounded, so grow the buffer for the rest of the
			// program. AppendText also checks for invalid UTF-8.
			var ok bool
			start := len(dst)
			if dst, ok = syntax.AppendText(dst, mem.Load[string](a, off), e.Escapes); !ok {
				return dst[:start], notUTF8
			}
			dst = slices.Grow(dst, int(in.reserve))
			continue
		case opQuotedString:
			dst, err = p.quotedString(e, pc, dst, mem.Load[string](a, off))
		case opNumber:
			// From here on err is checked after the switch, where the buffer grows too.
			dst, err = e.number(dst, mem.Load[string](a, off), false)
		case opQuotedNumber:
			dst, err = e.number(dst, mem.Load[string](a, off), true)
		case opQuotedFloat32:
			dst, err = p.quotedFloat(e, pc, dst, float64(mem.Load[float32](a, off)), 32)
		case opQuotedFloat64:
			dst, err = p.quotedFloat(e, pc, dst, mem.Load[float64](a, off), 64)
		case opBytes:
			// In version 1 nil and empty slices differ, as in encoding/json.
			if b := a.Bytes(off); b == nil && e.Has(option.FormatNilSliceAsNull) {
				dst = append(dst, "null"...)
			} else {
				dst = base64.StdEncoding.AppendEncode(append(dst, '"'), b)
				dst = append(dst, '"')
			}
		case opByteArray:
			dst = base64.StdEncoding.AppendEncode(append(dst, '"'), a.Array(off, p.refs[in.arg].Shape.Len))
			dst = append(dst, '"')
		case opTime:
			dst, err = e.time(dst, mem.At[time.Time](a, off))
		case opAny:
			dst, err = e.Any(dst, a.Any(off))
		// An interface with methods has another memory layout than an empty one, so read the value
		// with reflection.
		case opInterface:
			if v := a.Value(off, p.refs[in.arg].Shape.Type); v.IsNil() {
				dst = append(dst, "null"...)
			} else {
				dst, err = e.Any(dst, v.Elem().Interface())
			}
		case opSum:
			dst, err = p.refs[in.arg].runSum(e, dst, a, off)
		case opPointer:
			dst, err = p.refs[in.arg].runPointer(e, dst, a, off)
		case opOption:
			// The instruction has the offset of the flag. r.value is the offset from the flag to
			// the value.
			if r := &p.refs[in.arg]; mem.Load[bool](a, off) {
				dst, err = r.Program.Run(e, dst, a.Add(off+r.value))
			} else {
				dst = append(dst, "null"...)
			}
		// A method with a pointer receiver could modify the caller's value, so it receives a copy.
		case opOptionCopy:
			if r := &p.refs[in.arg]; mem.Load[bool](a, off) {
				held := reflect.New(r.Shape.Type)
				held.Elem().Set(a.Value(off-r.Shape.Present, r.Shape.Type))
				dst, err = r.Program.Run(e, dst, mem.OfPointer(held).Add(r.Shape.Value))
			} else {
				dst = append(dst, "null"...)
			}
		case opError:
			text := optional.NilError
			if e := *mem.At[error](a, off); e != nil {
				text = e.Error()
			}
			dst, err = e.String(dst, text)
		case opUnion:
			dst, err = p.refs[in.arg].runUnion(e, dst, a.Add(off))
		case opUnionCopy:
			r := &p.refs[in.arg]
			held := reflect.New(r.Shape.Type)
			held.Elem().Set(a.Value(off, r.Shape.Type))
			dst, err = r.runUnion(e, dst, mem.OfPointer(held))
		case opSlice:
			dst, err = p.refs[in.arg].runSlice(e, dst, a, off)
		case opArray:
			r := &p.refs[in.arg]
			dst, err = r.runElements(e, dst, a.Add(off), r.Shape.Len)
		case OpMap:
			dst, err = p.refs[in.arg].runMap(e, dst, a, off)
		// The field is in embedded pointers. If one of them is nil, the field is omitted.
		case opThrough:
			r := &p.refs[in.arg]
			at := a.Add(off)
			for _, hop := range r.hops {
				if at = at.Elem(hop.Offset); at.IsNil() {
					break
				}
			}
			if !at.IsNil() {
				dst, err = r.Program.Run(e, dst, at)
			}
		case opOmitEmpty:
			dst, err = p.refs[in.arg].runOmitEmpty(e, dst, a)
		case opRest:
			dst, err = p.refs[in.arg].runRest(e, dst, a, off)
		case OpRow:
			r := &p.refs[in.arg]
			dst, err = r.Row.Run(e, r, dst, a, off)
		}
		if err != nil {
			return dst, err
		}
		dst = slices.Grow(dst, int(in.reserve))
	}
	return dst, nil
}

// copyUnits copies a literal to b[n:], except for its first two units.
//
//go:noinline
func copyUnits(b []byte, n int, literal string) {
	for i := 2 * literalUnit; i < len(literal); i += literalUnit {
		mem.Copy16(b, n+i, literal, i)
	}
}
