package mo

import (
	"errors"
	"fmt"
)

// A BinaryError reports bytes that are not the binary form of a Type.
type BinaryError struct {
	Type string // "Option", "Either3"
	Err  error
}

func (e *BinaryError) Error() string { return "mo: " + e.Type + " from binary: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *BinaryError) Unwrap() error { return e.Err }

var errEmpty = errors.New("no bytes")

func binaryError(typ string, err error) error {
	if err == nil {
		return nil
	}
	return &BinaryError{typ, err}
}

func unknownTag(tag byte) error { return fmt.Errorf("unknown tag %d", tag) }

// MarshalBinary returns the byte 0 for None, and the byte 1 and the value's gob stream for
// Some. It allocates the result. Package gob allocates more for types other than bools,
// numbers, strings and []byte.
func (o Option[T]) MarshalBinary() ([]byte, error) {
	if !o.isPresent {
		return []byte{0}, nil
	}
	data, err := appendBinary(1, &o.value)
	return data, binaryError("Option", err)
}

// UnmarshalBinary reads the output of MarshalBinary. The error is a [*BinaryError]; the Option
// is then unchanged.
func (o *Option[T]) UnmarshalBinary(data []byte) error {
	var n Option[T]
	switch {
	case len(data) == 0:
		return &BinaryError{"Option", errEmpty}
	case data[0] > 1:
		return &BinaryError{"Option", unknownTag(data[0])}
	case data[0] == 1:
		n.isPresent = true
		if err := readBinary(data[1:], &n.value); err != nil {
			return &BinaryError{"Option", err}
		}
	case len(data) > 1:
		return &BinaryError{"Option", errTrailing}
	}
	*o = n
	return nil
}

// GobEncode is MarshalBinary.
func (o Option[T]) GobEncode() ([]byte, error) { return o.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (o *Option[T]) GobDecode(data []byte) error { return o.UnmarshalBinary(data) }

// MarshalBinary returns the byte 1 and the gob stream of the L, or the byte 0 and the gob
// stream of the R. It allocates the result. Package gob allocates more for types other than
// bools, numbers, strings and []byte.
func (e Either[L, R]) MarshalBinary() (data []byte, err error) {
	if e.isLeft {
		data, err = appendBinary(1, &e.left)
	} else {
		data, err = appendBinary(0, &e.right)
	}
	return data, binaryError("Either", err)
}

// UnmarshalBinary reads the output of MarshalBinary. The error is a [*BinaryError]; the Either
// is then unchanged.
func (e *Either[L, R]) UnmarshalBinary(data []byte) error {
	var n Either[L, R]
	var err error
	switch {
	case len(data) == 0:
		err = errEmpty
	case data[0] == 1:
		n.isLeft = true
		err = readBinary(data[1:], &n.left)
	case data[0] == 0:
		err = readBinary(data[1:], &n.right)
	default:
		err = unknownTag(data[0])
	}
	if err != nil {
		return &BinaryError{"Either", err}
	}
	*e = n
	return nil
}

// GobEncode is MarshalBinary.
func (e Either[L, R]) GobEncode() ([]byte, error) { return e.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (e *Either[L, R]) GobDecode(data []byte) error { return e.UnmarshalBinary(data) }

// MarshalBinary returns the byte 1 and the gob stream of the value, or the byte 0 and the gob
// stream of the error's message. It allocates the result. Package gob allocates more for types
// other than bools, numbers, strings and []byte.
func (r Result[T]) MarshalBinary() (data []byte, err error) {
	if r.isErr {
		text := r.err.Error()
		data, err = appendBinary(0, &text)
	} else {
		data, err = appendBinary(1, &r.value)
	}
	return data, binaryError("Result", err)
}

// UnmarshalBinary reads the output of MarshalBinary. A decoded error has only the message of
// the original one. The error is a [*BinaryError]; the Result is then unchanged.
func (r *Result[T]) UnmarshalBinary(data []byte) error {
	var n Result[T]
	var err error
	switch {
	case len(data) == 0:
		err = errEmpty
	case data[0] == 1:
		err = readBinary(data[1:], &n.value)
	case data[0] == 0:
		var text string
		err = readBinary(data[1:], &text)
		n = Err[T](errors.New(text))
	default:
		err = unknownTag(data[0])
	}
	if err != nil {
		return &BinaryError{"Result", err}
	}
	*r = n
	return nil
}

// GobEncode is MarshalBinary.
func (r Result[T]) GobEncode() ([]byte, error) { return r.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (r *Result[T]) GobDecode(data []byte) error { return r.UnmarshalBinary(data) }
