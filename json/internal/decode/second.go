package decode

import (
	"encoding"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
)

// quotedSecond is quotedInto by the rules from Go 1.27 on.
func (d *Decoder) quotedSecond(n *Node, t int, a mem.Pointer, off uintptr) error {
	raw := d.Raw(t)
	switch {
	case n.Op == nodePointer && raw[0] == 'n':
		a.SetNil(off)
		return nil
	case n.Op == nodePointer:
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		// The value that the pointer leads to is decoded first, and its errors are kept, though
		// "null" then makes the pointer nil.
		err := d.quotedSecond(n.Elem, t, to, 0)
		if string(raw) == `"null"` {
			a.SetNil(off)
		}
		return err
	// The tag option does not apply to other kinds.
	case n.Op > NodeNumber:
		_, err := d.Value(n, t, a, off)
		return err
	case raw[0] == 'n':
		return nil
	case raw[0] != '"' && n.Op == NodeNumber:
		d.notNumberKind(t)
		return nil
	case raw[0] != '"':
		_ = d.typeErrorAt(t, "number", n.Shape.Type)
		return nil
	case n.Op == NodeNumber:
		return d.numberInto(n, t, a, off)
	}
	// Null may be in quotes too.
	text := string(d.TextOf(t))
	if text == "null" && (n.Op != NodeString || rules.QuotedNull.In(d.On)) {
		return nil
	}
	switch n.Op {
	case NodeBool:
		if text != "true" && text != "false" {
			d.notQuoted(t, "string "+string(raw), n.Shape.Type, strconv.ErrSyntax)
			return nil
		}
		mem.Store(a, off, text == "true")
	case NodeString:
		inner, ok := syntax.AppendUnquoted(nil, []byte(text))
		if !ok {
			d.notQuoted(t, "string", n.Shape.Type, rules.InnerError(raw))
			return nil
		}
		mem.Store(a, off, string(inner))
	default:
		if !parseQuoted(a.Value(off, n.Shape.Type), text) {
			d.notQuoted(t, "number "+text, n.Shape.Type, nil)
		}
	}
	return nil
}

// notQuoted saves the error for the string at t, which does not hold a scalar of the type.
func (d *Decoder) notQuoted(t int, value string, typ reflect.Type, cause error) {
	d.typeErrorCause(value, typ, d.End(t), cause)
}

// parseQuoted sets v to the number that text spells in Go's syntax.
func parseQuoted(v reflect.Value, text string) bool {
	// Package strconv takes a plus sign, leading zeros, hexadecimal floats and infinities, none of
	// which is JSON.
	switch bits := v.Type().Bits(); {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return false
		}
		v.SetFloat(x)
	}
	return true
}

// placed adds to the error that was saved the name of the root's type and the path to the
// value. The path is worked out here, once for a decode, as it takes the time of reading all
// that comes before. Before Go 1.27 errors have their place from the start.
func (d *Decoder) placed(err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok || d.savedAt < 0 || d.isFirst() {
		return err
	}
	d.place(e, d.pointer(d.savedAt))
	return e
}

// place sets the place of e to the value at a JSON pointer.
func (d *Decoder) place(e *rules.UnmarshalTypeError, pointer string) {
	if pointer != "" && d.top.Kind() == reflect.Pointer {
		e.Struct = d.top.Elem().Name()
	}
	e.Field = strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// pointer returns the JSON pointer of the value or name at position pos.
func (d *Decoder) pointer(pos int) string {
	var path strings.Builder
	for t, found := 0, true; found; {
		c := d.Data[d.Words[t].Pos()]
		if found = false; c != '{' && c != '[' || pos <= d.Words[t].Pos() {
			break
		}
		after := syntax.After(d.Words, t)
		for i, next := 0, t+ContainerWords; next < after && !found; i++ {
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
					// The position is in the name, whose pointer is the pointer of its value.
					return path.String()
				}
				t, found = next, true
			}
			next = d.After(next)
		}
	}
	return path.String()
}

// pointerToken escapes a name for a JSON pointer (RFC 6901, section 3). A strings.Replacer would add
// eight KB to each program.
func pointerToken(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// typeErrorOf is typeErrorAt with a cause.
func (d *Decoder) typeErrorOf(t int, typ reflect.Type, cause error) {
	if d.Saved == nil {
		_ = d.typeErrorAt(t, "number", typ)
		rules.SetCause(d.Saved.(*rules.UnmarshalTypeError), cause)
	}
}

// notNumberKind saves the error for the value at t, whose kind no Number has. The error has no
// offset.
func (d *Decoder) notNumberKind(t int) {
	// Encoding/json reads a Number by its method, whose errors lack their place.
	if d.Saved == nil {
		_ = d.typeErrorAt(t, "number", rules.NumberType)
		d.Saved.(*rules.UnmarshalTypeError).Offset, d.savedAt = 0, -1
	}
}

// notKey saves the error for the name at t, which is not a key. E is the error of encoding/json
// for a map with this name alone.
func (d *Decoder) notKey(e *rules.UnmarshalTypeError, t int) {
	if d.Saved != nil {
		return
	}
	d.typeErrorCause(e.Value, e.Type, d.End(t), rules.CauseOf(e))
	// An error at the first byte of the map's text names the map and not the name. The map is the
	// value that the pointer leads to without its last step.
	if e.Offset == int64(len("{")) {
		at := d.Words[t].Pos()
		saved, pointer := d.Saved.(*rules.UnmarshalTypeError), d.pointer(at)
		saved.Offset, d.savedAt = int64(at-d.Space), -1
		d.place(saved, pointer[:strings.LastIndexByte(pointer, '/')])
	}
}

// keyByMethodSecond is keyByMethod by the rules from Go 1.27 on.
func (d *Decoder) keyByMethodSecond(t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(encoding.TextUnmarshaler); ok && !rules.ReadsItself(key.Addr().Type()) {
		return true, methodError(m.UnmarshalText(d.textToKeep(t)), "UnmarshalText")
	}
	return d.keyOfAnyKind(t, key)
}

// keyOfAnyKind sets key, of a type without a method for text, to the value that the name at t
// stands for, and reports whether it fits.
func (d *Decoder) keyOfAnyKind(t int, key reflect.Value) (fits bool, err error) {
	if rules.ReadsItself(key.Addr().Type()) {
		return d.standardKey(t, key)
	}
	// A pointer is a key for the value that it leads to, whose pointer may have a method.
	if key.Kind() == reflect.Pointer {
		key.Set(reflect.New(key.Type().Elem()))
		return d.keyByMethodSecond(t, key.Elem())
	}
	text := string(d.TextOf(t))
	refused := &rules.UnmarshalTypeError{Value: "string", Type: key.Type()}
	switch kind := key.Kind(); {
	case kind == reflect.String:
		key.SetString(text)
		return true, nil
	case kind == reflect.Interface && key.NumMethod() == 0:
		key.Set(reflect.ValueOf(text))
		return true, nil
	// An interface with methods has no type to choose. The error is about the map.
	case kind == reflect.Interface:
		refused.Offset = int64(len("{"))
	case kind >= reflect.Int && kind <= reflect.Float64:
		if text == "null" || parseQuoted(key, text) {
			return true, nil
		}
		refused.Value = "number " + text
	}
	d.notKey(refused, t)
	return false, nil
}

// methodError returns the error of an unmarshal method in the form that encoding/json gives it
// from Go 1.27 on. By names the method.
func methodError(err error, by string) error {
	if err == nil {
		return nil
	}
	return rules.NotUnsupported(err, by)
}
