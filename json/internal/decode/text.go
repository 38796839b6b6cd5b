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
	// The index has checked the literal, so its first byte determines the length.
	case 't', 'n':
		return pos + len("true")
	case 'f':
		return pos + len("false")
	}
	return w.NumberEnd(d.Data)
}

// After returns the index of the word after the value at t.
func (d *Decoder) After(t int) int {
	// A scalar has one word. The words of an array or object include the index after its last
	// element, so skipping a value takes one step, whatever its size.
	if c := d.Data[d.Words[t].Pos()]; c == '{' || c == '[' {
		return syntax.After(d.Words, t)
	}
	return t + 1
}

// Skip returns the word after the value at t. In version 2 it also checks the value.
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

// Raw returns the text of the value at t. Its capacity is its length, so an append to it copies.
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

// textToKeep is like TextOf, for a method that may keep its argument. The result is part of the
// caller's input, or a copy.
func (d *Decoder) textToKeep(t int) []byte {
	text, aliases := d.unquoted(t)
	// The next string overwrites the scratch memory, so the method gets a copy of it.
	if !aliases || d.On&option.CopyInput != 0 {
		return bytes.Clone(text)
	}
	d.Borrowed = true
	return text
}

// rawToKeep is like Raw, for a method of n's type that may keep its argument.
func (d *Decoder) rawToKeep(n *Node, t int) []byte {
	raw := d.Raw(t)
	switch {
	case n.Shape.Type == rules.RawMessageType: // RawMessage copies its argument
	// A caller that reuses its buffer asks for a copy. Otherwise the method gets a part of the
	// input, and Borrowed tells the caller not to reuse the buffer.
	case d.On&option.CopyInput != 0:
		raw = bytes.Clone(raw)
	default:
		d.Borrowed = true
	}
	return raw
}

// unquoted implements TextOf, and reports whether the bytes are part of the input.
func (d *Decoder) unquoted(t int) (text []byte, aliases bool) {
	w := d.Words[t]
	pos, end := w.Pos(), w.StringEnd(d.Data)
	// Without escapes the result is the text between the quotes. Its capacity ends there, so an
	// append cannot overwrite the input.
	if body := d.Data[pos+1 : end-1 : end-1]; w.Plain() || !w.Escaped() && syntax.ValidUTF8(body) {
		return body, true
	}
	// Escapes and invalid UTF-8 are replaced. The result is at most as long as the quoted text, or
	// three times as long if it has invalid bytes.
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.scratch, false
}

// textUTF8 returns the string at t. Ok is false if the options require valid UTF-8 and the string
// is not valid.
func (d *Decoder) textUTF8(t int) (s string, ok bool) {
	w := d.Words[t]
	if d.V2 == nil {
		return d.string(t), true
	}
	pos, end := w.Pos(), w.StringEnd(d.Data)
	body := d.Data[pos+1 : end-1]
	switch {
	// The index has found that the string is ASCII without escapes.
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
	// Escapes may encode half of a surrogate pair, which is not valid either.
	if !d.V2.IsUnicode(t) {
		return "", false
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.Intern(d.scratch), true
}

// string returns the string at t, for the decoded value to keep.
func (d *Decoder) string(t int) string {
	text, aliases := d.unquoted(t)
	// The caller has promised not to change the input while the value is in use.
	if aliases && d.On&option.AliasInput != 0 {
		return mem.String(text)
	}
	return d.Intern(text)
}
