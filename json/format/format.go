// Package format provides types that determine how a value is written in JSON, text and queries:
// durations as "1m30s", as numbers of seconds or in ISO 8601, times as Unix numbers or dates, bytes
// in hexadecimal, base64url or base32. Use them where no struct tag selects the form:
//
//	type Job struct {
//		Timeout format.Duration  `json:"timeout"` // "1m30s"
//		Delay   format.Seconds   `json:"delay"`   // 1.5
//		Created format.UnixMilli `json:"created"` // 1700000000000
//		Day     format.Date      `json:"day"`     // "2026-11-22"
//		Key     format.Hex       `json:"key"`     // "00ff"
//	}
//
// Convert between each type and its underlying type: time.Duration(job.Delay), format.Hex(key). The
// types work with encoding/json, with the packages json, json/v2 and bind of this module, and with
// flag.TextVar, log/slog and encoding/xml.
//
// # Guarantees
//
//   - Decoding the output yields the same duration, instant or bytes, except for parts that the
//     form omits: [Date] has no time of day, [RFC3339] no fraction of a second.
//   - Input must have the exact form: no space, no other unit, and no digit that the type cannot
//     represent. Otherwise decoding returns an [*Error], and does not change the target. A JSON
//     null does not change the target either, as with time.Time.
//   - AppendText into a buffer with enough capacity allocates nothing. MarshalText and
//     MarshalJSON allocate the slice that they return. Arguments are not retained.
package format

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// An Error reports text that does not have the required form, or a value that the form cannot
// represent.
type Error struct {
	Text string // the input, cut to 40 bytes; "" if the error is about a value that is being written
	Form string // the required form, such as "a duration such as 1m30s"
	Err  error  // one of the causes below
}

func (e *Error) Error() string {
	if e.Text == "" && e.Err != ErrSyntax {
		return "format: " + e.Err.Error() + ", for " + e.Form
	}
	return "format: " + strconv.Quote(e.Text) + " is not " + e.Form + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Causes of an [Error].
var (
	ErrSyntax = errors.New("invalid syntax")
	ErrRange  = errors.New("out of range")
	ErrFiner  = errors.New("finer than a nanosecond") // the text has digits below a nanosecond
	ErrKind   = errors.New("not a JSON number")
)

const mostText = 40

// refused returns the Error for text.
func refused[T ~string | ~[]byte](text T, form string, cause error) error {
	shown := string(text[:min(len(text), mostText)])
	for len(text) > mostText && len(shown) > mostText-utf8.UTFMax && !utf8.ValidString(shown) {
		shown = shown[:len(shown)-1] // do not cut a character in two
	}
	return &Error{shown, form, cause}
}

// appended returns the text that appendText, the AppendText method of a value, appends to a new
// slice of capacity size.
func appended(appendText func([]byte) ([]byte, error), size int) ([]byte, error) {
	b, err := appendText(make([]byte, 0, size))
	if err != nil {
		return nil, err
	}
	return b, nil
}

// number reports whether data is a JSON number. It returns false without an error for null.
func number(data []byte, form string) (reads bool, err error) {
	switch {
	case string(data) == "null":
		return false, nil
	case len(data) > 0 && (data[0] == '-' || isDigit(data[0])):
		return true, nil
	}
	return false, refused(data, form, ErrKind)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
