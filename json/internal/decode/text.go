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
	case 't', 'n':
		return pos + len("true")
	case 'f':
		return pos + len("false")
	}
	return w.NumberEnd(d.Data)
}

// After returns the index of the word after the value at t.
func (d *Decoder) After(t int) int {
	if c := d.Data[d.Words[t].Pos()]; c == '{' || c == '[' {
		return syntax.After(d.Words, t)
	}
	return t + 1
}

// Skip returns the word behind the value at t, which is not decoded.
func (d *Decoder) Skip(t int) (int, error) {
	if d.V2 != nil {
		return d.V2.SkipV2(t)
	}
	return d.After(t), nil
}

// isPlain reports whether a string is at t that stands for its bytes, which are ASCII.
func (d *Decoder) isPlain(t int) bool {
	w := d.Words[t]
	return w.Plain() && d.Data[w.Pos()] == '"'
}

// Raw returns the text of the value at t, with no room behind it.
func (d *Decoder) Raw(t int) []byte {
	end := d.End(t)
	return d.Data[d.Words[t].Pos():end:end]
}

// TextOf returns what the string at t stands for: a part of the input, or of the
// scratch space, good until the next call.
func (d *Decoder) TextOf(t int) []byte {
	text, _ := d.unquoted(t)
	return text
}

// textToKeep is text for a method that may keep what it is given, as some do
// though they must not: a part of the caller's input, or memory of its own.
func (d *Decoder) textToKeep(t int) []byte {
	text, aliases := d.unquoted(t)
	if !aliases || d.On&option.CopyInput != 0 {
		return bytes.Clone(text)
	}
	d.Borrowed = true
	return text
}

// rawToKeep is raw for such a method of n.
func (d *Decoder) rawToKeep(n *Node, t int) []byte {
	raw := d.Raw(t)
	switch {
	case n.Shape.Type == rules.RawMessageType: // which copies it
	case d.On&option.CopyInput != 0:
		raw = bytes.Clone(raw)
	default:
		d.Borrowed = true
	}
	return raw
}

// unquoted returns what the string at t stands for, as TextOf does, and reports
// whether it aliases the input.
func (d *Decoder) unquoted(t int) (text []byte, aliases bool) {
	w := d.Words[t]
	pos, end := w.Pos(), w.StringEnd(d.Data)
	if body := d.Data[pos+1 : end-1 : end-1]; w.Plain() || !w.Escaped() && syntax.ValidUTF8(body) {
		return body, true
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.scratch, false
}

// textUTF8 is string for a text that must be UTF-8, if the options say so. It is not ok if it is
// not.
func (d *Decoder) textUTF8(t int) (s string, ok bool) {
	w := d.Words[t]
	if d.V2 == nil {
		return d.string(t), true
	}
	pos, end := w.Pos(), w.StringEnd(d.Data)
	body := d.Data[pos+1 : end-1]
	switch {
	case w.Plain():
		return d.Intern(body), true
	case d.On&option.AllowInvalidUTF8 != 0:
		return d.string(t), true
	case !w.Escaped():
		if !syntax.ValidUTF8(body) {
			return "", false
		}
		return d.Intern(body), true
	}
	if !d.V2.IsUnicode(t) {
		return "", false
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[pos:end])
	return d.Intern(d.scratch), true
}

// string returns what the string at t stands for, to be kept.
func (d *Decoder) string(t int) string {
	text, aliases := d.unquoted(t)
	if aliases && d.On&option.AliasInput != 0 {
		return mem.String(text)
	}
	return d.Intern(text)
}
