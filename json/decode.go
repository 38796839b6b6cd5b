package json

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/shape"
)

type options struct {
	useNumber       bool
	knownFieldsOnly bool
}

// Unmarshal decodes data, which is one JSON value, into what v points to, by
// the rules of encoding/json's Unmarshal. It copies what it keeps of data.
//
// If data is not valid JSON, the error is a [*SyntaxError] and nothing has been
// changed. A value that does not fit its target is skipped; the first such
// misfit is returned as an [*UnmarshalTypeError] when all the rest is decoded.
func Unmarshal(data []byte, v any) error {
	if !jsontext.Valid(data) {
		return syntaxError(data)
	}
	return decode(data, v, options{})
}

// decode decodes data, which is valid.
func decode(data []byte, v any, o options) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return &InvalidUnmarshalError{Type: reflect.TypeOf(v)}
	}
	d := decoder{data: data, options: o, root: rv.Type()}
	_, err := d.value(nodeOf(rv.Type()), jsontext.SkipSpace(data, 0), mem.OfPointer(rv), 0)
	if err != nil {
		return d.inContext(err)
	}
	return d.saved
}

// A decoder is the state of one decode. Its methods take the position of the
// first byte of a value and return the position after it. An error that they
// return ends the decode; one that is saved does not.
type decoder struct {
	data    []byte
	options options
	saved   error        // the first
	root    reflect.Type // that a text method of the root reports
	scratch []byte       // of unquoted strings

	// Where errors happen: the struct whose field is being decoded, and the
	// path to it.
	in   reflect.Type
	path []string
}

func (d *decoder) save(err error) {
	if d.saved == nil {
		d.saved = d.inContext(err)
	}
}

// inContext adds to a type error where it happened.
func (d *decoder) inContext(err error) error {
	if e, ok := err.(*UnmarshalTypeError); ok && d.in != nil {
		e.Struct = d.in.Name()
		path := d.path
		if e.Field != "" {
			path = append(path, e.Field)
		}
		e.Field = strings.Join(path, ".")
	}
	return err
}

func (d *decoder) misfit(value string, t reflect.Type, offset int) {
	d.save(&UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset)})
}

// value decodes the value at pos into the place of n's type at a+off. Without a
// node it is skipped.
func (d *decoder) value(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	if n == nil {
		return jsontext.SkipValue(d.data, pos), nil
	}
	c := d.data[pos]
	if c == 'n' {
		return d.null(n, pos, a, off)
	}
	if n.method != noMethod {
		return d.call(n, pos, a, off)
	}
	switch n.shape.Kind {
	case shape.Pointer:
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.shape.Elem.Type)
		}
		return d.value(n.elem, pos, to, 0)
	case shape.Interface:
		return d.iface(n, pos, a, off)
	case shape.Option:
		return d.option(n, pos, a, off)
	}
	switch c {
	case '{':
		return d.objectInto(n, pos, a, off)
	case '[':
		return d.arrayInto(n, pos, a, off)
	case '"':
		return d.stringInto(n, pos, a, off)
	case 't', 'f':
		end := pos + len("true")
		if c == 'f' {
			end++
		}
		if n.shape.Kind == shape.Bool {
			mem.Store(a, off, c == 't')
		} else {
			d.misfit("bool", n.shape.Type, end)
		}
		return end, nil
	}
	return d.numberInto(n, pos, a, off)
}

// null decodes null, which is nil to what can be nil and nothing to the rest.
func (d *decoder) null(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	end := pos + len("null")
	if n.method == jsonMethod {
		return end, a.Addr(off, n.shape.Type).(Unmarshaler).UnmarshalJSON(d.data[pos:end:end])
	}
	switch n.shape.Kind {
	case shape.Pointer, shape.Map:
		a.SetNil(off)
	case shape.Slice, shape.Bytes:
		a.ClearSlice(off)
	case shape.Option:
		if mem.Load[bool](a, off+n.shape.Present) {
			a.Value(off, n.shape.Type).SetZero()
		}
	case shape.Interface:
		v := a.Value(off, n.shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
			return d.into(n, e, pos)
		}
		v.SetZero()
	}
	return end, nil
}

