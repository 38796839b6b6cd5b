package wire

import (
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/spec"
)

// slowAppend is the oracle that the programs are compared with: the format of docs/wire-format.md
// as simple code, through reflection alone.
func slowAppend(dst []byte, v reflect.Value) []byte {
	t := v.Type()
	if t == reflect.TypeFor[time.Time]() {
		return slowTime(dst, v.Interface().(time.Time))
	}
	if present, value, ok := openOption(v); ok {
		if !present {
			return append(dst, 0)
		}
		return slowAppend(append(dst, 1), value)
	}
	if b, ok := slowMethod(v); ok {
		return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(dst, 1)
		}
		return append(dst, 0)
	case reflect.Int8:
		return append(dst, byte(v.Int()))
	case reflect.Uint8:
		return append(dst, byte(v.Uint()))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(dst, v.Int())
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(dst, v.Uint())
	case reflect.Float32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		if v.Kind() == reflect.Complex64 {
			return slowAppend(slowAppend(dst, reflect.ValueOf(float32(real(c)))), reflect.ValueOf(float32(imag(c))))
		}
		return slowAppend(slowAppend(dst, reflect.ValueOf(real(c))), reflect.ValueOf(imag(c)))
	case reflect.String:
		return append(binary.AppendUvarint(dst, uint64(v.Len())), v.String()...)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			dst = binary.AppendUvarint(dst, uint64(v.Len()))
		}
		if isVoid(t.Elem()) {
			return dst // elements whose encoding is empty
		}
		for i := range v.Len() {
			dst = slowAppend(dst, v.Index(i))
		}
		return dst
	case reflect.Map:
		dst = binary.AppendUvarint(dst, uint64(v.Len()))
		for it := v.MapRange(); it.Next(); {
			dst = slowAppend(slowAppend(dst, it.Key()), it.Value())
		}
		return dst
	case reflect.Pointer:
		if v.IsNil() {
			return append(dst, 0)
		}
		return slowAppend(append(dst, 1), v.Elem())
	case reflect.Struct:
		body := slowFields(nil, v)
		if evolvingStruct(t) {
			dst = binary.AppendUvarint(dst, uint64(len(body)))
		}
		return append(dst, body...)
	}
	panic("no encoding for " + t.String())
}

func slowFields(dst []byte, v reflect.Value) []byte {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch _, option, _ := strings.Cut(f.Tag.Get("wire"), ","); {
		case f.Type == unknownType:
			dst = append(dst, v.Field(i).Bytes()...)
		case removedOf(f.Type) != nil:
			dst = slowField(dst, reflect.Zero(removedOf(f.Type)), option)
		case onWire(f):
			dst = slowField(dst, v.Field(i), option)
		}
	}
	return dst
}

// slowField writes a field with the given tag option: "fixed", "varint", or "" for none.
func slowField(dst []byte, v reflect.Value, option string) []byte {
	switch option, _, _ = strings.Cut(option, ","); {
	case option == "fixed" && v.CanInt():
		all := binary.LittleEndian.AppendUint64(nil, uint64(v.Int()))
		return append(dst, all[:v.Type().Size()]...)
	case option == "varint" && v.CanInt():
		return binary.AppendVarint(dst, v.Int())
	case option == "varint" && v.CanUint():
		return binary.AppendUvarint(dst, v.Uint())
	}
	return slowAppend(dst, v)
}

func evolvingStruct(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Type == evolvingType {
			return true
		}
	}
	return false
}

// isVoid reports whether every value of t has no bytes.
func isVoid(t reflect.Type) bool {
	switch {
	case shape.Of(t).Kind == shape.Option || t == reflect.TypeFor[time.Time]():
		return false
	case t.Kind() == reflect.Array:
		return t.Len() == 0 || isVoid(t.Elem())
	case t.Kind() != reflect.Struct || spec.MethodsOf(t).Form != spec.FormNone:
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); onWire(f) && !isVoid(f.Type) || f.Type == evolvingType || removedOf(f.Type) != nil {
			return false
		}
	}
	return true
}

func onWire(f reflect.StructField) bool {
	name, _, _ := strings.Cut(f.Tag.Get("wire"), ",")
	return name != "-" && (f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct)
}

// openOption returns the content of an Option, through its methods.
func openOption(v reflect.Value) (present bool, value reflect.Value, ok bool) {
	if shape.Of(v.Type()).Kind != shape.Option {
		return false, value, false
	}
	out := v.MethodByName("Get").Call(nil)
	return out[1].Bool(), out[0], true
}

