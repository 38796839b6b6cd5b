//go:build go1.27 && goexperiment.jsonv2

package decode

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	jsonv2 "encoding/json/v2"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// quotedInto decodes into a field with the tag option string: a scalar inside of a JSON string.
func (d *Decoder) quotedInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	raw := d.Raw(t)
	switch {
	case n.Op == nodePointer && raw[0] == 'n':
		a.SetNil(off)
		return nil
	case n.Op == nodePointer:
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		// The value that the pointer leads to is decoded first, and its errors are kept, though
		// "null" then makes the pointer nil.
		err := d.quotedInto(n.Elem, t, to, 0)
		if string(raw) == `"null"` {
			a.SetNil(off)
		}
		return err
	case n.Op > NodeNumber:
		_, err := d.Value(n, t, a, off)
		return err
	case raw[0] == 'n':
		return nil
	case raw[0] != '"' && n.Op == NodeNumber:
		d.notNumberKind(t)
		return nil
	case raw[0] != '"':
		d.typeErrorAt(t, "number", n.Shape.Type)
		return nil
	case n.Op == NodeNumber:
		return d.numberInto(n, t, a, off)
	}
	text := string(d.TextOf(t))
	if text == "null" && (n.Op != NodeString || rules.QuotedNull.Applied()) {
		return nil
	}
	switch n.Op {
	case NodeBool:
		if text != "true" && text != "false" {
			d.notQuoted(t, "string "+string(raw), n.Shape.Type, strconv.ErrSyntax)
			return nil
		}
		mem.Store(a, off, text == "true")
	case NodeString:
		inner, ok := syntax.AppendUnquoted(nil, []byte(text))
		if !ok {
			d.notQuoted(t, "string", n.Shape.Type, innerError(raw))
			return nil
		}
		mem.Store(a, off, string(inner))
	default:
		if !parseQuoted(a.Value(off, n.Shape.Type), text) {
			d.notQuoted(t, "number "+text, n.Shape.Type, nil)
		}
	}
	return nil
}

// notQuoted saves the error for the string at t, which does not hold a scalar of the type.
func (d *Decoder) notQuoted(t int, value string, typ reflect.Type, cause error) {
	d.typeErrorCause(value, typ, d.End(t), cause)
}

// innerError returns the error of encoding/json for the text in raw, which is not a string.
func innerError(raw []byte) error {
	var field struct {
		V string `json:",string"`
	}
	err := json.Unmarshal(append(append([]byte(`{"V":`), raw...), '}'), &field)
	return errors.Unwrap(err)
}

// parseQuoted sets v to the number that text spells in Go's syntax.
func parseQuoted(v reflect.Value, text string) bool {
	switch bits := v.Type().Bits(); {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return false
		}
		v.SetFloat(x)
	}
	return true
}

// The points in which the two engines of encoding/json differ: Go 1.26 has the
// first, and so has Go 1.27 with GOEXPERIMENT=nojsonv2; Go 1.27 has the second.
const (
	// Types without a name are asked for methods too.
	methodsOfAll = true
	// A number that is too large is stored as [StoreOverflow] and [Overflowed] have it.
	storesOverflow = true
	// Decoding goes on after an error of a type's own method.
	methodsEnd = false
)

// newTypeError returns the error for a value that does not go into the type t.
func (d *Decoder) newTypeError(value string, t reflect.Type, offset int, cause error) error {
	return &rules.UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset - d.Space), Err: cause}
}

// placed adds to the error that was saved the name of the root's type and the path to the
// value. The path is worked out here, once for a decode, as it takes the time of reading all
// that comes before.
func (d *Decoder) placed(err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok || d.savedAt < 0 {
		return err
	}
	d.place(e, d.pointer(d.savedAt))
	return e
}

