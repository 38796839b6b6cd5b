package encode

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// A Fault is an error of encoding by the rules of version 2, without an offset and a JSON pointer.
// At the end of the call the offset and the pointer are computed by reading the output before the
// fault.
type Fault struct {
	// Err is the cause.
	Err error
	// Typ is the type of the value.
	Typ reflect.Type
	// Where is the position of the error, relative to the end of the output so far.
	Where stream.Where
	// Syntax is set if the error becomes a *SyntacticError. Otherwise it becomes a *SemanticError.
	Syntax bool
	// Name is the name in quotes, if the error is about a repeated name.
	Name []byte
	// Bare is set if the offset in the error does not count the comma before the value.
	Bare bool
	// Semantic is the error that a method returned. If the error contains a position, this position
	// is kept.
	Semantic *rules.SemanticError
}

// Error returns the message of the cause.
func (f *Fault) Error() string { return f.Err.Error() }

// notUTF8 is the Fault for a string that is not valid UTF-8.
var notUTF8 = &Fault{Err: stream.ErrInvalidUTF8, Syntax: true, Where: stream.Next}

// NewFault returns the Fault for a value of type t that cannot be encoded.
func NewFault(t reflect.Type, err error) error {
	return &Fault{Err: rules.UnexpectedEnd(err), Typ: t, Where: stream.Next}
}

// ErrCycle is the cause of an error for a pointer, a map or a slice that contains itself.
var ErrCycle = errors.New("encountered a cycle")

// cycle returns the error for a value that contains itself.
func (e *Encoder) cycle(v reflect.Value) error {
	if e.Mode.IsV1() {
		return e.unsupported(v, fmt.Sprintf("encountered a cycle via %s", v.Type()))
	}
	return NewFault(v.Type(), ErrCycle)
}

// notFinite returns the error for an infinite float or NaN.
func (e *Encoder) notFinite(f float64, bits int) error {
	v := reflect.ValueOf(f)
	if bits == 32 {
		v = reflect.ValueOf(float32(f))
	}
	if e.Mode.IsV1() {
		return e.unsupported(v, strconv.FormatFloat(f, 'g', -1, bits))
	}
	cause := fmt.Errorf("unsupported value: %v", f)
	if e.Mode.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		cause = &NotFinite{v}
	}
	return NewFault(v.Type(), cause)
}

// NotFinite is the cause of an error about an infinite float or NaN. In version 1 the error becomes
// an UnsupportedValueError with this Value.
type NotFinite struct{ Value reflect.Value }

func (e *NotFinite) Error() string { return fmt.Sprintf("unsupported value: %v", e.Value.Float()) }

// named replaces the type in err, an error about a float, by t. notFinite can name only float32 and
// float64, because a compiled program encodes a named float type as one of these.
func named(err error, t reflect.Type) error {
	if t == nil {
		return err
	}
	switch e := err.(type) {
	case *rules.UnsupportedValueError:
		if e.Value.IsValid() {
			e.Value = e.Value.Convert(t)
		}
	case *Fault:
		e.Typ = t
		if cause, ok := e.Err.(*NotFinite); ok {
			cause.Value = cause.Value.Convert(t)
		}
	}
	return err
}

// notNumber returns the error for a Number whose text is not a valid JSON number.
func (e *Encoder) notNumber(s string, quoted bool) error {
	if e.Mode.IsV1() || e.Mode.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		return e.numberError(s, quoted)
	}
	text := s
	if quoted {
		text = `"` + s + `"`
	}
	return NewFault(rules.NumberType, fmt.Errorf("cannot parse %q as JSON number: %w", text, strconv.ErrSyntax))
}

// Duplicate returns the Fault for a name that the object already has.
func (e *Encoder) Duplicate(quoted []byte) error {
	return &Fault{Err: stream.ErrDuplicateName, Syntax: true, Where: stream.Next, Name: append([]byte(nil), quoted...)}
}