// call lets the value's own method decode.
func (d *decoder) call(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	data := d.data
	if n.method != textMethod {
		end := jsontext.SkipValue(data, pos)
		if n.method == timeOwnMethod {
			return end, mem.At[time.Time](a, off).UnmarshalJSON(data[pos:end:end])
		}
		return end, a.Addr(off, n.shape.Type).(Unmarshaler).UnmarshalJSON(data[pos:end:end])
	}
	slot := n.slot
	if slot == nil {
		slot = d.root
	}
	switch data[pos] {
	case '"':
		text, end := d.text(pos)
		return end, a.Addr(off, n.shape.Type).(encoding.TextUnmarshaler).UnmarshalText(text)
	case '[':
		d.misfit("array", slot, pos+1)
	case '{':
		d.misfit("object", slot, pos+1)
	case 't', 'f':
		d.misfit("bool", slot, jsontext.SkipValue(data, pos))
	default:
		d.misfit("number", slot, jsontext.SkipNumber(data, pos))
	}
	return jsontext.SkipValue(data, pos), nil
}

// text returns what the string at pos stands for: a part of the input, or of
// the scratch space, good until the next call.
func (d *decoder) text(pos int) (text []byte, end int) {
	end, plain := jsontext.SkipString(d.data, pos)
	if plain {
		return d.data[pos+1 : end-1 : end-1], end
	}
	d.scratch, _ = jsontext.AppendUnquoted(d.scratch[:0], d.data[pos:end])
	return d.scratch, end
}

// option decodes into an mo.Option a value that is not null. A value that does
// not fit leaves the Option as it was.
func (d *decoder) option(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	s := n.shape
	present, at := off+s.Present, off+s.Value
	had := mem.Load[bool](a, present)
	var before reflect.Value
	if scalar := s.Elem.Kind <= shape.String && n.elem.method == noMethod; had && !scalar {
		v := a.Value(off, s.Type)
		before = reflect.New(s.Type).Elem()
		before.Set(v)
		v.SetZero()
	}
	saved := d.saved
	d.saved = nil
	end, err := d.value(n.elem, pos, a, at)
	if failed := err != nil || d.saved != nil; !failed {
		mem.Store(a, present, true)
	} else if before.IsValid() {
		a.Value(off, s.Type).Set(before)
	} else if !had {
		a.Value(off, s.Type).SetZero()
	}
	if saved != nil {
		d.saved = saved
	}
	return end, err
}

// iface decodes into an interface: into what it holds if that is a pointer, as
// a value of Go's choice otherwise.
func (d *decoder) iface(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	empty := n.shape.Type.NumMethod() == 0
	if !empty || a.Any(off) != nil {
		v := a.Value(off, n.shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			if in := e.Elem(); in.Kind() == reflect.Interface && in.Elem().IsValid() && in.Elem().Equal(e) {
				// It holds its own address. Going there would never end.
				x, end := d.any(pos)
				in.Set(reflect.ValueOf(&x).Elem())
				return end, nil
			}
			return d.into(n, e, pos)
		}
	}
	if !empty {
		end := jsontext.SkipValue(d.data, pos)
		kind, at := "number", end
		switch d.data[pos] {
		case '{':
			kind, at = "object", pos+1
		case '[':
			kind, at = "array", pos+1
		case '"':
			kind = "string"
		case 't', 'f':
			kind = "bool"
		default:
			if _, err := d.number(pos, end); err != nil {
				d.save(err)
				return end, nil
			}
		}
		d.misfit(kind, n.shape.Type, at)
		return end, nil
	}
	failed := d.saved
	d.saved = nil
	x, end := d.any(pos)
	if c := d.data[pos]; d.saved == nil || c == '{' || c == '[' {
		a.SetAny(off, x)
	}
	if failed != nil {
		d.saved = failed
	}
	return end, nil
}

// into decodes into what the pointer e, which an interface holds, points to.
func (d *decoder) into(n *node, e reflect.Value, pos int) (int, error) {
	root := d.root
	d.root = n.shape.Type
	end, err := d.value(nodeOf(e.Type()), pos, mem.OfPointer(e), 0)
	d.root = root
	return end, err
}

