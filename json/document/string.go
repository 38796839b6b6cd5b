package document

import (
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
)

// plain returns the bytes between the quotes of the string at t. ok reports whether they are its content:
// they have no escapes, and are valid UTF-8.
func (d *Document) plain(t int) (body []byte, ok bool) {
	w := d.words[t]
	body = d.data[w.Pos()+1 : w.StringEnd(d.data)-1]
	return body, w.Plain() || !w.Escaped() && syntax.ValidUTF8(body)
}

// content returns the content of the string at t. It aliases the text if it can, and is otherwise appended
// to scratch.
func (d *Document) content(t int, scratch []byte) []byte {
	if body, ok := d.plain(t); ok {
		return body
	}
	return d.unquote(scratch, t)
}

// appendContent appends the content of the string at t to dst.
func (d *Document) appendContent(dst []byte, t int) []byte {
	if body, ok := d.plain(t); ok {
		return append(dst, body...)
	}
	return d.unquote(dst, t)
}

// unquote implements content for a string whose content is not in the text.
func (d *Document) unquote(dst []byte, t int) []byte {
	out, _, _ := syntax.ReadUnquoted(dst, d.data, d.words[t].Pos())
	return out
}

// isString reports whether the content of the string at t is s.
func (d *Document) isString(t int, s string) bool {
	w := d.words[t]
	start := w.Pos() + 1
	if w.IsPlain(len(s)) {
		return string(d.data[start:start+len(s)]) == s
	}
	body := d.data[start : w.StringEnd(d.data)-1]
	switch {
	case len(body) > 6*len(s) || len(s) > 3*len(body):
		return false // an escape has at most six bytes for each of its content, and U+FFFD has three for one
	case w.Plain():
		return string(body) == s
	case !w.Escaped() && string(body) == s:
		return utf8.ValidString(s) // invalid UTF-8 is read as U+FFFD
	}
	// An escape has at most six bytes, and an invalid byte is read as three. So names of other lengths are
	// not unquoted.
	if len(body) > 6*len(s) || len(s) > 3*len(body) {
		return false
	}
	var buf [128]byte
	return string(d.content(t, buf[:0])) == s
}

// equalStrings reports whether the strings at t and u have the same content.
func (d *Document) equalStrings(t, u int) bool {
	a, ok := d.plain(t)
	b, both := d.plain(u)
	if ok && both {
		return string(a) == string(b)
	}
	var first, second [128]byte
	return string(d.content(t, first[:0])) == string(d.content(u, second[:0]))
}