// place sets the place of e to the value at a JSON pointer.
func (d *Decoder) place(e *rules.UnmarshalTypeError, pointer string) {
	if pointer != "" && d.top.Kind() == reflect.Pointer {
		e.Struct = d.top.Elem().Name()
	}
	e.Field = strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// inContext adds to a type error the struct and the path of names to its field.
func (d *Decoder) inContext(err error) error { return err }

// pointer returns the JSON pointer of the value or name at position pos.
func (d *Decoder) pointer(pos int) string {
	var path strings.Builder
	for t, found := 0, true; found; {
		c := d.Data[d.Words[t].Pos()]
		if found = false; c != '{' && c != '[' || pos <= d.Words[t].Pos() {
			break
		}
		after := syntax.After(d.Words, t)
		for i, next := 0, t+ContainerWords; next < after && !found; i++ {
			name := next
			if c == '{' {
				next++
			}
			if pos < d.End(next) {
				path.WriteByte('/')
				if c == '{' {
					path.WriteString(pointerToken.Replace(string(d.TextOf(name))))
				} else {
					path.WriteString(strconv.Itoa(i))
				}
				if pos < d.Words[next].Pos() {
					// The position is in the name, whose pointer is the pointer of its value.
					return path.String()
				}
				t, found = next, true
			}
			next = d.After(next)
		}
	}
	return path.String()
}

// pointerToken escapes a name for a JSON pointer (RFC 6901, section 3).
var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")

var errNoText = errors.New("JSON value must be string type")

// notText saves the error for the value at t, which is not a string, as n's text method needs.
func (d *Decoder) notText(n *Node, t int) { d.typeErrorOf(t, n.Shape.Type, errNoText) }

// typeErrorOf is typeErrorAt with a cause.
func (d *Decoder) typeErrorOf(t int, typ reflect.Type, cause error) {
	if d.Saved == nil {
		d.typeErrorAt(t, "number", typ)
		d.Saved.(*rules.UnmarshalTypeError).Err = cause
	}
}

// notInterface saves the error for a value that goes into an interface with methods, which has
// no type to choose.
func (d *Decoder) notInterface(n *Node, t int) error {
	if d.Saved == nil {
		d.typeErrorAt(t, "number", n.Shape.Type)
		d.Saved.(*rules.UnmarshalTypeError).Offset = int64(d.Words[t].Pos() - d.Space)
	}
	return nil
}

// notNumber saves or returns the error for the value at t, which is not a Number.
func (d *Decoder) notNumber(t int) error {
	if d.Saved == nil && d.Data[d.Words[t].Pos()] == '"' {
		d.save(&rules.UnmarshalTypeError{Value: "string " + string(d.Raw(t)), Type: rules.NumberType, Err: strconv.ErrSyntax})
	}
	d.notNumberKind(t)
	return nil
}

// notNumberKind saves the error for the value at t, whose kind no Number has. The error has no
// offset.
func (d *Decoder) notNumberKind(t int) {
	if d.Saved == nil {
		d.typeErrorAt(t, "number", rules.NumberType)
		d.Saved.(*rules.UnmarshalTypeError).Offset, d.savedAt = 0, -1
	}
}

// bytesOf decodes base64. On Go 1.27 it decodes into the memory of the slice that is there, and
// returns the bytes before an error.
func bytesOf(text, there []byte) ([]byte, error) {
	b, err := base64.StdEncoding.AppendDecode(there[:0], text)
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// notBase64 saves the error for the string at t, which is not base64.
func (d *Decoder) notBase64(n *Node, t int, err error) { d.typeErrorOf(t, n.Shape.Type, err) }

// tooLarge returns the value that an interface holds for a number beyond float64, or its error.
func (d *Decoder) tooLarge(t int) (any, error) {
	d.typeErrorAt(t, "number "+string(d.Raw(t)), rules.FloatType)
	return d.BoxFloat(Overflowed(d.Data[d.Words[t].Pos()] == '-')), nil
}

// time decodes the value at t into *v.
func (d *Decoder) time(t int, v *time.Time) error {
	raw := d.Raw(t)
	if raw[0] != '"' {
		d.typeErrorAt(t, "number", rules.TimeType)
		return nil
	}
	if ReadUTC(v, raw) {
		return nil
	}
	var read time.Time
	err := read.UnmarshalText(d.TextOf(t))
	if err == nil {
		*v = read
	}
	return err
}

// entry decodes an entry of a map: the name at the word name, and its element. The engines
// decode them in different orders.
func (d *Decoder) entry(n *Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if ok, err = d.key(n, name, key, d.End(name)); !ok || err != nil {
		return d.After(name + 1), false, d.failed(err)
	}
	next, err = d.Value(n.Elem, name+1, mem.OfPointer(elem.Addr()), 0)
	return next, true, err
}

var errClosed = errors.New("cannot set embedded pointer to unexported struct type")

// closedField saves the error for the value at t, whose field is in an embedded pointer to
// an unexported struct.
func (d *Decoder) closedField(f *field, _ reflect.Type, t int) {
	if d.Saved == nil {
		d.typeErrorOf(t, f.in, errClosed)
		d.Saved.(*rules.UnmarshalTypeError).Offset = int64(d.Words[t].Pos() - d.Space)
	}
}

// keyFormOf returns how names become keys of a type.
func keyFormOf(s *shape.Shape) KeyForm {
	p := reflect.PointerTo(s.Type)
	if form := keyFormOfKind(s.Kind); form != keyUnsupported && !p.Implements(rules.TextUnmarshalerType) && !rules.ReadsItself(p) {
		return form
	}
	return KeyMethod
}

// notKey saves the error for the name at t, which is not a key. E is the error of encoding/json
// for a map with this name alone.
func (d *Decoder) notKey(e *rules.UnmarshalTypeError, t int) {
	if d.Saved != nil {
		return
	}
	d.typeErrorCause(e.Value, e.Type, d.End(t), e.Err)
	// An error at the first byte of the map's text names the map and not the name.
	if e.Offset == int64(len("{")) {
		at := d.Words[t].Pos()
		saved, pointer := d.Saved.(*rules.UnmarshalTypeError), d.pointer(at)
		saved.Offset, d.savedAt = int64(at-d.Space), -1
		d.place(saved, pointer[:strings.LastIndexByte(pointer, '/')])
	}
}

// keyByMethod sets key to the value that its method reads from the name at t, and reports
// whether the name fits.
func (d *Decoder) keyByMethod(_ *Node, t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(encoding.TextUnmarshaler); ok && !rules.ReadsItself(key.Addr().Type()) {
		return true, rules.MethodError(m.UnmarshalText(d.textToKeep(t)), "UnmarshalText")
	}
	// The methods of version 2 need a stream, which only encoding/json makes. A map with this
	// one name is decoded by it, and the key taken out.
	one := reflect.New(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	text := append(append([]byte{'{'}, d.Raw(t)...), ":{}}"...)
	err = json.Unmarshal(text, one.Interface())
	if e, ok := err.(*rules.UnmarshalTypeError); ok {
		d.notKey(e, t)
		return false, nil
	}
	for _, k := range one.Elem().MapKeys() {
		key.Set(k)
	}
	return true, err
}

// unmarshalJSON calls v's own unmarshal method.
func unmarshalJSON(v any, raw []byte) error {
	if _, ok := v.(jsonv2.UnmarshalerFrom); ok && rules.ReadsItself(reflect.TypeOf(v)) {
		err := jsonv2.Unmarshal(raw, v, json.DefaultOptionsV1())
		if s, ok := err.(*rules.SyntaxError); ok && s.Offset == int64(len(raw)) && s.Error() == "unexpected end of JSON input" {
			return io.EOF // raw is valid, so the error is from the method
		}
		return err
	}
	return rules.MethodError(v.(rules.Unmarshaler).UnmarshalJSON(raw), "UnmarshalJSON")
}

// restNotObject saves the error for members that are held as text that is not an object.
func (d *Decoder) restNotObject(r *restReader, t int) {
	d.typeErrorCause("string", r.shape.Type, d.End(t), rules.ErrRestNotObject)
}

// ended returns the error of a decode of that many bytes into root. On Go 1.27 encoding/json
// takes errors of v2 that a method returns, and io.EOF, for its own.
func ended(err error, root reflect.Value, length int) error {
	if err == nil || !root.IsValid() {
		return err
	}
	if err != io.EOF {
		return rules.LegacyUnmarshal(root.Type(), err)
	}
	// The text of a SyntaxError is private, so encoding/json makes the error, for an empty text.
	err = rules.SyntaxErrorOf(nil)
	if e, ok := err.(*rules.SyntaxError); ok {
		e.Offset = int64(length)
	}
	return err
}
