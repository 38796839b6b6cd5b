package syntax

import "math/bits"

// Valid reports whether data is one JSON value, with optional white space around it. It takes one
// bit of memory for each level of nesting.
func Valid(data []byte) bool {
	valid, sure := check(data, false)
	if !sure {
		_, valid = (&rewriter{src: data}).run(nil)
	}
	return valid
}

// AppendCompact appends the JSON value src without white space. If html is set, it escapes <,
// >, &, U+2028 and U+2029. If src is invalid, it returns dst and false, but may have written to
// the spare capacity of dst.
func AppendCompact(dst, src []byte, html bool) (out []byte, ok bool) {
	// The output of marshal methods and compact text has no white space, except perhaps at the
	// end.
	if text := TrimSpace(src); len(text) > 0 {
		if valid, _ := check(text, true); valid {
			if html && isSpecialHTML(text) {
				return AppendEscaped(dst, text, EscapeHTML|EscapeJS), true
			}
			return append(dst, text...), true
		}
	}
	return (&rewriter{src: src, copies: true, html: html}).run(dst)
}

// AppendIndent appends the JSON value src with each element and member on its own line. A line
// starts with prefix and one indent for each level. It keeps white space after the value, as
// encoding/json does, and drops white space before it. If src is invalid it returns dst and false,
// like [AppendCompact].
func AppendIndent(dst, src []byte, prefix, indent string) (out []byte, ok bool) {
	return (&rewriter{src: src, copies: true, lines: true, prefix: prefix, indent: indent}).run(dst)
}

// A rewriter checks a text in one pass. It may also copy the text, compacted or indented.
type rewriter struct {
	src    []byte
	dst    []byte
	start  int  // the start of the text that is copied to dst unchanged
	copies bool // the text is copied to dst
	html   bool // <, > and & are escaped
	lines  bool // each element is on its own line

	prefix, indent string
	line, level    int // the position in dst of the start of a line, and the level of that line

	// A stack with a bit for each open array and object: 1 for an object. depth is its height. The
	// field open has up to 64 of the innermost bits, and each element of outer has 64 others.
	depth int
	open  uint64
	outer []uint64
}

// flush copies the unchanged text before position end to dst.
func (r *rewriter) flush(end int) {
	if r.copies {
		r.dst = append(r.dst, r.src[r.start:end]...)
		r.start = end
	}
}

// token returns the position of the next token from i on, after white space. It is negative at the
// end of the text.
func (r *rewriter) token(i int) int {
	if i < len(r.src) && r.src[i] > ' ' {
		return i
	}
	return r.blanks(i)
}

// blanks is like token, for an i at white space.
func (r *rewriter) blanks(i int) int {
	if i >= len(r.src) || !isSpace(r.src[i]) {
		return -1
	}
	r.flush(i)
	if i++; i < len(r.src) && r.src[i] <= ' ' { // one space is usual
		i = skipBlanks(r.src, i-1)
	}
	if i == len(r.src) {
		return -1
	}
	r.start = i
	return i
}

// breakLine starts a new line before position i.
func (r *rewriter) breakLine(i int) {
	r.flush(i)
	if r.depth <= r.level && r.line > 0 {
		size := 1 + len(r.prefix) + r.depth*len(r.indent)
		r.dst = append(r.dst, r.dst[r.line:r.line+size]...)
		return
	}
	r.line, r.level = len(r.dst), r.depth
	r.dst = append(append(r.dst, '\n'), r.prefix...)
	for range r.depth {
		r.dst = append(r.dst, r.indent...)
	}
}

// push opens an array or an object.
func (r *rewriter) push(object bool) {
	if r.depth%64 == 0 && r.depth > 0 {
		r.outer = append(r.outer, r.open)
	}
	r.depth++
	r.open <<= 1
	if object {
		r.open |= 1
	}
}

// pop closes the innermost array or object.
func (r *rewriter) pop() {
	r.depth--
	r.open >>= 1
	if last := len(r.outer) - 1; r.depth%64 == 0 && last >= 0 {
		r.open, r.outer = r.outer[last], r.outer[:last]
	}
}

// text returns the position after the string at i, or a negative number if the string is invalid. If
// r.html is set, it copies the string to dst with escapes.
func (r *rewriter) text(i int) int {
	src, start := r.src, i
	for i++; i < len(src); {
		if i+8 <= len(src) {
			m := ending(Load8(src, i))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		switch c := src[i]; {
		case c == '"':
			i++
			if r.html && isSpecialHTML(src[start:i]) {
				r.flush(start)
				r.dst = AppendEscaped(r.dst, src[start:i], EscapeHTML|EscapeJS)
				r.start = i
			}
			return i
		case c == '\\':
			if i = ReadEscape(src, i); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		default:
			i++
		}
	}
	return -1
}

// run checks the text, and appends it to dst if r.copies is set. If the text is not valid, it returns
// dst and false. It is a state machine with labels, like [Index.scan].
func (r *rewriter) run(dst []byte) (out []byte, ok bool) {
	r.dst = dst
	src, i := r.src, 0
	var c byte
value:
	if i = r.token(i); i < 0 {
		return dst, false
	}
	switch c = src[i]; c {
	case '"':
		i = r.text(i)
	case '{', '[':
		if i = r.token(i + 1); i < 0 || r.depth == MaxDepth {
			return dst, false
		}
		if src[i] == c+2 { // '[' + 2 is ']', and '{' + 2 is '}'
			i++
			goto after
		}
		r.push(c == '{')
		if r.lines {
			r.breakLine(i)
		}
		if c == '{' {
			goto name
		}
		goto value
	case 't', 'f', 'n':
		i = ReadLiteral(src, i)
	default:
		i = ReadNumber(src, i)
	}
	if i < 0 {
		return dst, false
	}
after:
	if r.depth == 0 {
		if SkipSpace(src, i) < len(src) {
			return dst, false
		}
		r.flush(i)
		if r.lines {
			r.flush(len(src))
		}
		return r.dst, true
	}
	if i = r.token(i); i < 0 {
		return dst, false
	}
	switch c = src[i]; {
	case c == ',':
		if i++; r.lines {
			if i = r.token(i); i < 0 {
				return dst, false
			}
			r.breakLine(i)
		}
		if r.open&1 == 0 {
			goto value
		}
	case c == '}' && r.open&1 != 0, c == ']' && r.open&1 == 0:
		r.pop()
		if r.lines {
			r.breakLine(i)
		}
		i++
		goto after
	default:
		return dst, false
	}
name:
	if i = r.token(i); i < 0 || src[i] != '"' {
		return dst, false
	}
	if i = r.text(i); i < 0 {
		return dst, false
	}
	if i = r.token(i); i < 0 || src[i] != ':' {
		return dst, false
	}
	if i++; r.lines {
		r.flush(i)
		r.dst = append(r.dst, ' ')
		r.start = i
	}
	goto value
}
