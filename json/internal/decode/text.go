package decode

import (
	"bytes"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// End returns the position in the text after the value at t.
func (d *Decoder) End(t int) int {
	w := d.Words[t]
	switch pos := w.Pos(); d.Data[pos] {
	case '{', '[':
		return syntax.End(d.Words, t)
	case '"':
		return w.StringEnd(d.Data)
	// The index has checked the literal, so the first byte determines its length.
	case 't', 'n':
		return pos + len("true")
	case 'f':
		return pos + len("false")
	}
	return w.NumberEnd(d.Data)
}

// After returns the index of the word after the value at t.
func (d *Decoder) After(t int) int {
	// A scalar has one word. The first words of an array or object contain the index of the word
	// after its end, so skipping a value takes constant time.
	if c := d.Data[d.Words[t].Pos()]; c == '{' || c == '[' {
		return syntax.After(d.Words, t)
	}
	return t + 1
}

// Skip returns the index of the word after the value at t. It checks the value if necessary.
func (d *Decoder) Skip(t int) (int, error) {
	if d.Checks != nil {
		return d.Checks.Skip(t)
	}
	return d.After(t), nil
}

// isPlain reports whether the value at t is a string of ASCII without escapes.
func (d *Decoder) isPlain(t int) bool {
	w := d.Words[t]
	return w.Plain() && d.Data[w.Pos()] == '"'
}

// Raw returns the text of the value at t. Its capacity is equal to its length, so append copies it.
func (d *Decoder) Raw(t int) []byte {
	end := d.End(t)
	return d.Data[d.Words[t].Pos():end:end]
}

// TextOf returns the unquoted bytes of the string at t. They alias the input or the scratch memory,
// and are valid until the next call.
func (d *Decoder) TextOf(t int) []byte {
	text, _ := d.unquoted(t)
	return text
}

// TextToKeep is like TextOf, for a method that may retain its argument. It returns a part of the
// caller's input, or a copy.
func (d *Decoder) TextToKeep(t int) []byte {
	text, aliases := d.unquoted(t)
	// The next string overwrites the scratch memory, so the method gets a copy.
	if !aliases || d.On&option.CopyInput != 0 {
		return bytes.Clone(text)
	}
	d.Borrowed = true
	return text
}

// RawToKeep is like Raw, for a method of n's type that may retain its argument.
func (d *Decoder) RawToKeep(n *Node, t int) []byte {
	raw := d.Raw(t)
	switch {
	case n.Shape.Type == rules.RawMessageType: // RawMessage copies its argument
	// If the caller reuses its buffer, CopyInput is set. Otherwise the method gets a part of the
	// input, and Borrowed tells the caller that the method may have retained this part.
	case d.On&option.CopyInput != 0:
		raw = bytes.Clone(raw)
	default:
		d.Borrowed = true
	}
	return raw
}

// unquoted implements TextOf, and reports whether the bytes alias the input.
func (d *Decoder) unquoted(t int) (text []byte, aliases bool) {
	w := d.Words[t]
	pos, end := w.Pos(), w.StringEnd(d.Data)
	// Without escapes, return the text between the quotation marks. Its capacity ends there, so
	// append cannot overwrite the input.
	if body := d.Data[pos+1 : end-1 : end-1]; w.Plain() || !w.Escaped() && syntax.ValidUTF8(body) {
		return body, true
	}
	// Replace escapes and invalid UTF-8. Invalid bytes become three bytes each; otherwise the
	// result is not longer than the input.
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.scratch, false
}

// textUTF8 returns the string at t. ok is false if the options require valid UTF-8 and the string
// is not valid.
func (d *Decoder) textUTF8(t int) (s string, ok bool) {
	// Unquoting replaces invalid bytes.
	if d.On&option.AllowInvalidUTF8 != 0 {
		return d.string(t), true
	}
	w := d.Words[t]
	pos, end := w.Pos(), w.StringEnd(d.Data)
	body := d.Data[pos+1 : end-1]
	switch {
	// The index has recorded that the string is ASCII without escapes.
	case w.Plain():
		return d.Intern(body), true
	case !w.Escaped():
		if !syntax.ValidUTF8(body) {
			return "", false
		}
		return d.Intern(body), true
	}
	// An escape may encode half of a surrogate pair, which is not valid.
	if !d.Checks.IsUnicode(t) {
		return "", false
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.Intern(d.scratch), true
}

// string returns the string at t, which becomes part of the decoded value.
func (d *Decoder) string(t int) string {
	text, aliases := d.unquoted(t)
	// With AliasInput the caller does not change the input while the value is in use.
	if aliases && d.On&option.AliasInput != 0 {
		return mem.String(text)
	}
	return d.Intern(text)
}