func slowMethod(v reflect.Value) ([]byte, bool) {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface || !v.CanInterface() {
		return nil, false
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	if i, ok := p.Interface().(*big.Int); ok {
		sign := byte(0)
		if i.Sign() < 0 {
			sign = 1
		}
		return append([]byte{sign}, i.Bytes()...), true
	}
	if _, ok := p.Interface().(encoding.BinaryUnmarshaler); ok {
		if m, ok := p.Interface().(encoding.BinaryMarshaler); ok {
			b, _ := m.MarshalBinary()
			return b, true
		}
	}
	if _, ok := p.Interface().(encoding.TextUnmarshaler); ok {
		if m, ok := p.Interface().(encoding.TextMarshaler); ok {
			b, _ := m.MarshalText()
			return b, true
		}
	}
	return nil, false
}

func slowTime(dst []byte, t time.Time) []byte {
	dst = binary.AppendVarint(dst, t.Unix())
	dst = binary.AppendUvarint(dst, uint64(t.Nanosecond()))
	_, offset := t.Zone()
	switch t.Location() {
	case time.UTC:
		return append(dst, 0)
	case time.Local:
		return binary.AppendVarint(append(dst, 2), int64(offset))
	}
	dst = binary.AppendVarint(append(dst, 1), int64(offset))
	return append(binary.AppendUvarint(dst, uint64(len(t.Location().String()))), t.Location().String()...)
}

// A slowReader reads the encodings of slowAppend into new values. Every fault is errSlow: only
// its presence is compared.
type slowReader struct {
	in    []byte
	depth int
}

var errSlow = errors.New("malformed")

func slowUnmarshal(data []byte, v reflect.Value) error {
	if !slowly(data, func(r *slowReader) { r.read(v) }) {
		return errSlow
	}
	return nil
}

// slowly reports whether read consumes all of data without a fault.
func slowly(data []byte, read func(r *slowReader)) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != errSlow {
				panic(r)
			}
			ok = false
		}
	}()
	r := slowReader{in: data, depth: budget.DefaultDepth}
	read(&r)
	return len(r.in) == 0
}

func (r *slowReader) bytes(n uint64) []byte {
	if n > uint64(len(r.in)) {
		panic(errSlow)
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

func (r *slowReader) uvarint() uint64 {
	u, n := binary.Uvarint(r.in)
	if n <= 0 || n > 1 && r.in[n-1] == 0 {
		panic(errSlow)
	}
	r.in = r.in[n:]
	return u
}

func (r *slowReader) varint() int64 {
	u := r.uvarint()
	if u&1 != 0 {
		return ^int64(u >> 1)
	}
	return int64(u >> 1)
}

func (r *slowReader) flag() bool {
	switch r.bytes(1)[0] {
	case 0:
		return false
	case 1:
		return true
	}
	panic(errSlow)
}

func (r *slowReader) read(v reflect.Value) {
	t := v.Type()
	if r.depth == 0 {
		panic(errSlow)
	}
	deeper := func(v reflect.Value) {
		r.depth--
		r.read(v)
		r.depth++
	}
	if t == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(r.time()))
		return
	}
	if s := shape.Of(t); s.Kind == shape.Option {
		v.SetZero()
		if r.flag() {
			value := reflect.New(s.Elem.Type)
			deeper(value.Elem())
			setSome(v, value.Elem())
		}
		return
	}
	if _, ok := slowMethod(v); ok {
		b := r.bytes(r.uvarint())
		if i, ok := v.Addr().Interface().(*big.Int); ok {
			if len(b) == 0 || b[0] > 1 || len(b) > 1 && b[1] == 0 || len(b) == 1 && b[0] == 1 {
				panic(errSlow)
			}
			if i.SetBytes(b[1:]); b[0] == 1 {
				i.Neg(i)
			}
		} else if u, ok := v.Addr().Interface().(encoding.BinaryUnmarshaler); ok {
			if u.UnmarshalBinary(b) != nil {
				panic(errSlow)
			}
		} else if v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(b) != nil {
			panic(errSlow)
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.flag())
	case reflect.Int8:
		v.SetInt(int64(int8(r.bytes(1)[0])))
	case reflect.Uint8:
		v.SetUint(uint64(r.bytes(1)[0]))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		i := r.varint()
		if v.OverflowInt(i) {
			panic(errSlow)
		}
		v.SetInt(i)
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u := r.uvarint()
		if v.OverflowUint(u) {
			panic(errSlow)
		}
		v.SetUint(u)
	case reflect.Float32:
		v.Set(reflect.ValueOf(math.Float32frombits(binary.LittleEndian.Uint32(r.bytes(4)))).Convert(t))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8))))
	case reflect.Complex64:
		re, im := math.Float32frombits(binary.LittleEndian.Uint32(r.bytes(4))), math.Float32frombits(binary.LittleEndian.Uint32(r.bytes(4)))
		v.Set(reflect.ValueOf(complex(re, im)).Convert(t))
	case reflect.Complex128:
		re, im := math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8))), math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8)))
		v.SetComplex(complex(re, im))
	case reflect.String:
		v.SetString(string(r.bytes(r.uvarint())))
	case reflect.Array:
		for i := range v.Len() {
			deeper(v.Index(i))
		}
	case reflect.Slice:
		n := r.uvarint()
		v.SetZero()
		empty := isVoid(t.Elem()) // elements whose encoding is empty
		if n > uint64(len(r.in)) && !empty || n > math.MaxInt || empty && n > 1<<20 && t.Elem().Size() > 0 {
			panic(errSlow)
		}
		if n > 0 {
			v.Set(reflect.MakeSlice(t, int(n), int(n)))
		}
		if empty {
			return
		}
		for i := range v.Len() {
			deeper(v.Index(i))
		}
	case reflect.Map:
		n := r.uvarint()
		v.SetZero()
		for i := range n {
			if i == 0 {
				v.Set(reflect.MakeMap(t))
			}
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			deeper(key)
			deeper(elem)
			v.SetMapIndex(key, elem)
			if v.Len() != int(i)+1 {
				panic(errSlow)
			}
		}
	case reflect.Pointer:
		v.SetZero()
		if r.flag() {
			v.Set(reflect.New(t.Elem()))
			deeper(v.Elem())
		}
	case reflect.Struct:
		if !evolvingStruct(t) {
			r.fields(v, false)
			return
		}
		body := slowReader{in: r.bytes(r.uvarint()), depth: r.depth - 1}
		v.SetZero()
		body.fields(v, true)
	default:
		panic("no encoding for " + t.String())
	}
}

