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

// A Fault is an error of encoding by the rules of version 2 that does not know its place yet.
// The place is worked out once, at the end, by reading the text that was written before it.
type Fault struct {
	// The cause.
	Err error
	// The type of the value.
	Typ reflect.Type
	// The place of the error, relative to the text written so far.
	Where stream.Where
	// The error is a *SyntacticError, and not a *SemanticError.
	Syntax bool
	// A name that the object already has, in quotes.
	Name []byte
	// The offset is before the comma.
	Bare bool
	// The error that a method returned, whose place is kept if it has one.
	Semantic *rules.SemanticError
}

// Error returns the text of the cause.
func (f *Fault) Error() string { return f.Err.Error() }

// notUTF8 is the Fault for a string that is not valid UTF-8.
var notUTF8 = &Fault{Err: stream.ErrInvalidUTF8, Syntax: true, Where: stream.Next}

// NewFault returns the Fault for a value of type t that would have followed the text written so
// far.
func NewFault(t reflect.Type, err error) error {
	return &Fault{Err: rules.UnexpectedEnd(err), Typ: t, Where: stream.Next}
}

// ErrCycle is the cause for a pointer, a map or a slice that holds itself.
var ErrCycle = errors.New("encountered a cycle")

// cycle returns the error for a value that holds itself.
func (e *Encoder) cycle(v reflect.Value) error {
	if e.Mode.IsV1() {
		return unsupported(v, fmt.Sprintf("encountered a cycle via %s", v.Type()))
	}
	return NewFault(v.Type(), ErrCycle)
}

// notFinite returns the error for a float that has no JSON form.
func (e *Encoder) notFinite(f float64, bits int) error {
	v := reflect.ValueOf(f)
	if bits == 32 {
		v = reflect.ValueOf(float32(f))
	}
	if e.Mode.IsV1() {
		return unsupported(v, strconv.FormatFloat(f, 'g', -1, bits))
	}
	return NewFault(v.Type(), fmt.Errorf("unsupported value: %v", f))
}

// notNumber returns the error for a Number whose text is not a number.
func (e *Encoder) notNumber(s string, quoted bool) error {
	if e.Mode.IsV1() || e.Mode.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		return numberError(s, quoted)
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
