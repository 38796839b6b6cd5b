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

// quotedSecond implements quotedInto by the rules of Go 1.27.
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
		// Decode into the target of the pointer first. Errors of this decode are returned, even if
		// the text "null" then sets the pointer to nil.
		err := d.quotedSecond(n.Elem, t, to, 0)
		if string(raw) == `"null"` {
			a.SetNil(off)
		}
		return err
	// For other kinds the tag option has no effect.
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
	// A JSON string that contains null has the effect of null.
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

// notQuoted saves the error for the string at t, which does not contain a valid scalar of type typ.
func (d *Decoder) notQuoted(t int, value string, typ reflect.Type, cause error) {
	d.typeErrorCause(value, typ, d.End(t), cause)
}

// parseQuoted parses text in Go's number syntax, stores the number in v, and reports whether this
// succeeded.
func parseQuoted(v reflect.Value, text string) bool {
	// Package strconv accepts a plus sign, leading zeros, hexadecimal floats and infinities, which
	// JSON does not allow.
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

// withPath adds the root type and the path of the value to the saved error. It is called once, at the
// end of a decode, because finding the path reads all text before the value. Before Go 1.27 the
// error already contains its path.
func (d *Decoder) withPath(err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok || d.savedAt < 0 || d.isFirst() {
		return err
	}
	d.setField(e, d.pointer(d.savedAt))
	return e
}

// setField sets the field path of e to a JSON pointer.
func (d *Decoder) setField(e *rules.UnmarshalTypeError, pointer string) {
	if pointer != "" && d.top.Kind() == reflect.Pointer {
		e.Struct = d.top.Elem().Name()
	}
	e.Field = strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// pointer returns the JSON pointer of the value or name at position pos in the text.
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

// typeErrorOf is like typeErrorAt, for an error with a cause.
func (d *Decoder) typeErrorOf(t int, typ reflect.Type, cause error) {
	if d.Saved == nil {
		_ = d.typeErrorAt(t, "number", typ)
		rules.SetCause(d.Saved.(*rules.UnmarshalTypeError), cause)
	}
}

// notNumberKind saves the error for the value at t, which is neither a number nor a string, and
// cannot be stored in a Number. The error has no offset.
func (d *Decoder) notNumberKind(t int) {
	// encoding/json decodes a Number with a method, and errors of methods have no position.
	if d.Saved == nil {
		_ = d.typeErrorAt(t, "number", rules.NumberType)
		d.Saved.(*rules.UnmarshalTypeError).Offset, d.savedAt = 0, -1
	}
}

// notKey saves the error for the name at t, which cannot be decoded into the key type. e is the
// error that encoding/json returns for a map with only this name.
func (d *Decoder) notKey(e *rules.UnmarshalTypeError, t int) {
	if d.Saved != nil {
		return
	}
	d.typeErrorCause(e.Value, e.Type, d.End(t), rules.CauseOf(e))
	// An error at the first byte after the brace is about the map and not about the name. The
	// pointer of the map is the pointer of the name without its last token.
	if e.Offset == int64(len("{")) {
		at := d.Words[t].Pos()
		saved, pointer := d.Saved.(*rules.UnmarshalTypeError), d.pointer(at)
		saved.Offset, d.savedAt = int64(at-d.Space), -1
		d.setField(saved, pointer[:strings.LastIndexByte(pointer, '/')])
	}
}

// keyByMethodSecond implements keyByMethod by the rules of Go 1.27.
func (d *Decoder) keyByMethodSecond(t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(encoding.TextUnmarshaler); ok && !rules.ReadsItself(key.Addr().Type()) {
		return true, methodError(m.UnmarshalText(d.textToKeep(t)), "UnmarshalText")
	}
	return d.keyOfAnyKind(t, key)
}

// keyOfAnyKind decodes the name at t into key, whose type has no text method, and reports whether
// this succeeded.
func (d *Decoder) keyOfAnyKind(t int, key reflect.Value) (fits bool, err error) {
	if rules.ReadsItself(key.Addr().Type()) {
		return d.standardKey(t, key)
	}
	// If the key type is a pointer, allocate its target and decode the name into it. The target's
	// type may have a method.
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
	// An interface with methods cannot store a string. The error is about the map.
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

// methodError returns the error of an unmarshal method as encoding/json returns it from Go 1.27 on.
// The argument by is the name of the method.
func methodError(err error, by string) error {
	if err == nil {
		return nil
	}
	return rules.NotUnsupported(err, by)
}
