package mo

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
)

const nullText = "null"

// appendScalar appends the JSON of the value at the pointer p, as encoding/json encodes it, if the
// value is a scalar or a string. It reports whether it has appended the value. It is not generic,
// because the compiler would compile it again for each T.
func appendScalar(dst []byte, p any) ([]byte, bool) {
	switch v := p.(type) {
	case *bool:
		return strconv.AppendBool(dst, *v), true
	case *int:
		return strconv.AppendInt(dst, int64(*v), 10), true
	case *int8:
		return strconv.AppendInt(dst, int64(*v), 10), true
	case *int16:
		return strconv.AppendInt(dst, int64(*v), 10), true
	case *int32:
		return strconv.AppendInt(dst, int64(*v), 10), true
	case *int64:
		return strconv.AppendInt(dst, *v, 10), true
	case *uint:
		return strconv.AppendUint(dst, uint64(*v), 10), true
	case *uint8:
		return strconv.AppendUint(dst, uint64(*v), 10), true
	case *uint16:
		return strconv.AppendUint(dst, uint64(*v), 10), true
	case *uint32:
		return strconv.AppendUint(dst, uint64(*v), 10), true
	case *uint64:
		return strconv.AppendUint(dst, *v, 10), true
	case *float64:
		if !math.IsNaN(*v) && !math.IsInf(*v, 0) {
			return syntax.AppendFloat(dst, *v, 64), true
		}
	case *float32:
		if f := float64(*v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return syntax.AppendFloat(dst, f, 32), true
		}
	case *string:
		return syntax.AppendString(dst, *v, true), true
	}
	return dst, false
}

// marshalScalar is like appendScalar, but returns the JSON in a new slice.
func marshalScalar(p any) ([]byte, bool) {
	if s, ok := p.(*string); ok {
		return syntax.AppendString(make([]byte, 0, len(*s)+2), *s, true), true
	}
	var scratch [64]byte
	data, ok := appendScalar(scratch[:0], p)
	if !ok {
		return nil, false
	}
	return append(make([]byte, 0, len(data)), data...), true
}

// marshalJSON returns the JSON encoding of *p in a new slice.
func marshalJSON[T any](p *T) ([]byte, error) {
	if data, ok := marshalScalar(p); ok {
		return data, nil
	}
	return marshalAny(*p)
}

// appendJSON appends the JSON encoding of *p.
func appendJSON[T any](dst []byte, p *T) ([]byte, error) {
	if out, ok := appendScalar(dst, p); ok {
		return out, nil
	}
	data, err := marshalAny(*p)
	return append(dst, data...), err
}

// marshalAny encodes a value with encoding/json. It passes the address of the value, so that
// marshalers with a pointer receiver are called. It takes a copy of the value: only the copy
// escapes to the heap, so callers with a scalar do not allocate.
//
//go:noinline
func marshalAny[T any](value T) ([]byte, error) { return json.Marshal(&value) }

// readScalar decodes data into the value at the pointer p, if p points to a bool, a string or a number
// of a common type. It returns false, and changes nothing, for other types and for data that
// encoding/json must decode or refuse.
func readScalar(data []byte, p any) bool {
	text := syntax.TrimSpace(data)
	if p, ok := p.(*int); ok { // testing the most common type before the switch makes its case faster
		return readInt(text, p)
	}
	switch p := p.(type) {
	case *bool:
		*p = string(text) == "true"
		return *p || string(text) == "false"
	case *int32:
		return readInt(text, p)
	case *int64:
		return readInt(text, p)
	case *uint64:
		v, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || !wholeNumber(text) {
			return false
		}
		*p = v
		return true
	case *float64:
		if !syntax.ValidNumber(string(text)) {
			return false
		}
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return false
		}
		*p = v
		return true
	case *string:
		if len(text) < 2 || text[0] != '"' || !syntax.Valid(text) {
			return false
		}
		*p = unquoted(text)
		return true
	}
	return false
}

// readJSON decodes data into *p, which must be zero. data must be one JSON value other than null.
func readJSON[T any](data []byte, p *T) error {
	if readScalar(data, p) {
		return nil
	}
	value, err := unmarshalAny[T](data)
	*p = value
	return err
}