func (d *decoder) stringInto(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	text, end := d.text(pos)
	switch n.shape.Kind {
	case shape.String:
		if n.number && !jsontext.ValidNumber(string(text)) {
			return end, fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.data[pos:end])
		}
		mem.Store(a, off, string(text))
	case shape.Bytes:
		b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
		w, err := base64.StdEncoding.Decode(b, text)
		if err != nil {
			d.save(err)
			return end, nil
		}
		a.SetBytes(off, b[:w])
	default:
		d.misfit("string", n.shape.Type, end)
	}
	return end, nil
}

func (d *decoder) numberInto(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	end := jsontext.SkipNumber(d.data, pos)
	item := d.data[pos:end]
	if n.number {
		mem.Store(a, off, string(item))
		return end, nil
	}
	if !storeNumber(n.shape.Kind, item, a, off) {
		value := "number"
		if n.shape.Kind >= shape.Int8 && n.shape.Kind <= shape.Float64 {
			value += " " + string(item)
		}
		d.misfit(value, n.shape.Type, end)
	}
	return end, nil
}

// storeNumber stores the number that item writes, if it is one of this kind.
func storeNumber(k shape.Kind, item []byte, a mem.Pointer, off uintptr) bool {
	s := mem.String(item)
	switch {
	case k >= shape.Int8 && k <= shape.Int64:
		v, err := strconv.ParseInt(s, 10, 8<<(k-shape.Int8))
		if err != nil {
			return false
		}
		switch k {
		case shape.Int8:
			mem.Store(a, off, int8(v))
		case shape.Int16:
			mem.Store(a, off, int16(v))
		case shape.Int32:
			mem.Store(a, off, int32(v))
		default:
			mem.Store(a, off, v)
		}
	case k >= shape.Uint8 && k <= shape.Uintptr:
		size := 8 << (k - shape.Uint8)
		if k == shape.Uintptr {
			size = strconv.IntSize
		}
		v, err := strconv.ParseUint(s, 10, size)
		if err != nil {
			return false
		}
		switch k {
		case shape.Uint8:
			mem.Store(a, off, uint8(v))
		case shape.Uint16:
			mem.Store(a, off, uint16(v))
		case shape.Uint32:
			mem.Store(a, off, uint32(v))
		case shape.Uintptr:
			mem.Store(a, off, uintptr(v))
		default:
			mem.Store(a, off, v)
		}
	case k == shape.Float32:
		v, err := strconv.ParseFloat(s, 32)
		if err != nil {
			return false
		}
		mem.Store(a, off, float32(v))
	case k == shape.Float64:
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return false
		}
		mem.Store(a, off, v)
	default:
		return false
	}
	return true
}

func (d *decoder) arrayInto(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	kind := n.shape.Kind
	isSlice := kind == shape.Slice || kind == shape.Bytes
	if !isSlice && kind != shape.Array {
		d.misfit("array", n.shape.Type, pos+1)
		return jsontext.SkipValue(d.data, pos), nil
	}
	length, stride := n.shape.Len, n.shape.Elem.Size
	first := a.Add(off)
	room := 0
	if isSlice {
		first, length = a.Slice(off)
		room = a.Cap(off)
	}
	i := 0
	pos = jsontext.SkipSpace(d.data, pos+1)
	for d.data[pos] != ']' {
		if isSlice {
			if i >= room {
				a.Value(off, n.shape.Type).Grow(1)
				room = a.Cap(off)
				first, _ = a.Slice(off)
			}
			if i >= length {
				length = i + 1
				a.SetLen(off, length)
			}
		}
		var err error
		if i < length {
			if pos, err = d.value(n.elem, pos, first.Add(uintptr(i)*stride), 0); err != nil {
				return pos, err
			}
		} else {
			pos = jsontext.SkipValue(d.data, pos)
		}
		i++
		if pos = jsontext.SkipSpace(d.data, pos); d.data[pos] == ',' {
			pos = jsontext.SkipSpace(d.data, pos+1)
		}
	}
	switch {
	case isSlice && i == 0:
		a.Value(off, n.shape.Type).Set(reflect.MakeSlice(n.shape.Type, 0, 0))
	case isSlice:
		a.SetLen(off, i)
	default:
		for ; i < length; i++ {
			first.Value(uintptr(i)*stride, n.shape.Elem.Type).SetZero()
		}
	}
	return pos + 1, nil
}

