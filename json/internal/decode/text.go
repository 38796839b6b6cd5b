package decode

import (
	"bytes"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// End returns the position after the value at t.
func (d *Decoder) End(t int) int {
	w := d.Words[t]
	switch pos := w.Pos(); d.Data[pos] {
	case '{', '[':
		return syntax.End(d.Words, t)
	case '"':
		return w.StringEnd(d.Data)
	// The index has checked the letters, so the first one gives the length.
	case 't', 'n':
		return pos + len("true")
	case 'f':
		return pos + len("false")
	}
	return w.NumberEnd(d.Data)
}

// After returns the index of the word after the value at t.
func (d *Decoder) After(t int) int {
	// A scalar has one word. An array or object leads to the word after its last element, so
	// passing a value of any size takes one step.
	if c := d.Data[d.Words[t].Pos()]; c == '{' || c == '[' {
		return syntax.After(d.Words, t)
	}
	return t + 1
}

// Skip passes the value at t.
func (d *Decoder) Skip(t int) (int, error) {
	if d.V2 != nil {
		return d.V2.SkipV2(t)
	}
	return d.After(t), nil
}

// isPlain reports whether the value at t is a string of ASCII without escapes.
func (d *Decoder) isPlain(t int) bool {
	w := d.Words[t]
	return w.Plain() && d.Data[w.Pos()] == '"'
}

// Raw returns the text of the value at t. Its capacity is its length, so appending to it
// copies.
func (d *Decoder) Raw(t int) []byte {
	end := d.End(t)
	return d.Data[d.Words[t].Pos():end:end]
}

// TextOf returns the bytes of the string at t, unquoted. They are part of the input or of the
// scratch memory, and valid until the next call.
func (d *Decoder) TextOf(t int) []byte {
	text, _ := d.unquoted(t)
	return text
}

// textToKeep is TextOf for a method that may keep its argument. It returns part of the caller's
// input or memory of its own.
func (d *Decoder) textToKeep(t int) []byte {
	text, aliases := d.unquoted(t)
	// The scratch memory is used again by the next string, so a method must not get it.
	if !aliases || d.On&option.CopyInput != 0 {
		return bytes.Clone(text)
	}
	d.Borrowed = true
	return text
}

// rawToKeep is Raw for such a method of n.
func (d *Decoder) rawToKeep(n *Node, t int) []byte {
	raw := d.Raw(t)
	switch {
	case n.Shape.Type == rules.RawMessageType: // which copies it
	// A caller that reuses its buffer asks for a copy. Otherwise the method gets a part of the
	// input, and Borrowed tells the caller not to reuse its buffer.
	case d.On&option.CopyInput != 0:
		raw = bytes.Clone(raw)
	default:
		d.Borrowed = true
	}
	return raw
}

// unquoted is TextOf, and reports whether the bytes are part of the input.
func (d *Decoder) unquoted(t int) (text []byte, aliases bool) {
	w := d.Words[t]
	pos, end := w.Pos(), w.StringEnd(d.Data)
	// A string without escapes is the bytes between its quotes. The capacity ends there, so
	// that nobody appends to the input.
	if body := d.Data[pos+1 : end-1 : end-1]; w.Plain() || !w.Escaped() && syntax.ValidUTF8(body) {
		return body, true
	}
	// Escapes become their characters, and bytes that are not UTF-8 become U+FFFD. The result is
	// at most as long as the quoted text, or three times as long for invalid bytes.
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.scratch, false
}

// textUTF8 returns the string at t. It is not ok if the options ask for valid UTF-8 and the
// string is not.
func (d *Decoder) textUTF8(t int) (s string, ok bool) {
	w := d.Words[t]
	if d.V2 == nil {
		return d.string(t), true
	}
	pos, end := w.Pos(), w.StringEnd(d.Data)
	body := d.Data[pos+1 : end-1]
	switch {
	// The index has found out that the string is ASCII without escapes.
	case w.Plain():
		return d.Intern(body), true
	// Invalid bytes are replaced when the string is unquoted.
	case d.On&option.AllowInvalidUTF8 != 0:
		return d.string(t), true
	case !w.Escaped():
		if !syntax.ValidUTF8(body) {
			return "", false
		}
		return d.Intern(body), true
	}
	// Escapes may spell half of a surrogate pair, which is not Unicode either.
	if !d.V2.IsUnicode(t) {
		return "", false
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.Intern(d.scratch), true
}

// string returns the string at t, which the value keeps.
func (d *Decoder) string(t int) string {
	text, aliases := d.unquoted(t)
	// The caller has promised not to change its input while the value is in use.
	if aliases && d.On&option.AliasInput != 0 {
		return mem.String(text)
	}
	return d.Intern(text)
}
