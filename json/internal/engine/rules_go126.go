//go:build !(go1.27 && goexperiment.jsonv2)

package engine

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// These are the rules in which encoding/json's two engines differ, as the first one has
// them: that of Go 1.26, and of Go 1.27 built with GOEXPERIMENT=nojsonv2.
const (
	methodsOfAll = false // types without a name are not asked for methods
	keepsInf     = false // a number that is too large is not stored
	appendsText  = false // AppendText means nothing
	methodsEnd   = true  // an error of a type's own method ends the decode
)

// misfitError returns the error for what does not fit. It has no cause.
func (d *Decoder) misfitError(value string, t reflect.Type, offset int, _ error) error {
	return &UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset)}
}

// placed returns err, which says where it happened already.
func (d *Decoder) placed(err error) error { return err }

// inContext adds to a type error where it happened: the struct and the path of
// names to its field.
func (d *Decoder) inContext(err error) error {
	e, ok := err.(*UnmarshalTypeError)
	if !ok || len(d.trail) == 0 {
		return err
	}
	e.Struct = d.trail[len(d.trail)-1].in.Name()
	var path []string
	for _, f := range d.trail {
		path = append(path, f.path...)
	}
	if e.Field != "" {
		path = append(path, e.Field)
	}
	e.Field = strings.Join(path, ".")
	return err
}

// misfitText saves that the value at t is no text, which n's method takes.
func (d *Decoder) misfitText(n *Node, t int) {
	slot := n.slot
	if slot == nil {
		slot = d.root
	}
	_ = d.misfitOf(t, "number", slot)
}

// misfitInterface saves that nothing fits the interface n, which has methods.
func (d *Decoder) misfitInterface(n *Node, t int) error {
	if c := d.data[d.words[t].Pos()]; c == '-' || c-'0' <= 9 {
		if _, err := d.number(t); err != nil {
			d.save(err)
			return nil
		}
	}
	_ = d.misfitOf(t, "number", n.shape.Type)
	return nil
}

// misfitNumber saves or returns that the value at t is no Number.
func (d *Decoder) misfitNumber(t int) error {
	if d.data[d.words[t].Pos()] == '"' {
		return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.raw(t))
	}
	_ = d.misfitOf(t, "number", numberType)
	return nil
}

// tooLarge returns what a number that no float64 holds is in an interface. The offset of
// its error lies one byte further than others.
func (d *Decoder) tooLarge(t int) (any, error) {
	return nil, &UnmarshalTypeError{Value: "number " + string(d.raw(t)), Type: floatType, Offset: int64(d.end(t) + 1)}
}

// time decodes the value at t into *v.
func (d *Decoder) time(t int, v *time.Time) error { return readTime(v, d.raw(t)) }

// bytesOf decodes base64 into memory of its own.
func bytesOf(text, _ []byte) ([]byte, error) {
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, text)
	return b[:n], err
}

// misfitBase64 saves that the string at t is not base64.
func (d *Decoder) misfitBase64(_ *Node, _ int, err error) { d.save(err) }

// answered returns the error of a method as encoding/json takes it.
func answered(err error, _ string) error { return err }

// entry decodes the element behind the name and the key, in this order.
func (d *Decoder) entry(n *Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if next, err = d.value(n.elem, name+1, mem.OfPointer(elem.Addr()), 0); err != nil {
		return next, false, err
	}
	ok, err = d.key(n, name, key, d.words[name].Pos()+1)
	return next, ok && err == nil, err
}

// misfitClosed saves that an embedded pointer to a struct type cannot be set, which the
// value at t, of the field f, lies behind.
func (d *Decoder) misfitClosed(_ *field, typ reflect.Type, _ int) {
	d.save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", typ))
}

// unsupported returns the error for v, which may lie in memory that is used again.
func unsupported(v reflect.Value, why string) error {
	held := reflect.New(v.Type()).Elem()
	held.Set(v)
	return &UnsupportedValueError{Value: held, Str: why}
}

// throughPointer names the pointer type t in the error of a marshal method that
// was called on what such a pointer points to, if t has that method too.
func throughPointer(err error, t reflect.Type) error {
	if e, ok := err.(*MarshalerError); ok && e.Type == t.Elem() && (t.Implements(marshaler) || t.Implements(textMarshaler)) {
		e.Type = t
	}
	return err
}