// objectInto decodes an object into a struct or a map.
func (d *decoder) objectInto(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	switch {
	case n.shape.Kind == shape.Map && n.key != keyUnsupported:
		return d.mapInto(n, pos, a, off)
	case n.shape.Type.Kind() != reflect.Struct:
		d.misfit("object", n.shape.Type, pos+1)
		return jsontext.SkipValue(d.data, pos), nil
	}
	in, depth := d.in, len(d.path)
	guess := 0
	pos = jsontext.SkipSpace(d.data, pos+1)
	for d.data[pos] != '}' {
		key, end := d.text(pos)
		f := (*field)(nil)
		if n.object != nil {
			if i := n.object.find(key, guess); i >= 0 {
				guess = i + 1
				f = &n.object.fields[i]
			}
		}
		if f == nil && d.options.knownFieldsOnly {
			d.save(fmt.Errorf("json: unknown field %q", key))
		}
		pos = jsontext.SkipSpace(d.data, end)
		pos = jsontext.SkipSpace(d.data, pos+1)
		var err error
		if f == nil {
			pos = jsontext.SkipValue(d.data, pos)
		} else if pos, err = d.fieldInto(n, f, pos, a, off); err != nil {
			return pos, err
		}
		d.in, d.path = in, d.path[:depth]
		if pos = jsontext.SkipSpace(d.data, pos); d.data[pos] == ',' {
			pos = jsontext.SkipSpace(d.data, pos+1)
		}
	}
	return pos + 1, nil
}

func (d *decoder) fieldInto(n *node, f *field, pos int, a mem.Pointer, off uintptr) (int, error) {
	target, quoted := f.node, f.quoted
	at := a
	for i, hop := range f.hops {
		if i > 0 {
			off = 0
		}
		to := at.Elem(off + hop.Offset)
		if to.IsNil() {
			if hop.Closed {
				d.save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", hop.Elem.Type))
				target, quoted = nil, false
				break
			}
			to = at.SetNew(off+hop.Offset, hop.Elem.Type)
		}
		at = to
	}
	if len(f.hops) > 0 {
		off = 0
	}
	d.in = n.shape.Type
	d.path = append(d.path, f.path...)
	if quoted {
		return d.quotedInto(target, pos, at, off+f.offset)
	}
	return d.value(target, pos, at, off+f.offset)
}

func (d *decoder) mapInto(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	t := n.shape.Type
	m := a.Value(off, t)
	if m.IsNil() {
		m.Set(reflect.MakeMap(t))
	}
	elem := reflect.New(t.Elem()).Elem()
	place := mem.OfPointer(elem.Addr())
	pos = jsontext.SkipSpace(d.data, pos+1)
	for d.data[pos] != '}' {
		start := pos
		end, _ := jsontext.SkipString(d.data, pos)
		pos = jsontext.SkipSpace(d.data, end)
		pos = jsontext.SkipSpace(d.data, pos+1)
		elem.SetZero()
		var err error
		if pos, err = d.value(n.elem, pos, place, 0); err != nil {
			return pos, err
		}
		key, err := d.key(n, start)
		if err != nil {
			return pos, err
		}
		if key.IsValid() {
			m.SetMapIndex(key, elem)
		}
		if pos = jsontext.SkipSpace(d.data, pos); d.data[pos] == ',' {
			pos = jsontext.SkipSpace(d.data, pos+1)
		}
	}
	return pos + 1, nil
}

// key returns the map key that the string at pos stands for; none if it does
// not fit.
func (d *decoder) key(n *node, pos int) (reflect.Value, error) {
	text, _ := d.text(pos)
	t := n.shape.Key.Type
	key := reflect.New(t).Elem()
	switch n.key {
	case keyText:
		return key, key.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text)
	case keyString:
		key.SetString(string(text))
	case keyInt:
		v, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || t.OverflowInt(v) {
			d.misfit("number "+string(text), t, pos+1)
			return reflect.Value{}, nil
		}
		key.SetInt(v)
	case keyUint:
		v, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || t.OverflowUint(v) {
			d.misfit("number "+string(text), t, pos+1)
			return reflect.Value{}, nil
		}
		key.SetUint(v)
	}
	return key, nil
}
