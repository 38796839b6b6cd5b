package syntax

import (
	"math/bits"

	"github.com/hone-go/hone/internal/memory/vector"
)

// Valid reports whether data is one JSON value, with optional white space around it. It takes one
// bit of memory for each level of nesting.
//
// It is not inlined: another package would instantiate run again, and the compiler would then place the
// rewriter on the heap.
//
//go:noinline
func Valid(data []byte) bool {
	_, expected := run[[checks]struct{}](&rewriter{}, data)
	return expected == expectNothing
}

// AppendCompact appends the JSON value src without white space. If html is set, it escapes <,
// >, &, U+2028 and U+2029. If src is invalid, it returns dst and false, but may have written to
// the spare capacity of dst.
func AppendCompact(dst, src []byte, html bool) (out []byte, ok bool) {
	r := rewriter{dst: dst, html: html}
	if _, expected := run[[copies]struct{}](&r, src); expected != expectNothing {
		return dst, false
	}
	return r.dst, true
}

// AppendIndent appends the JSON value src with each element and member on its own line. A line
// starts with prefix and one indent for each level. It keeps white space after the value, as
// encoding/json does, and drops white space before it. If src is invalid it returns dst and false,
// like [AppendCompact].
func AppendIndent(dst, src []byte, prefix, indent string) (out []byte, ok bool) {
	r := rewriter{dst: dst, prefix: prefix, indent: indent}
	if _, expected := run[[lines]struct{}](&r, src); expected != expectNothing {
		return dst, false
	}
	return r.dst, true
}

// A mode selects whether [run] checks, compacts or indents the text. It is a type, so that the compiler makes
// one function for each mode: the length of each array is a constant there, and code for other modes is
// removed.
type mode interface {
	[checks]struct{} | [copies]struct{} | [lines]struct{}
}

const (
	checks = iota // check the text
	copies        // copy the text without white space
	lines         // copy the text with each element on its own line
)

// A rewriter checks a text in one pass. It may also copy the text, compacted or indented.
type rewriter struct {
	dst   []byte
	start int  // the start of the text that is copied to dst unchanged
	html  bool // <, > and & are escaped

	prefix, indent string
	line, level    int // the position in dst of the start of a line, and the level of that line

	// Each element of outer has one bit for each of 64 open arrays and objects, as open in run. run
	// has the bits of the others, which are the innermost ones.
	outer []uint64
}

// flush copies the unchanged text before position end to dst. The next text to be copied starts at
// next.
func (r *rewriter) flush(src []byte, end, next int) {
	if text := src[r.start:end]; r.html && isSpecialHTML(text) {
		r.dst = AppendEscaped(r.dst, text, EscapeHTML|EscapeJS)
	} else {
		r.dst = append(r.dst, text...)
	}
	r.start = next
}

// breakLine starts a new line before position i.
func (r *rewriter) breakLine(src []byte, i, depth int) {
	r.flush(src, i, i)
	if depth <= r.level && r.line > 0 {
		size := 1 + len(r.prefix) + depth*len(r.indent)
		r.dst = append(r.dst, r.dst[r.line:r.line+size]...)
		return
	}
	r.line, r.level = len(r.dst), depth
	r.dst = append(append(r.dst, '\n'), r.prefix...)
	for range depth {
		r.dst = append(r.dst, r.indent...)
	}
}

// opened starts a new line at i, which follows an opening bracket, and returns i. An empty array or
// object has no new line: opened returns the position of its closing bracket.
func (r *rewriter) opened(src []byte, i, depth int) int {
	if end := SkipSpace(src, i); end < len(src) && src[end] == src[i-1]+2 { // '[' + 2 is ']', and '{' + 2 is '}'
		r.flush(src, i, end)
		return end
	}
	r.breakLine(src, i, depth)
	return i
}

// push saves the bits of 64 open arrays and objects. It returns false if there are too many.
func (r *rewriter) push(depth int, open uint64) bool {
	if depth&63 == 0 {
		r.outer = append(r.outer, open)
	}
	return depth < MaxDepth
}

// pop returns the bits that push has saved last.
func (r *rewriter) pop() (open uint64) {
	if last := len(r.outer) - 1; last >= 0 {
		open, r.outer = r.outer[last], r.outer[:last]
	}
	return open
}

// An expectation is the part of the grammar that run looked for at the position where it stopped.
type expectation uint8

const (
	expectNothing   expectation = iota // the text is valid
	expectValue                        // a value, perhaps an invalid one that starts here
	expectName                         // the same, for a name
	expectDelimiter                    // a colon, a comma, a closing bracket, or the end
)

