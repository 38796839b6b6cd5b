package encode

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// A Fault is an error of encoding without an offset and a JSON pointer. At the end of the call the
// offset and the pointer are computed by reading the output before the fault. The engine returns
// Faults only for options that version 1 does not have.
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

// Duplicate returns the Fault for a name that the object already has. bare is for the field Bare.
func Duplicate(quoted []byte, bare bool) error {
	return &Fault{Err: stream.ErrDuplicateName, Syntax: true, Where: stream.Next, Name: slices.Clone(quoted), Bare: bare}
}

// ErrCycle is the cause of an error for a pointer, a map or a slice that contains itself.
var ErrCycle = errors.New("encountered a cycle")

// notNumber returns the error for a Number whose text is not a valid JSON number.
func (e *Encoder) notNumber(s string, quoted bool) error {
	text := s
	if quoted {
		text = `"` + s + `"`
	}
	return e.Mode.Rules.NotNumber(e, s, fmt.Errorf("cannot parse %q as JSON number: %w", text, strconv.ErrSyntax))
}

// notCase returns the error for v, whose type is not a case of the union s.
func (e *Encoder) notCase(s *shape.Sum, v reflect.Value) error {
	return e.Mode.Rules.Unsupported(v, fmt.Errorf("%v is not a case of %v", v.Type(), s.Type))
}

// notObject returns the error for a value that was not encoded as an object, so that an internal tag
// cannot be added. The declaration requires structs for such cases, but a function of version 2 may
// encode a struct as any JSON.
func (e *Encoder) notObject(s *shape.Sum, i int, v reflect.Value) error {
	return e.Mode.Rules.Unsupported(v, fmt.Errorf("the case %q of %v is not encoded as an object, so the member %q cannot be added to it", s.Cases[i].Name, s.Type, s.Tag))
}
