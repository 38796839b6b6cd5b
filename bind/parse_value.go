package bind

import (
	"encoding"
	"encoding/base64"
	"errors"
	"mime/multipart"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// set stores s as the value at a+off. An empty s means false or 0. If s is not valid, set
// stores nothing, but an unmarshaler of the type may already have changed the value.
func (v *value) set(a mem.Pointer, off uintptr, s string) error {
	if s == "" && (v.op <= opFloat64 || v.isDuration()) {
		a.Value(off, v.typ).SetZero()
		return nil
	}
	switch v.op {
	case opTrueOrFalse:
		if s != "true" && s != "false" {
			return strconv.ErrSyntax
		}
		mem.Store(a, off, s == "true")
	case opString:
		mem.Store(a, off, s)
	case opBool:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return err
		}
		mem.Store(a, off, b)
	case opInt8, opInt16, opInt32, opInt64:
		i, err := strconv.ParseInt(s, 10, 8<<(v.op-opInt8))
		if err != nil {
			return err
		}
		switch v.op {
		case opInt8:
			mem.Store(a, off, int8(i))
		case opInt16:
			mem.Store(a, off, int16(i))
		case opInt32:
			mem.Store(a, off, int32(i))
		default:
			mem.Store(a, off, i)
		}
	case opUint8, opUint16, opUint32, opUint64:
		u, err := strconv.ParseUint(s, 10, 8<<(v.op-opUint8))
		if err != nil {
			return err
		}
		switch v.op {
		case opUint8:
			mem.Store(a, off, uint8(u))
		case opUint16:
			mem.Store(a, off, uint16(u))
		case opUint32:
			mem.Store(a, off, uint32(u))
		default:
			mem.Store(a, off, u)
		}
	case opFloat32, opFloat64:
		f, err := strconv.ParseFloat(s, 32<<(v.op-opFloat32))
		if err != nil {
			return err
		}
		if v.op == opFloat32 {
			mem.Store(a, off, float32(f))
		} else {
			mem.Store(a, off, f)
		}
	case opTime:
		t, err := time.Parse(v.layout, s)
		if err != nil {
			return err
		}
		*mem.At[time.Time](a, off) = t
	case opDuration, opNanoseconds:
		d, err := parseDuration(s)
		if err != nil {
			return err
		}
		mem.Store(a, off, int64(d))
	case opBase64:
		data, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return err
		}
		a.Value(off, v.typ).SetBytes(data)
	case opText:
		return a.Addr(off, v.typ).(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	case opParam:
		return a.Addr(off, v.typ).(shape.ParamUnmarshaler).UnmarshalParam(s)
	case opPointer:
		return v.setPointer(a, off, s)
	case opOption:
		return v.setOption(a, off, s)
	case opNullable:
		return v.setNullable(a, off, s)
	case opSlice:
		return v.appendTo(a, off, s)
	case opParams:
		return v.setWhole(a, off, []string{s})
	case opEmbedded:
		return errEmbedded
	default:
		return ErrNoText
	}
	return nil
}

// setWhole passes all values of a parameter to the type's own method.
func (v *value) setWhole(a mem.Pointer, off uintptr, values []string) error {
	switch v.op {
	case opPointer:
		target := a.Elem(off)
		if target.IsNil() {
			target = a.SetNew(off, v.elem.typ)
		}
		return v.elem.setWhole(target, 0, values)
	case opOption:
		if err := v.elem.setWhole(a, off+v.at, values); err != nil {
			return err
		}
		mem.Store(a, off+v.flag, true)
		return nil
	}
	return a.Addr(off, v.typ).(shape.ParamsUnmarshaler).UnmarshalParams(values)
}

// setFiles stores the files of a form field.
func (v *value) setFiles(a mem.Pointer, off uintptr, files []*multipart.FileHeader) {
	switch v.op {
	case opFile:
		*mem.At[*multipart.FileHeader](a, off) = files[0]
	case opFiles:
		*mem.At[[]*multipart.FileHeader](a, off) = files
	case opFileStructs:
		all := make([]multipart.FileHeader, len(files))
		for i, f := range files {
			all[i] = *f
		}
		*mem.At[[]multipart.FileHeader](a, off) = all
	}
}

// appendTo appends one element to the slice at a+off.
func (v *value) appendTo(a mem.Pointer, off uintptr, s string) error {
	if v.elem.op == opString {
		mem.SetSlice(a, off, append(mem.SliceAt[string](a, off), s))
		return nil
	}
	slice := a.Value(off, v.typ)
	n := slice.Len()
	slice.Grow(1)
	slice.SetLen(n + 1)
	data, _ := a.Slice(off)
	if err := v.elem.set(data, uintptr(n)*v.elem.typ.Size(), s); err != nil {
		if slice.SetLen(n); n == 0 {
			slice.SetZero()
		}
		return err
	}
	return nil
}

// reset empties a slice before its first element is set, so that a bound slice holds only the values
// of the request.
func (v *value) reset(a mem.Pointer, off uintptr) {
	switch v.op {
	case opSlice:
		a.ClearSlice(off)
	case opPointer:
		a.SetNil(off)
	case opOption:
		mem.Store(a, off+v.flag, false)
		v.elem.reset(a, off+v.at)
	}
}

// length returns the number of elements of the slice in v.
func (v *value) length(a mem.Pointer, off uintptr) int {
	switch v.op {
	case opSlice:
		_, n := a.Slice(off)
		return n
	case opPointer:
		if target := a.Elem(off); !target.IsNil() {
			return v.elem.length(target, 0)
		}
	case opOption:
		return v.elem.length(a, off+v.at)
	}
	return 0
}

// leaf returns the value inside pointers, options and slices.
func (v *value) leaf() *value {
	for v.elem != nil {
		v = v.elem
	}
	return v
}

// cause unwraps a strconv error, whose text repeats the value.
func cause(err error) error {
	var ne *strconv.NumError
	if errors.As(err, &ne) {
		return ne.Err
	}
	return err
}

func parseDuration(s string) (time.Duration, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Duration(n), nil
	}
	return time.ParseDuration(s)
}