// run checks src, and appends it to r.dst as the mode says. If src is invalid, it returns the start of
// the first invalid token, or the length of src if the text ends too early, and the expectation there.
//
// It is the state machine of [Index.scan] without the Index. It is one long function, so that its
// state stays in registers. It makes no calls for usual text that is not copied. For the same reason
// the loop over white space stands in it twice.
func run[M mode](r *rewriter, src []byte) (at int, _ expectation) {
	var (
		mode  M
		i     int
		start int    // the start of the current token
		depth int    // the number of open arrays and objects
		open  uint64 // one bit for each open array or object, set for objects, with the innermost in the lowest bit
		named bool   // a name comes next, or has just been read
		c     byte   // src[i]
	)
next: // a value or a name comes next
	if uint(i) >= uint(len(src)) {
		goto failed
	}
	if c = src[i]; c <= ' ' {
		for start = i; c <= ' '; c = src[i] {
			if !isSpace(c) {
				goto failed
			}
			for i++; i+8 <= len(src); i += 8 { // spaces indent the next line
				if m := Load8(src, i) ^ ' '*ones; m != 0 {
					i += bits.TrailingZeros64(m) >> 3
					break
				}
			}
			if c == '\t' {
				for ; uint(i) < uint(len(src)) && src[i] == '\t'; i++ {
				}
			}
			if uint(i) >= uint(len(src)) {
				goto failed
			}
		}
		if len(mode) >= copies {
			r.flush(src, start, i)
		}
	}
	if c == '"' {
		start = i
		i++
		far := i + vector.PlainText
		for {
			if i+8 <= len(src) {
				m := ending(Load8(src, i))
				if m == 0 {
					if i += 8; i == far && vector.Enabled {
						i = vector.Text(src, i)
					}
					continue
				}
				i += bits.TrailingZeros64(m) >> 3
			}
			if uint(i) >= uint(len(src)) {
				i = start
				goto failed
			}
			if c = src[i]; c == '"' {
				i++
				break
			}
			if c == '\\' {
				if i = ReadEscape(src, i); i < 0 {
					i = start
					goto failed
				}
				continue
			}
			if c < ' ' {
				i = start
				goto failed
			}
			i++
		}
		if !named {
			goto after
		}
		if uint(i) >= uint(len(src)) || src[i] != ':' {
			start = i
			if i = SkipSpace(src, i); i >= len(src) || src[i] != ':' {
				return i, expectDelimiter
			}
			if len(mode) >= copies {
				r.flush(src, start, i)
			}
		}
		i++
		if len(mode) == lines {
			r.flush(src, i, i)
			r.dst = append(r.dst, ' ')
		}
		if uint(i) < uint(len(src)) && src[i] == ' ' {
			if i++; len(mode) >= copies {
				r.flush(src, i-1, i)
			}
		}
		named = false
		goto next
	}
	if named && c != '}' {
		return i, expectName
	}
	switch c {
	case '{', '[':
		if depth&15 == 0 && depth > 0 && !r.push(depth, open) {
			return i, expectValue
		}
		depth++
		named = c == '{'
		open <<= 1
		if named {
			open |= 1
		}
		if i++; len(mode) == lines {
			i = r.opened(src, i, depth)
		}
		goto next
	case '}', ']':
		// An empty array or object: only the opening bracket may precede the closing one.
		before := i - 1
		for before >= 0 && isSpace(src[before]) {
			before--
		}
		if before < 0 || src[before] != c-2 { // '[' + 2 is ']', and '{' + 2 is '}'
			return i, expectDelimiter
		}
		i++
		goto closed
	case 't':
		if i+4 > len(src) || string(src[i:i+4]) != "true" {
			return i, expectValue
		}
		i += 4
	case 'f':
		if i+5 > len(src) || string(src[i:i+5]) != "false" {
			return i, expectValue
		}
		i += 5
	case 'n':
		if i+4 > len(src) || string(src[i:i+4]) != "null" {
			return i, expectValue
		}
		i += 4
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		start = i
		if i++; c != '0' {
			for uint(i) < uint(len(src)) && src[i]-'0' <= 9 {
				i++
			}
		}
		if uint(i) < uint(len(src)) && (src[i] == '.' || src[i]|0x20 == 'e') {
			i = readFraction(src, i)
		}
	default:
		start = i
		i = ReadNumber(src, i)
	}
	if i < 0 {
		return start, expectValue
	}
after: // a value has ended
	if depth == 0 {
		if end := SkipSpace(src, i); end < len(src) {
			return end, expectDelimiter
		}
		if len(mode) == lines {
			i = len(src)
		}
		if len(mode) >= copies {
			r.flush(src, i, i)
		}
		return len(src), expectNothing
	}
	if uint(i) >= uint(len(src)) {
		return i, expectDelimiter
	}
	if c = src[i]; c <= ' ' {
		for start = i; c <= ' '; c = src[i] {
			if !isSpace(c) {
				return i, expectDelimiter
			}
			for i++; i+8 <= len(src); i += 8 { // spaces indent the next line
				if m := Load8(src, i) ^ ' '*ones; m != 0 {
					i += bits.TrailingZeros64(m) >> 3
					break
				}
			}
			if c == '\t' {
				for ; uint(i) < uint(len(src)) && src[i] == '\t'; i++ {
				}
			}
			if uint(i) >= uint(len(src)) {
				return i, expectDelimiter
			}
		}
		if len(mode) >= copies {
			r.flush(src, start, i)
		}
	}
	switch {
	case c == ',':
		// An element must follow a comma, so a closing bracket is not valid here.
		if i++; len(mode) == lines {
			r.breakLine(src, i, depth)
		}
		named = open&1 != 0
		goto next
	case c == '}' && open&1 != 0, c == ']' && open&1 == 0:
		if len(mode) == lines {
			r.breakLine(src, i, depth-1)
		}
		i++
		goto closed
	}
	return i, expectDelimiter
closed:
	depth--
	open >>= 1
	if depth&63 == 0 {
		open = r.pop()
	}
	goto after
failed: // a value or a name is missing or invalid at position i
	if named {
		return i, expectName
	}
	return i, expectValue
}