// fields reads the fields of a struct. In the input of an evolving struct, later fields may be
// missing.
func (r *slowReader) fields(v reflect.Value, evolving bool) {
	if r.depth == 0 {
		panic(errSlow)
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		_, option, _ := strings.Cut(f.Tag.Get("wire"), ",")
		gone := removedOf(f.Type)
		switch {
		case gone == nil && !onWire(f):
		case evolving && len(r.in) == 0:
			return
		case f.Type == unknownType:
			v.Field(i).SetBytes(r.bytes(uint64(len(r.in))))
		case gone != nil:
			r.field(reflect.New(gone).Elem(), option)
		default:
			r.field(v.Field(i), option)
		}
	}
}

// field reads a field that slowField wrote.
func (r *slowReader) field(v reflect.Value, option string) {
	switch option, _, _ = strings.Cut(option, ","); {
	case option == "fixed" && v.CanInt():
		var all [8]byte
		size := int(v.Type().Size())
		copy(all[:], r.bytes(uint64(size)))
		v.SetInt(int64(binary.LittleEndian.Uint64(all[:])) << (64 - 8*size) >> (64 - 8*size))
	case option == "varint" && v.CanInt():
		i := r.varint()
		if v.OverflowInt(i) {
			panic(errSlow)
		}
		v.SetInt(i)
	case option == "varint" && v.CanUint():
		u := r.uvarint()
		if v.OverflowUint(u) {
			panic(errSlow)
		}
		v.SetUint(u)
	default:
		r.read(v)
	}
}

// databaseName matches the zone names that a decoder looks up in the time zone database.
var databaseName = regexp.MustCompile(`^[A-Za-z0-9_+-]*/[A-Za-z0-9/_+-]*$`)

func (r *slowReader) time() time.Time {
	sec, nsec := r.varint(), r.uvarint()
	if nsec >= 1e9 {
		panic(errSlow)
	}
	t := time.Unix(sec, int64(nsec))
	kind := r.bytes(1)[0]
	if kind == 0 {
		return t.UTC()
	}
	offset := r.varint()
	if kind > 2 || offset != int64(int32(offset)) {
		panic(errSlow)
	}
	if kind == 2 {
		if _, o := t.Zone(); int64(o) == offset {
			return t
		}
		return t.In(time.FixedZone("", int(offset)))
	}
	name := string(r.bytes(r.uvarint()))
	if loc, err := time.LoadLocation(name); err == nil && databaseName.MatchString(name) {
		if _, o := t.In(loc).Zone(); int64(o) == offset {
			return t.In(loc)
		}
	}
	return t.In(time.FixedZone(name, int(offset)))
}

// setSome sets the Option v to value. Reflection cannot set an Option, so the types that the
// tests use are listed.
func setSome(v, value reflect.Value) {
	switch o := v.Addr().Interface().(type) {
	case *mo.Option[int]:
		*o = mo.Some(value.Interface().(int))
	case *mo.Option[string]:
		*o = mo.Some(value.Interface().(string))
	case *mo.Option[[]float64]:
		*o = mo.Some(value.Interface().([]float64))
	case *mo.Option[inner]:
		*o = mo.Some(value.Interface().(inner))
	case *mo.Option[mo.Option[inner]]:
		*o = mo.Some(value.Interface().(mo.Option[inner]))
	case *mo.Option[*tree]:
		*o = mo.Some(value.Interface().(*tree))
	default:
		panic("unlisted type " + v.Type().String())
	}
}
