// Package literal converts the values of the tags default and example to JSON.
package literal

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/shape"
)

// Default returns the value of f's tag default as JSON, or nil if f has no such tag. The
// error reports a tag that does not fit the type.
func Default(f *shape.Field) ([]byte, error) {
	text, ok := f.Default()
	return valueOf(f, "default", text, ok)
}

// Example is like Default, for the tag example.
func Example(f *shape.Field) ([]byte, error) {
	text, ok := f.Example()
	return valueOf(f, "example", text, ok)
}

// valueOf converts text, the content of the given tag of f, to JSON. If f does not have the tag,
// ok is false, and valueOf returns nil. It also decodes the JSON into f's type, and returns an
// error if the type cannot represent the value.
func valueOf(f *shape.Field, tag, text string, ok bool) ([]byte, error) {
	if !ok {
		return nil, nil
	}
	value, err := literal(f.Shape, text)
	if err == nil {
		err = json.Unmarshal(value, reflect.New(f.Shape.Type).Interface())
	}
	if err != nil {
		return nil, f.TagError(tag, err)
	}
	return value, nil
}

var (
	durationType    = reflect.TypeFor[time.Duration]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	errNotJSON      = errors.New("a value of this type must be JSON")
	errOnlyNull     = errors.New("a pointer to its own type has no value but nil")
)

// maxNesting limits the walk through optional values, as a type may point to itself.
const maxNesting = 64

// literal converts the text of a tag to the JSON of a value of shape s.
func literal(s *shape.Shape, text string) ([]byte, error) {
	for range maxNesting {
		held := s.Held()
		if held == nil {
			break
		}
		s = held
	}
	switch {
	case s.Endless():
		return nil, errOnlyNull // encoding/json does not return from such a type
	case s.Type == durationType:
		d, err := time.ParseDuration(text)
		return strconv.AppendInt(nil, int64(d), 10), err
	case s.Kind == shape.Slice && !strings.HasPrefix(text, "["):
		out := []byte{'['}
		for i, part := range strings.Split(text, ",") {
			if i > 0 {
				out = append(out, ',')
			}
			one, err := literal(s.Elem, part)
			if err != nil {
				return nil, err
			}
			out = append(out, one...)
		}
		return append(out, ']'), nil
	case s.Kind == shape.String, s.Kind == shape.Time, reflect.PointerTo(s.Type).Implements(textUnmarshaler):
		return json.Marshal(text)
	case !json.Valid([]byte(text)):
		return nil, errNotJSON
	}
	return []byte(text), nil
}
