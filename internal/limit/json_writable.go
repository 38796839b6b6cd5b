package limit

import (
	"encoding/json"
	"math"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A query, a form or a binary body can contain values that JSON cannot represent. If a handler
// stored such a value, every later JSON response that contains it would fail. So programs for these
// formats check that JSON can write each value. A program for JSON checks only the times: encoding/json
// reads times with a zone of 24 hours, which it cannot write. These checks skip interfaces, the keys of maps, and
// types with a method that writes their JSON.

// writable reports whether JSON can write the value at a+off, and adds a violation if not.
type writable func(c *check, s *shape.Shape, a mem.Pointer, off uintptr) bool

var (
	rawMessage = reflect.TypeFor[json.RawMessage]()
	jsonNumber = reflect.TypeFor[json.Number]()
)

// writableTime returns the check for a time, and nil for any other s.
func writableTime(s *shape.Shape) writable {
	if s.Kind != shape.Time {
		return nil
	}
	return func(c *check, _ *shape.Shape, a mem.Pointer, off uintptr) bool {
		return isDateTime(mem.At[time.Time](a, off)) || c.violated("must be a time of RFC 3339: a year from 0 to 9999, and a zone of less than 24 hours")
	}
}

// writableV2 is like writableV1. The rules of encoding/json/v2 refuse invalid UTF-8; the rules of encoding/json
// replace it.
func writableV2(s *shape.Shape) writable {
	if s.Kind == shape.String && s.Type != jsonNumber {
		return func(c *check, _ *shape.Shape, a mem.Pointer, off uintptr) bool {
			return utf8.ValidString(mem.Load[string](a, off)) || c.violated("must be UTF-8")
		}
	}
	return writableV1(s)
}

// writableV1 returns the check for values of s, or nil if JSON can write all of them.
func writableV1(s *shape.Shape) writable {
	switch {
	case s.Kind == shape.Float32, s.Kind == shape.Float64:
		return func(c *check, s *shape.Shape, a mem.Pointer, off uintptr) bool {
			return isFinite(a, off, s.Size) || c.violated("must be a finite number")
		}
	case s.Type == rawMessage:
		return func(c *check, _ *shape.Shape, a mem.Pointer, off uintptr) bool {
			raw := a.Bytes(off)
			return raw == nil || json.Valid(raw) || c.violated("must be JSON")
		}
	case s.Type == jsonNumber:
		return func(c *check, _ *shape.Shape, a mem.Pointer, off uintptr) bool {
			text := mem.Load[string](a, off)
			return text == "" || isNumber(text) || c.violated("must be a number")
		}
	}
	return writableTime(s)
}

// isFinite reports whether a float of size bytes is neither NaN nor an infinity.
func isFinite(a mem.Pointer, off, size uintptr) bool {
	if size == 4 {
		const exponent = 0xff << 23
		return math.Float32bits(mem.Load[float32](a, off))&exponent != exponent
	}
	const exponent = 0x7ff << 52
	return math.Float64bits(mem.Load[float64](a, off))&exponent != exponent
}

// isDateTime reports whether [time.Time.MarshalJSON] can write t.
func isDateTime(t *time.Time) bool {
	_, offset := t.Zone()
	minutes := offset / 60
	if minutes <= -24*60 || minutes >= 24*60 {
		return false
	}
	year := t.Year()
	return year >= 0 && year <= 9999
}

// isNumber reports whether the text is a number of JSON.
func isNumber(text string) bool {
	return (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && text[len(text)-1] > ' ' && json.Valid([]byte(text))
}