// unquoted returns the content of raw, which must be a valid JSON string.
func unquoted(raw []byte) string {
	if _, plain := syntax.SkipString(raw, 0); plain {
		return string(raw[1 : len(raw)-1])
	}
	text, _ := syntax.AppendUnquoted(nil, raw)
	return string(text)
}

// unmarshalAny decodes a value with encoding/json into a new variable; see [marshalAny].
//
//go:noinline
func unmarshalAny[T any](data []byte) (T, error) {
	var value T
	err := json.Unmarshal(data, &value)
	return value, err
}

func readInt[T int | int32 | int64](text []byte, p *T) bool {
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || int64(T(v)) != v || !wholeNumber(text) {
		return false
	}
	*p = T(v)
	return true
}

// wholeNumber reports whether text is a JSON integer: it has no plus sign, leading zeros or
// underscores. Package strconv must accept the text as an integer.
func wholeNumber(text []byte) bool {
	if text[0] == '-' {
		text = text[1:]
	}
	return text[0] != '+' && (text[0] != '0' || len(text) == 1)
}

func isNull(data []byte) bool {
	return string(data) == nullText || string(syntax.TrimSpace(data)) == nullText
}

// AppendJSON appends the output of MarshalJSON to dst. For scalars and strings it allocates only if
// the capacity of dst is too small. On error it returns dst unchanged.
func (o Option[T]) AppendJSON(dst []byte) ([]byte, error) {
	if !o.isPresent {
		return append(dst, nullText...), nil
	}
	out, err := appendJSON(dst, &o.value)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// MarshalJSON returns null for None, and the JSON of the value for Some. It calls marshalers with a
// pointer receiver too. It allocates the result. Encoding a scalar or a string allocates nothing
// else.
func (o Option[T]) MarshalJSON() ([]byte, error) {
	if !o.isPresent {
		null := [...]byte{'n', 'u', 'l', 'l'} // faster than []byte("null")
		return null[:], nil
	}
	return marshalJSON(&o.value)
}

// UnmarshalJSON sets the Option to None if data is null, and otherwise to Some of the decoded
// value. On error the Option is unchanged. For a bool, int, int32, int64, uint64, float64 or string
// it allocates only memory that becomes part of the value.
func (o *Option[T]) UnmarshalJSON(data []byte) error {
	if isNull(data) {
		*o = Option[T]{}
		return nil
	}
	var value T
	if err := readJSON(data, &value); err != nil {
		return err
	}
	*o = Some(value)
	return nil
}

// MarshalText returns the output of MarshalJSON, with the same allocations.
func (o Option[T]) MarshalText() ([]byte, error) { return o.MarshalJSON() }

// UnmarshalText decodes the output of MarshalText.
func (o *Option[T]) UnmarshalText(data []byte) error { return o.UnmarshalJSON(data) }

// AppendJSON appends the output of MarshalJSON to dst. For errors, scalars and strings it allocates
// only if the capacity of dst is too small. On error it returns dst unchanged.
func (r Result[T]) AppendJSON(dst []byte) ([]byte, error) {
	if r.isErr {
		out := syntax.AppendString(append(dst, `{"error":{"message":`...), r.err.Error(), true)
		return append(out, "}}"...), nil
	}
	out, err := appendJSON(append(dst, `{"result":`...), &r.value)
	if err != nil {
		return dst, err
	}
	return append(out, '}'), nil
}

// MarshalJSON returns {"result": value} or {"error": {"message": text}}. This is a response of
// JSON-RPC 2.0 (https://www.jsonrpc.org/specification#response_object) without the error's code.
func (r Result[T]) MarshalJSON() ([]byte, error) {
	if r.isErr {
		text := r.err.Error()
		return r.AppendJSON(make([]byte, 0, len(text)+32))
	}
	var scratch [128]byte
	data, err := r.AppendJSON(scratch[:0])
	if err != nil {
		return nil, err
	}
	return append(make([]byte, 0, len(data)), data...), nil
}

var errNeither = errors.New(`mo: the JSON of a Result must have a member "result", or a member "error" with a message`)

// UnmarshalJSON decodes the output of MarshalJSON. If the object has an error other than null, the
// Result becomes an Err with the error's message, even if the object also has a result. If the
// object has neither member, or an error without a message, UnmarshalJSON returns an error. On
// error the Result is unchanged.
func (r *Result[T]) UnmarshalJSON(data []byte) error {
	if !syntax.Valid(data) {
		return json.Unmarshal(data, new(json.RawMessage))
	}
	var n Result[T]
	result, failure, err := members(data, "result", "error")
	if err != nil {
		return err
	}
	switch {
	case failure != nil && !isNull(failure):
		message, _, err := members(failure, "message", "")
		if err != nil {
			return err
		}
		if message == nil || message[0] != '"' {
			return errNeither
		}
		n = Err[T](errors.New(unquoted(message)))
	case result == nil:
		return errNeither
	case isNull(result):
		if n.value, err = unmarshalAny[T](result); err != nil {
			return err
		}
	default:
		if err := readJSON(result, &n.value); err != nil {
			return err
		}
	}
	*r = n
	return nil
}

// members returns the values of two members of data, which must be a valid JSON value. The value of
// a missing member is nil. As in encoding/json, names may differ in case, and the last of several
// equal members wins.
func members(data []byte, name1, name2 string) (value1, value2 []byte, err error) {
	pos := syntax.SkipSpace(data, 0)
	if data[pos] != '{' {
		return nil, nil, errNeither
	}
	pos = syntax.SkipSpace(data, pos+1)
	for data[pos] != '}' {
		end, plain := syntax.SkipString(data, pos)
		name := data[pos+1 : end-1]
		if !plain {
			name, _ = syntax.AppendUnquoted(nil, data[pos:end])
		}
		pos = syntax.SkipSpace(data, syntax.SkipSpace(data, end)+1)
		end = syntax.SkipValue(data, pos)
		switch {
		case string(name) == name1:
			value1 = data[pos:end]
		case string(name) == name2:
			value2 = data[pos:end]
		case strings.EqualFold(string(name), name1):
			value1 = data[pos:end]
		case strings.EqualFold(string(name), name2):
			value2 = data[pos:end]
		}
		if pos = syntax.SkipSpace(data, end); data[pos] == ',' {
			pos = syntax.SkipSpace(data, pos+1)
		}
	}
	return value1, value2, nil
}

// appendMember appends {"name":value}.
func appendMember[T any](name string, p *T) ([]byte, error) {
	out, err := appendJSON([]byte(`{"`+name+`":`), p)
	if err != nil {
		return nil, err
	}
	return append(out, '}'), nil
}

// onlyMember returns the name and the value of the only member of a JSON object. typ is the name of
// the type in errors.
func onlyMember(typ string, data []byte) (name string, value []byte, err error) {
	if !syntax.Valid(data) {
		return "", nil, json.Unmarshal(data, new(json.RawMessage))
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &members); err != nil {
		return "", nil, err
	}
	if len(members) != 1 {
		return "", nil, fmt.Errorf("mo: the JSON of %s must be an object with one member, but it has %d", typ, len(members))
	}
	for name, value = range members {
	}
	return name, value, nil
}

func unknownMember(typ, name string) error {
	return fmt.Errorf("mo: the JSON of %s must not have the member %q", typ, name)
}

// MarshalJSON returns {"left": value} or {"right": value}. It allocates the result. Encoding a
// scalar or a string allocates nothing else.
func (e Either[L, R]) MarshalJSON() ([]byte, error) {
	if e.isLeft {
		return appendMember("left", &e.left)
	}
	return appendMember("right", &e.right)
}

// UnmarshalJSON decodes the output of MarshalJSON. On error the Either is unchanged.
func (e *Either[L, R]) UnmarshalJSON(data []byte) error {
	name, value, err := onlyMember("an Either", data)
	if err != nil {
		return err
	}
	var n Either[L, R]
	switch name {
	case "left":
		n.isLeft = true
		err = readJSON(value, &n.left)
	case "right":
		err = readJSON(value, &n.right)
	default:
		err = unknownMember("an Either", name)
	}
	if err != nil {
		return err
	}
	*e = n
	return nil
}
