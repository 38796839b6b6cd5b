package mo

import (
	"database/sql/driver"
	"fmt"
)

// Nullable holds a T, or is null or absent. A typical use is a field in the body of a PATCH
// request. The zero value is absent.
//
//	type Patch struct {
//		Name  mo.Nullable[string] `json:"name,omitzero"`
//		Email mo.Nullable[string] `json:"email,omitzero"`
//	}
//
// With the tag option omitzero, an absent field is omitted from JSON. A field whose member is
// missing from the input remains absent. In SQL, absent and null are both NULL.
type Nullable[T any] struct {
	state nullableState
	value T
}

type nullableState uint8

const (
	absent nullableState = iota
	null
	present
)

// Absent returns an absent Nullable.
func Absent[T any]() Nullable[T] { return Nullable[T]{} }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: null} }

// Value returns a Nullable that holds value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{state: present, value: value} }

// IsAbsent reports whether the Nullable is absent.
func (n Nullable[T]) IsAbsent() bool { return n.state == absent }

// IsNull reports whether the Nullable is null.
func (n Nullable[T]) IsNull() bool { return n.state == null }

// IsPresent reports whether the Nullable holds a value.
func (n Nullable[T]) IsPresent() bool { return n.state == present }

// IsZero reports whether the Nullable is absent. encoding/json calls it for fields with the tag
// option omitzero.
func (n Nullable[T]) IsZero() bool { return n.state == absent }

// Get returns the value and true. Without a value, it returns T's zero value and false.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == present }

// OrElse returns the value, or fallback if there is none.
func (n Nullable[T]) OrElse(fallback T) T {
	if n.state == present {
		return n.value
	}
	return fallback
}

// ToOption returns Some of the value, or None if the Nullable is absent or null.
func (n Nullable[T]) ToOption() Option[T] { return TupleToOption(n.value, n.state == present) }

// Apply updates *field as a PATCH request does. It sets *field to the value, or to T's zero value
// if the Nullable is null. If the Nullable is absent, it leaves *field unchanged.
func (n Nullable[T]) Apply(field *T) {
	if n.state != absent {
		*field = n.value
	}
}

// ApplyOption is like Apply, for an optional field. If the Nullable is null, it sets *field to
// None.
func (n Nullable[T]) ApplyOption(field *Option[T]) {
	if n.state != absent {
		*field = n.ToOption()
	}
}

// String returns "Absent", "Null" or "Value(value)". It allocates the string, and package fmt
// allocates.
func (n Nullable[T]) String() string {
	switch n.state {
	case absent:
		return "Absent"
	case null:
		return "Null"
	}
	return fmt.Sprintf("Value(%v)", n.value)
}

// MarshalJSON returns the JSON of the value, or null if the Nullable is null or absent. To omit an
// absent Nullable, use the tag option omitzero. It allocates the result. Encoding a scalar or a
// string allocates nothing else.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return n.ToOption().MarshalJSON() }

// UnmarshalJSON sets the Nullable to null if data is null, and otherwise to the decoded value. On
// error the Nullable is unchanged. It allocates as UnmarshalJSON of an Option does.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	var o Option[T]
	if err := o.UnmarshalJSON(data); err != nil {
		return err
	}
	if o.isPresent {
		*n = Value(o.value)
	} else {
		*n = Null[T]()
	}
	return nil
}

// MarshalBinary returns a byte for the state, and the gob encoding of the value if there is one. It
// allocates the result. For types other than bools, numbers, strings and []byte, package gob
// allocates more.
func (n Nullable[T]) MarshalBinary() ([]byte, error) {
	if n.state != present {
		return []byte{byte(n.state)}, nil
	}
	data, err := appendBinary(byte(present), &n.value)
	return data, binaryError("Nullable", err)
}

// UnmarshalBinary decodes the output of MarshalBinary. On error it returns a [*BinaryError], and
// the Nullable is unchanged.
func (n *Nullable[T]) UnmarshalBinary(data []byte) error {
	var next Nullable[T]
	var err error
	switch {
	case len(data) == 0:
		err = errEmpty
	case data[0] > byte(present):
		err = unknownTag(data[0])
	case data[0] == byte(present):
		err = readBinary(data[1:], &next.value)
	case len(data) > 1:
		err = errTrailing
	}
	if err != nil {
		return &BinaryError{"Nullable", err}
	}
	next.state = nullableState(data[0])
	*n = next
	return nil
}

// GobEncode calls MarshalBinary.
func (n Nullable[T]) GobEncode() ([]byte, error) { return n.MarshalBinary() }

// GobDecode calls UnmarshalBinary.
func (n *Nullable[T]) GobDecode(data []byte) error { return n.UnmarshalBinary(data) }

// MarshalText returns the output of MarshalJSON.
func (n Nullable[T]) MarshalText() ([]byte, error) { return n.MarshalJSON() }

// UnmarshalText decodes the text of a query parameter or a header. It sets the Nullable to null if
// the text is "null". Otherwise the text is the value if T is string, and the value's JSON for
// other types.
func (n *Nullable[T]) UnmarshalText(data []byte) error {
	if s, ok := any(&n.value).(*string); ok && string(data) != nullText {
		n.state, *s = present, string(data)
		return nil
	}
	return n.UnmarshalJSON(data)
}

// Value implements driver.Valuer. It returns NULL if the Nullable is null or absent. Converting
// the value to an interface allocates, except for small integers.
func (n Nullable[T]) Value() (driver.Value, error) { return n.ToOption().Value() }

// Scan implements sql.Scanner. It sets the Nullable to null for NULL, and otherwise to the
// converted value. On error it returns a [*ScanError], and the Nullable is unchanged.
func (n *Nullable[T]) Scan(src any) error {
	var o Option[T]
	if err := o.Scan(src); err != nil {
		return err
	}
	if o.isPresent {
		*n = Value(o.value)
	} else {
		*n = Null[T]()
	}
	return nil
}
