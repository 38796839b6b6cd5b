package program

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/wire/internal/fault"
)

// A TypeError reports a type that has no wire encoding.
type TypeError struct {
	Root   reflect.Type // the type of the codec
	Path   string       // path of the part that has no encoding, such as ".Items[].Done"; "" for Root
	Type   reflect.Type // type of that part
	Reason string
}

// Error names the path, the type there and the reason.
func (e *TypeError) Error() string {
	if e.Path == "" && e.Type == e.Root {
		return fmt.Sprintf("wire: cannot encode %v: %s", e.Root, e.Reason)
	}
	return fmt.Sprintf("wire: cannot encode %v: %s%v: %s", e.Root, pathPrefix(e.Path), e.Type, e.Reason)
}

// errNanoseconds is the cause of an error about a time that a layout cannot encode.
var errNanoseconds = fmt.Errorf("%w in 64 bits of nanoseconds, whose range is from 1677-09-21 to 2262-04-11", fault.ErrTime)

// pathPrefix returns path as the beginning of an error message.
func pathPrefix(path string) string {
	if path == "" {
		return ""
	}
	return path + " "
}

// An EncodeError reports a value that has no encoding though its type has one: the value is
// nested too deeply (perhaps it contains itself), or a method of its type failed.
type EncodeError struct {
	Path string       // ".Items[3].Price"; "" at the root
	Type reflect.Type // type of the value at Path
	Err  error        // the cause; never nil
}

// Error names the path, the type there and the cause. The path may contain map keys.
func (e *EncodeError) Error() string {
	if e.Type == nil && e.Path == "" {
		return fmt.Sprintf("wire: encode: %v", e.Err)
	}
	return fmt.Sprintf("wire: encode %s(%v): %v", pathPrefix(e.Path), e.Type, e.Err)
}

// Unwrap returns the cause.
func (e *EncodeError) Unwrap() error { return e.Err }

// within prepends path to the path of e and returns e. While an error is returned, each program
// prepends the path of its instruction, so that the loops need no path.
func (e *EncodeError) within(path string) *EncodeError {
	e.Path = join(path, e.Path)
	return e
}

// A DecodeError reports input that does not match the program of its type.
type DecodeError struct {
	Offset int64        // bytes from the start of the input
	Path   string       // ".Items[3].Price"; "" at the root
	Type   reflect.Type // type of the value at Path
	Err    error        // the cause; never nil
}

// Error names the path, the type there, the offset and the cause. The path may contain map
// keys.
func (e *DecodeError) Error() string {
	if e.Type == nil {
		return fmt.Sprintf("wire: decode %sat byte %d: %v", pathPrefix(e.Path), e.Offset, e.Err)
	}
	return fmt.Sprintf("wire: decode %s(%v) at byte %d: %v", pathPrefix(e.Path), e.Type, e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// within prepends path to the path of e and returns e, as for an EncodeError.
func (e *DecodeError) within(path string) *DecodeError {
	e.Path = join(path, e.Path)
	return e
}

// join returns path followed by suffix. It cuts the end of a long path, since the path of a value
// that contains itself may have a thousand parts.
func join(path, suffix string) string {
	const most = 256
	if len(suffix) > most {
		// If suffix has been cut before, remove its ellipsis.
		if i := len(suffix) - len(ellipsis); suffix[i:] == ellipsis {
			suffix = suffix[:i]
		}
		suffix = suffix[:most] + ellipsis
	}
	return path + suffix
}

const ellipsis = "…"

// Index appends an index to a path. It allocates, so only errors and the compiler call it.
func Index(at string, i int) string { return at + path.Index(i) }

// Shift adds delta to the Offset of err, if err is a DecodeError. It converts an offset in the
// input to an offset in a stream, if the input starts at offset delta of the stream.
func Shift(err error, delta int64) error {
	if de, ok := err.(*DecodeError); ok {
		de.Offset += delta
	}
	return err
}
