package mo

import (
	"database/sql/driver"
	"fmt"
)

// Nullable is a T, null or absent. It is for fields such as those of a PATCH body. The zero
// value is absent.
//
//	type Patch struct {
//		Name  mo.Nullable[string] `json:"name,omitzero"`
//		Email mo.Nullable[string] `json:"email,omitzero"`
//	}
//
// In JSON the option omitzero omits an absent field, and a field without a member in the input
// is decoded as absent. In SQL both absent and null are NULL.
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

// IsZero reports whether the Nullable is absent. encoding/json calls it for a field with the
// option omitzero.
func (n Nullable[T]) IsZero() bool { return n.state == absent }

// Get returns the value and true, or T's zero value and false.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == present }

// OrElse returns the value, or fallback if there is none.
func (n Nullable[T]) OrElse(fallback T) T {
	if n.state == present {
		return n.value
	}
	return fallback
}

// ToOption returns the value as Some, and None for absent and null.
func (n Nullable[T]) ToOption() Option[T] { return TupleToOption(n.value, n.state == present) }

// Apply sets *field as a PATCH does: to the value, to T's zero value if the
// Nullable is null, and not at all if it is absent.
func (n Nullable[T]) Apply(field *T) {
	if n.state != absent {
		*field = n.value
	}
}

// ApplyOption is Apply for an optional field: null makes it None.
func (n Nullable[T]) ApplyOption(field *Option[T]) {
	if n.state != absent {
		*field = n.ToOption()
	}
}

// String returns "Absent", "Null" or "Value(value)". It allocates the text, and
// fmt allocates.
func (n Nullable[T]) String() string {
	switch n.state {
	case absent:
		return "Absent"
	case null:
		return "Null"
	}
	return fmt.Sprintf("Value(%v)", n.value)
}

// MarshalJSON returns the encoding of the value, or null if there is no value. Only the option
// omitzero of a field omits an absent Nullable. It allocates the result; encoding the value
// allocates nothing for scalars and strings.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return n.ToOption().MarshalJSON() }

// UnmarshalJSON sets the Nullable to null for null, and to the decoded value otherwise. On
// error the Nullable is unchanged. It allocates the memory that the value retains.
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

// MarshalBinary returns a byte for the state, and the value's gob stream. It allocates the
// result. Package gob allocates more for types other than bools, numbers, strings and []byte.
func (n Nullable[T]) MarshalBinary() ([]byte, error) {
	if n.state != present {
		return []byte{byte(n.state)}, nil
	}
	data, err := appendBinary(byte(present), &n.value)
	return data, binaryError("Nullable", err)
}

// UnmarshalBinary reads the output of MarshalBinary. The error is a [*BinaryError]; the
// Nullable is then unchanged.
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

// GobEncode is MarshalBinary.
func (n Nullable[T]) GobEncode() ([]byte, error) { return n.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (n *Nullable[T]) GobDecode(data []byte) error { return n.UnmarshalBinary(data) }

// MarshalText returns the JSON encoding, as an Option's does.
func (n Nullable[T]) MarshalText() ([]byte, error) { return n.MarshalJSON() }

// UnmarshalText decodes the text of a query parameter or a header field. The text "null" is
// null. Otherwise a string is the text itself, and a value of another type is decoded as JSON.
func (n *Nullable[T]) UnmarshalText(data []byte) error {
	if s, ok := any(&n.value).(*string); ok && string(data) != nullText {
		n.state, *s = present, string(data)
		return nil
	}
	return n.UnmarshalJSON(data)
}

// Value implements driver.Valuer. It returns NULL if there is no value. The conversion of the
// value to an interface allocates, except for small integers.
func (n Nullable[T]) Value() (driver.Value, error) { return n.ToOption().Value() }

// Scan implements sql.Scanner: it sets the Nullable to null for NULL, and to the converted
// value otherwise. The error is a [*ScanError]; the Nullable is then unchanged.
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