// methodType returns the type that errors of a marshal method name: that of the place
// where it was called.
func methodType(t reflect.Type, _ any) reflect.Type { return t }

// numberError returns the error for text that is no number, in a Number.
func numberError(text string, _ bool) error {
	return fmt.Errorf("json: invalid number literal %q", text)
}

// keyError returns the error of a text method of a key of the map type t.
func keyError(t reflect.Type, _ reflect.Value, err error) error {
	return fmt.Errorf("json: encoding error for type %q: %q", t.String(), err.Error())
}

// timeError returns the error for a time that has no JSON.
func timeError(_ *time.Time, err error) error { return &MarshalerError{Type: timeType, Err: err} }

// methodError returns the error of a value's own method.
func methodError(t reflect.Type, _ any, err error) error { return &MarshalerError{Type: t, Err: err} }

// keyNamerOf returns how keys of a type are named, or nil if maps of such have no JSON. It
// reports whether they are strings as they are.
func keyNamerOf(key *shape.Shape) (name keyNamer, plain bool) {
	switch {
	case key.Kind == shape.String:
		return stringKey, true
	case key.Kind == shape.Interface && key.Type.Implements(textMarshaler):
		return heldKey, false
	case key.Type.Implements(textMarshaler):
		return textKey, false
	}
	return kindKey(key.Kind), false
}

// heldKey names keys of an interface type that has MarshalText, by what they hold.
func heldKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.IsNil() {
		panic("unexpected map key type")
	}
	return textKey(e, dst, t, key)
}

// keyFormOf returns how names become keys of a type.
func keyFormOf(s *shape.Shape) keyForm {
	if reflect.PointerTo(s.Type).Implements(textUnmarshaler) {
		return keyMethod
	}
	return keyFormOfKind(s.Kind)
}

// keyByMethod sets key to what its method reads from the name at t: that for JSON, if it
// has one too.
func (d *Decoder) keyByMethod(n *Node, t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(Unmarshaler); ok {
		return true, m.UnmarshalJSON(d.rawToKeep(n, t))
	}
	return true, method.(encoding.TextUnmarshaler).UnmarshalText(d.textToKeep(t))
}

func readsItself(reflect.Type) bool  { return false }
func writesItself(reflect.Type) bool { return false }

func unmarshalJSON(v any, raw []byte) error { return v.(Unmarshaler).UnmarshalJSON(raw) }

func marshalJSON(v any, _ bool) ([]byte, error) { return v.(Marshaler).MarshalJSON() }

// membersOf returns the members of a struct, and the field that takes all others, which v1
// does not have.
func membersOf(s *shape.Shape, v1 bool) ([]shape.Member, *shape.Member) {
	if v1 {
		return s.Members(), nil
	}
	return s.Object().Members, s.Object().Rest
}

// standardRest and misfitRest are for v1, which has no such fields.
func standardRest(dst, _ []byte, _ bool) ([]byte, error) { return dst, nil }
func (d *Decoder) misfitRest(*restReader, int)           {}

// marshalerError returns the error of v1 for a method that failed.
func marshalerError(t reflect.Type, err error, _ string) error {
	return &MarshalerError{Type: t, Err: err}
}

// These are for methods with the standard library's streams, which it does not have.
type (
	standardWriter struct{}
	standardReader struct{}
)

func (*standardWriter) forget() {}
func (*standardReader) forget() {}

func (e *encoder) standardStream(dst []byte, _ *ref, _ any) ([]byte, error) { return dst, errDeclined }

func (d *decoder) standardRead(any, []byte, bool) error { return errDeclined }

// legacySyntax returns an error of the text, or of the reader, as v1 returns it, as far as
// errors of encoding/json can be made.
func legacySyntax(err error) error {
	if err, ok := err.(*stream.IOError); ok {
		return err.Err
	}
	return err
}

// withCause adds a cause to an error of v1, which has no room for one.
func withCause(*UnmarshalTypeError, error) {}

// ended returns err, which decoding a text has ended with.
func ended(err error, _ reflect.Value, _ int) error { return err }
