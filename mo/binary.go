package mo

import (
	"errors"
	"fmt"
)

// A BinaryError reports data that UnmarshalBinary of the named type cannot decode, or a value that
// MarshalBinary cannot encode.
type BinaryError struct {
	Type string // the name of the type, such as "Option" or "Either3"
	Err  error
}

func (e *BinaryError) Error() string {
	return "mo: binary encoding of " + e.Type + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *BinaryError) Unwrap() error { return e.Err }

var errEmpty = errors.New("the input is empty")

func binaryError(typ string, err error) error {
	if err == nil {
		return nil
	}
	return &BinaryError{typ, err}
}

func unknownTag(tag byte) error { return fmt.Errorf("unknown tag %d", tag) }

// MarshalBinary returns the byte 0 for None. For Some it returns the byte 1 and the gob encoding of
// the value. It allocates the result. For types other than bools, numbers, strings and []byte,
// package gob allocates more.
func (o Option[T]) MarshalBinary() ([]byte, error) {
	if !o.isPresent {
		return []byte{0}, nil
	}
	data, err := appendBinary(1, &o.value)
	return data, binaryError("Option", err)
}

// UnmarshalBinary decodes the output of MarshalBinary. On error it returns a [*BinaryError], and
// the Option is unchanged.
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

// GobEncode calls MarshalBinary.
func (o Option[T]) GobEncode() ([]byte, error) { return o.MarshalBinary() }

// GobDecode calls UnmarshalBinary.
func (o *Option[T]) GobDecode(data []byte) error { return o.UnmarshalBinary(data) }

// MarshalBinary returns the byte 1 and the gob encoding of the L, or the byte 0 and the gob
// encoding of the R. It allocates the result. For types other than bools, numbers, strings and
// []byte, package gob allocates more.
func (e Either[L, R]) MarshalBinary() (data []byte, err error) {
	if e.isLeft {
		data, err = appendBinary(1, &e.left)
	} else {
		data, err = appendBinary(0, &e.right)
	}
	return data, binaryError("Either", err)
}

// UnmarshalBinary decodes the output of MarshalBinary. On error it returns a [*BinaryError], and
// the Either is unchanged.
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

// GobEncode calls MarshalBinary.
func (e Either[L, R]) GobEncode() ([]byte, error) { return e.MarshalBinary() }

// GobDecode calls UnmarshalBinary.
func (e *Either[L, R]) GobDecode(data []byte) error { return e.UnmarshalBinary(data) }

// MarshalBinary returns the byte 1 and the gob encoding of the value, or the byte 0 and the gob
// encoding of the error's message. It allocates the result. For types other than bools, numbers,
// strings and []byte, package gob allocates more.
func (r Result[T]) MarshalBinary() (data []byte, err error) {
	if r.isErr {
		text := r.err.Error()
		data, err = appendBinary(0, &text)
	} else {
		data, err = appendBinary(1, &r.value)
	}
	return data, binaryError("Result", err)
}

// UnmarshalBinary decodes the output of MarshalBinary. A decoded error has the message of the
// original error, but not its type. If decoding fails, UnmarshalBinary returns a [*BinaryError],
// and the Result is unchanged.
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

// GobEncode calls MarshalBinary.
func (r Result[T]) GobEncode() ([]byte, error) { return r.MarshalBinary() }

// GobDecode calls UnmarshalBinary.
func (r *Result[T]) GobDecode(data []byte) error { return r.UnmarshalBinary(data) }
