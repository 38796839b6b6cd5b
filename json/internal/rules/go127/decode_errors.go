package go127

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// TypeError implements [v1.Release].
func (decodeRelease) TypeError(d *v1.Decoder, value string, t reflect.Type, offset int, cause error) error {
	e := &rules.UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset - d.Space)}
	rules.SetCause(e, cause)
	return e
}

// NotRead implements [v1.Release]. The offset is the start of the value.
func (decodeRelease) NotRead(d *v1.Decoder, t int, typ reflect.Type, cause error) {
	d.TypeErrorAt(t, "number", typ, cause)
	d.Saved.(*rules.UnmarshalTypeError).Offset = int64(d.Words[t].Pos() - d.Space)
}

// NotString implements [v1.Release].
func (decodeRelease) NotString(d *v1.Decoder, n *decode.Node, t int) {
	d.TypeErrorAt(t, "number", n.Shape.Type, rules.ErrNotString)
}

// ClosedField implements [v1.Release].
func (r decodeRelease) ClosedField(d *v1.Decoder, t int, in, _ reflect.Type) {
	if d.Saved == nil {
		r.NotRead(d, t, in, rules.ErrNilField)
	}
}

// InContext implements [v1.Release]. WithPath adds the path at the end of the decode.
func (decodeRelease) InContext(_ *v1.Decoder, err error) error { return err }

// WithPath implements [v1.Release]. It adds the root type and the path of the value to the saved error.
// It is called once, at the end of a decode, because finding the path reads all text before the value.
func (decodeRelease) WithPath(d *v1.Decoder, err error) error {
	if e, ok := err.(*rules.UnmarshalTypeError); ok && d.SavedAt >= 0 {
		setField(d, e, pointer(d, d.SavedAt))
	}
	return err
}

// setField sets the field path of e to a JSON pointer.
func setField(d *v1.Decoder, e *rules.UnmarshalTypeError, pointer string) {
	if top := d.Top(); pointer != "" && top.Kind() == reflect.Pointer {
		e.Struct = top.Elem().Name()
	}
	e.Field = strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// pointer returns the JSON pointer of the value or name at position pos in the text.
func pointer(d *v1.Decoder, pos int) string {
	var path strings.Builder
	for t, found := 0, true; found; {
		c := d.Data[d.Words[t].Pos()]
		if found = false; c != '{' && c != '[' || pos <= d.Words[t].Pos() {
			break
		}
		after := syntax.After(d.Words, t)
		for i, next := 0, t+decode.ContainerWords; next < after && !found; i++ {
			name := next
			if c == '{' {
				next++
			}
			if pos < d.End(next) {
				path.WriteByte('/')
				if c == '{' {
					path.WriteString(pointerToken(string(d.TextOf(name))))
				} else {
					path.WriteString(strconv.Itoa(i))
				}
				if pos < d.Words[next].Pos() {
					// pos is within a name. The pointer then includes this name.
					return path.String()
				}
				t, found = next, true
			}
			next = d.After(next)
		}
	}
	return path.String()
}

// pointerToken escapes a name for a JSON pointer (RFC 6901, section 3). A strings.Replacer would
// add eight KB to each program.
func pointerToken(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
