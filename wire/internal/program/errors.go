package program

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
)

// The causes of a [DecodeError] that are wire's own. Input that ends too early
// is io.ErrUnexpectedEOF.
var (
	ErrTrailing   = errors.New("bytes after the end of the value")
	ErrOverflow   = errors.New("number too large for its type")
	ErrNonMinimal = errors.New("number written longer than it needs to be")
	ErrFlag       = errors.New("a byte that must be 0 or 1 is neither")
	ErrDuplicate  = errors.New("map key written twice")
	ErrKey        = errors.New("a value that cannot be a map key")
	ErrTime       = errors.New("not a time")
	ErrLimit      = errors.New("value takes more memory than the limit allows")
	ErrDepth      = errors.New("nested deeper than the limit allows")
	ErrTag        = errors.New("a byte that says which of several things follows says none of them")
	ErrCanonical  = errors.New("not the canonical form of the value")
	errBudget     = fmt.Errorf("%w; set Limits.Bytes where it is encoded and where it is decoded", ErrLimit)
	ErrUnsorted   = fmt.Errorf("%w: map keys out of order", ErrCanonical)
)

// The causes of an [EncodeError] that are wire's own, with ErrDepth, ErrTime and
// ErrDuplicate.
var (
	ErrTooLong = errors.New("longer than its length can say")
	ErrCount   = errors.New("not as many elements as the layout says")
)

// The causes of errors about a type or an id: it was not registered, or another
// was registered for it.
var (
	ErrUnregistered = errors.New("not registered")
	ErrRegistered   = errors.New("registered already")
)

// ErrTruncated is the cause for input that ends too early.
var ErrTruncated = io.ErrUnexpectedEOF

// A TypeError reports a type that has no wire encoding.
type TypeError struct {
	Root   reflect.Type // the type that was asked for
	Path   string       // to the culprit, such as ".Items[].Done"; "" if it is Root
	Type   reflect.Type // the culprit
	Reason string
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("wire: cannot encode %v: %s%v: %s", e.Root, at(e.Path), e.Type, e.Reason)
}

func at(path string) string {
	if path == "" {
		return ""
	}
	return path + " "
}

// An EncodeError reports a value that has no encoding though its type does: it
// is nested too deeply (perhaps without end), or a marshal method failed.
type EncodeError struct {
	Path string       // ".Items[3].Price"; "" at the root
	Type reflect.Type // of what is at Path
	Err  error        // the cause; never nil
}

func (e *EncodeError) Error() string {
	return fmt.Sprintf("wire: encode %s(%v): %v", at(e.Path), e.Type, e.Err)
}

// Unwrap returns the cause.
func (e *EncodeError) Unwrap() error { return e.Err }

func (e *EncodeError) within(path string) *EncodeError {
	e.Path = join(path, e.Path)
	return e
}

// A DecodeError reports input that does not match Type's program.
type DecodeError struct {
	Offset int64        // bytes from the start of the input
	Path   string       // ".Items[3].Price"; "" at the root
	Type   reflect.Type // of what is at Path
	Err    error        // the cause; never nil
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("wire: decode %s(%v) at byte %d: %v", at(e.Path), e.Type, e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

func (e *DecodeError) within(path string) *DecodeError {
	e.Path = join(path, e.Path)
	return e
}

// join puts path before rest. A path that has grown past reading, as that of a
// cyclic value does, keeps its beginning only.
func join(path, rest string) string {
	const most = 256
	if len(rest) > most {
		if i := len(rest) - len(ellipsis); rest[i:] == ellipsis {
			rest = rest[:i]
		}
		rest = rest[:most] + ellipsis
	}
	return path + rest
}

const ellipsis = "…"

// Index appends an index to a path.
func Index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
