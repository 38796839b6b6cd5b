package document

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Causes of an [Error], for errors.Is.
var (
	// ErrNotFound: an object has no such member, or an array no such element.
	ErrNotFound = errors.New("no such value")
	// ErrKind: a value has another kind than the call needs.
	ErrKind = errors.New("wrong kind of value")
	// ErrRange: a number cannot be represented in the Go type.
	ErrRange = errors.New("number out of range")
	// ErrDepth: arrays and objects are nested more than 10,000 levels deep after an edit.
	ErrDepth = errors.New("arrays and objects are nested too deeply")
	// ErrTextSize: a value of a stream is too long; see [StreamOptions.MaxBytes].
	ErrTextSize = errors.New("the text is too long")
	// ErrTest: the operation test of a JSON Patch found another value.
	ErrTest = errors.New("the value is not the expected one")
	// ErrOperation: a JSON Patch has an operation that RFC 6902 does not define.
	ErrOperation = errors.New("unknown operation")
	// ErrCopySize: a JSON Patch copies or compares too much; see [PatchOptions.MaxCopy].
	ErrCopySize = errors.New("too many bytes are copied or compared")
	// ErrPathSteps: a query takes more steps than [PathOptions.MaxSteps], or recurses too deeply.
	ErrPathSteps = errors.New("the query takes too many steps")
	// ErrPointer: a JSON pointer is not valid.
	ErrPointer = errors.New("invalid JSON pointer")
	// ErrNoValue: a Value is the zero Value, or of a text that its Document no longer has.
	ErrNoValue = errors.New("no value: the zero Value, or its Document has another text now")
	// ErrDuplicateName: a name occurs twice in an object; see [Options.RejectDuplicateNames].
	ErrDuplicateName = errors.New("duplicate name")
	// ErrInvalidUTF8: a string is not valid UTF-8; see [Options.RejectInvalidUTF8].
	ErrInvalidUTF8 = errors.New("invalid UTF-8 in a string")
	// ErrIndexSize: the index of a text is too large; see [Options.MaxIndex].
	ErrIndexSize = errors.New("the index of the text is too large")
)

// An Error says which value of a text was not found, or cannot be read.
//
// Finding the Pointer takes time, so the errors of one text share a number of steps, in proportion to the
// number of its values. Errors after these have an Offset but no Pointer.
type Error struct {
	// Pointer is the JSON pointer (RFC 6901) to the value, or to where a missing value would be. It is
	// "" for the root, and if the pointer is not known.
	Pointer string
	// Offset is the position of the value in the text. For a missing value, it is the position of the
	// object or array that lacks it. It is -1 if the error has no position.
	Offset int64
	// Want is the kind that a call needs, and Got the kind of the value. They are set with [ErrKind].
	Want, Got Kind
	// Err is the cause: one of the variables of this package, or the error of decoding.
	Err error

	detail  string
	located bool // Pointer is known
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Error returns a line with the pointer and the cause. A long pointer is shortened.
func (e *Error) Error() string {
	text := e.detail
	if text == "" && e.Err != nil {
		text = e.Err.Error()
	}
	switch {
	case e.located && e.Pointer != "":
		return "document: " + lastOf(e.Pointer) + ": " + text
	case e.located || e.Offset < 0:
		return "document: " + text
	}
	return "document: offset " + strconv.FormatInt(e.Offset, 10) + ": " + text
}

// lastOf returns at most the last 200 bytes of a pointer.
func lastOf(pointer string) string {
	const most = 200
	if len(pointer) <= most {
		return pointer
	}
	start := len(pointer) - most
	for start < len(pointer) && !utf8.RuneStart(pointer[start]) {
		start++
	}
	return "…" + pointer[start:]
}

// A failure is why a Value is not there. The Value has the document and the value that the call was for.
type failure struct {
	err     error
	name    string // the missing member, or the invalid pointer
	element bool   // an element is missing, not a member
	index   int    // the number of the missing element
	want    Kind
}

// fails returns the failure f of a call for the value v.
func (v Value) fails(f failure) Value {
	v.failure = &f
	return v
}

// notA returns v if it is a failure already, and otherwise the failure that v is not a value of this kind.
func (v Value) notA(want Kind) Value {
	if !v.ok() {
		return v
	}
	return v.fails(failure{err: ErrKind, want: want})
}

// wants returns the error for a v that is a failure, or not of this kind.
func (v Value) wants(want Kind) error { return v.notA(want).failed() }

// failed returns the error of a failure.
func (v Value) failed() *Error {
	f := v.failure
	v.failure = nil
	if !v.ok() {
		return &Error{Offset: -1, Err: ErrNoValue}
	}
	e := v.errorAt(f.err)
	switch {
	case f.err == ErrPathSteps:
	case f.err == ErrPointer:
		e.detail = fmt.Sprintf("%v: %q", ErrPointer, lastOf(f.name))
	case f.err == ErrKind:
		e.Want, e.Got = f.want, v.Kind()
		e.detail = "the value is " + withArticle(e.Got) + ", not " + withArticle(e.Want)
	case f.element:
		e.Pointer += "/" + strconv.Itoa(f.index)
		e.detail = fmt.Sprintf("no such element; the array has %d", v.Len())
	case v.Kind() == Array:
		e.Pointer += "/" + escapeToken.Replace(f.name)
		e.detail = "not the number of an element"
	default:
		e.Pointer += "/" + escapeToken.Replace(f.name)
		e.detail = "no such member"
	}
	if !e.located {
		e.Pointer = ""
	}
	return e
}

// errorAt returns an error with the position of the value v.
func (v Value) errorAt(err error) *Error {
	e := &Error{Offset: v.Offset(), Err: err}
	e.Pointer, e.located = v.doc.locateInError(int(v.index))
	return e
}

// shownDigits is how many bytes of a number an error contains.
const shownDigits = 40

// outOfRange returns the error for a number that is not a value of the Go type.
func (v Value) outOfRange(goType string) error {
	e := v.errorAt(ErrRange)
	text := string(v.Raw())
	if len(text) > shownDigits {
		text = text[:shownDigits] + "…"
	}
	e.detail = "the number " + text + " is not " + goType
	return e
}

// withArticle returns the kind with its indefinite article.
func withArticle(k Kind) string {
	switch k {
	case Null:
		return "null"
	case Array, Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}
