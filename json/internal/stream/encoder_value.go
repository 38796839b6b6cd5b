package stream

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// AppendString appends s as a JSON string, with the escapes that the options require. It replaces
// invalid UTF-8 by U+FFFD. It returns false if s is not valid UTF-8 and the options require valid
// UTF-8.
func AppendString(dst []byte, s string, set *option.Set) ([]byte, bool) {
	return syntax.AppendText(dst, s, EscapesOf(set.On))
}

// EscapesOf returns the escapes in strings that the given flags require.
func EscapesOf(on option.Flag) syntax.Escapes {
	var x syntax.Escapes
	if on&option.EscapeForHTML != 0 {
		x |= syntax.EscapeHTML
	}
	if on&option.EscapeForJS != 0 {
		x |= syntax.EscapeJS
	}
	if on&option.AllowInvalidUTF8 == 0 {
		x |= syntax.OnlyUTF8
	}
	return x
}

// appendQuoted appends raw, a valid JSON string, and changes its escapes as the options require. It
// returns false if the options require valid UTF-8 and raw is not valid; see [IsUnicode].
func appendQuoted(dst, raw []byte, set *option.Set) ([]byte, bool) {
	escapes := EscapesOf(set.On)
	if escapes&(syntax.EscapeHTML|syntax.EscapeJS) == 0 && syntax.PlainRun(raw, 1) == len(raw)-1 {
		return append(dst, raw...), true
	}
	_, f, problem := syntax.ScanString(raw, 0, 0, escapes&syntax.OnlyUTF8 != 0)
	if problem.Kind != syntax.NoProblem {
		return dst, false
	}
	keeps := set.Has(option.PreserveRawStrings)
	if escapes&(syntax.EscapeHTML|syntax.EscapeJS) == 0 && (f&syntax.Noncanonical == 0 || keeps) {
		return append(dst, raw...), true
	}
	if keeps {
		return syntax.AppendEscaped(dst, raw, escapes), true
	}
	text, _ := syntax.AppendUnquoted(nil, raw)
	dst, _ = syntax.AppendText(dst, string(text), escapes&^syntax.OnlyUTF8)
	return dst, true
}

// WriteValue writes v, formatted by the options. If v is not valid, or a value is not allowed here,
// it returns a [*SyntacticError] and writes nothing.
func (e *Encoder) WriteValue(v Value) error {
	e.longest |= len(v)
	start := syntax.SkipSpace(v, 0)
	var c byte
	if start < len(v) {
		c = v[start]
	}
	b := e.Start(byte(KindOf(c)))
	pos := len(b)
	x := indexes.Get().(*reader)
	defer x.release()
	if !x.read(v, e) {
		return e.valueFault(v, pos)
	}
	text := v[start:]
	switch c {
	case '{', '[':
		if err := e.mayPush(); err != nil {
			return e.fault(err, pos, Next)
		}
		if e.depth() > 0 && e.depth()+deepest(x.index.Words(), v) > MaxDepth {
			return e.valueFault(v, pos)
		}
		e.top.count++
		b = x.append(b, v, e)
	case '"':
		end, _ := syntax.SkipString(text, 0)
		b, _ = appendQuoted(b, text[:end], &e.Set)
		if e.top.wantsName() && !e.name(b[pos:], false, unique(&e.Set)) {
			return e.duplicate(b[pos:], pos)
		}
		e.top.count++
	default:
		if err := e.scalar(); err != nil {
			return e.fault(err, pos, Next)
		}
		end := syntax.SkipValue(text, 0)
		if KindOf(c) == '0' {
			b = appendNumber(b, text[:end], &e.Set)
		} else {
			b = append(b, text[:end]...)
		}
	}
	e.buf = b
	return e.written()
}

// AppendValid appends the value v, which must satisfy the options except for white space. See
// [Encoder.Count].
func (e *Encoder) AppendValid(b, v []byte) []byte {
	on := e.On
	defer func() { e.On = on }()
	e.On = on&(option.Whitespace|option.Compact) | option.PreserveRawStrings | option.AllowInvalidUTF8 | option.AllowDuplicateNames
	x := indexes.Get().(*reader)
	defer x.release()
	x.index.All = true
	x.index.Build(v)
	return x.append(b, v, e)
}

// valueFault returns the error for the invalid value v at position pos of the buffer.
func (e *Encoder) valueFault(v Value, pos int) error {
	d := Decoder{Set: e.Set}
	d.SetText(v)
	d.writes, d.outerDepth = true, e.depth()
	start := syntax.SkipSpace(v, 0)
	if start == len(v) {
		return e.fault(io.ErrUnexpectedEOF, pos+start, Next)
	}
	_, err := d.ReadValue()
	to := Next
	if err == nil {
		err = d.CheckEnd()
		to = Ambiguous
	}
	s, ok := err.(*SyntacticError)
	if !ok {
		return err
	}
	s.JSONPointer = Pointer(e.appendPointer(outerPointer(e.Outer), to)) + s.JSONPointer
	s.ByteOffset += e.base + int64(pos)
	return s
}

// A reader contains the index of a value that an Encoder writes, and scratch memory for formatting
// the value.
type reader struct {
	index   syntax.Index
	names   stack
	members []member
	keys    []sortKey
	text    []byte // the unquoted forms of names that contain escapes
	scratch []byte
}

var indexes = sync.Pool{New: func() any { return new(reader) }}

func (x *reader) release() {
	if x.index.Cap() > 1<<16 || cap(x.scratch) > 1<<16 || cap(x.text) > 1<<16 || cap(x.members) > 1<<12 || cap(x.keys) > 1<<12 {
		*x = reader{}
	}
	x.names.reset()
	x.members, x.text = x.members[:0], x.text[:0]
	indexes.Put(x)
}

// read indexes the value v. It returns false if v is invalid or the options of e do not allow it.
func (x *reader) read(v []byte, e *Encoder) bool {
	x.index.All = true
	if !x.index.Build(v) {
		return false
	}
	names, utf := unique(&e.Set), !e.Has(option.AllowInvalidUTF8)
	if !names && !utf {
		return true
	}
	x.names.reset()
	words := x.index.Words()
	return strict(v, words, 0, len(words), names, utf, &x.names)
}

// append appends the indexed value v.
func (x *reader) append(b, v []byte, e *Encoder) []byte {
	if e.Has(option.Compact) {
		on := e.On
		defer func() { e.On = on }()
		e.On &^= option.Whitespace
	}
	if e.On&(option.Whitespace|option.CanonicalizeNumbers|option.ReorderRawObjects|option.EscapeForHTML|option.EscapeForJS) == 0 &&
		(e.Has(option.PreserveRawStrings) || !anyNoncanonical(v, x.index.Words())) {
		b, _ = syntax.AppendCompact(b, v, false)
		return b
	}
	b, _ = x.value(b, v, x.index.Words(), 0, e, e.depth())
	return b
}

// anyNoncanonical reports whether RFC 8785 requires another form for a string in text. words is the
// index of text.
func anyNoncanonical(text []byte, words []syntax.Word) bool {
	for t := 0; t < len(words); {
		w := words[t]
		switch text[w.Pos()] {
		case '{', '[':
			t += syntax.ContainerWords
			continue
		case '"':
			if !w.Plain() {
				if _, f, _ := syntax.ScanString(text[w.Pos():w.StringEnd(text)], 0, 0, false); f&syntax.Noncanonical != 0 {
					return true
				}
			}
		}
		t++
	}
	return false
}

// A member is an object member that is being sorted.
type member struct {
	prefix     uint64 // the first bytes of the unquoted name; see prefixOf
	name, stop int    // the start and end of the unquoted name, in the text of the reader or in the value
	start, end int    // the start and end of the member in the buffer
	held       bool   // name and stop are positions in reader.text, not in the value
}

// prefixOf returns the first eight bytes of a name as a big-endian number, so that the numbers have
// the same order as the names. The first byte that is not ASCII becomes 0xff, and the bytes after
// it become 0.
func prefixOf(name []byte) (p uint64) {
	if len(name) >= 8 {
		if p = binary.BigEndian.Uint64(name); p&0x8080808080808080 == 0 {
			return p
		}
		p = 0
	}
	for i := range min(len(name), 8) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return p | 0xff<<(56-8*i)
		}
		p |= uint64(c) << (56 - 8*i)
	}
	return p
}

// value appends the value whose first word is words[t]. The value is nested in depth arrays and
// objects. It returns the index of the word after the value.
func (x *reader) value(b, v []byte, words []syntax.Word, t int, e *Encoder, depth int) ([]byte, int) {
	w := words[t]
	c := v[w.Pos()]
	switch c {
	case '"':
		return appendString(b, v, w, e), t + 1
	case 't', 'n':
		return append(b, v[w.Pos():w.Pos()+4]...), t + 1
	case 'f':
		return append(b, "false"...), t + 1
	case '{', '[':
	default:
		return appendNumber(b, v[w.Pos():w.NumberEnd(v)], &e.Set), t + 1
	}
	after := syntax.After(words, t)
	b = append(b, c)
	if t += syntax.ContainerWords; t == after {
		return append(b, c+2), after
	}
	first, held := len(x.members), len(x.text)
	order := c == '{' && e.Has(option.ReorderRawObjects)
	body := len(b)
	for i := 0; t < after; i++ {
		if i > 0 {
			b = append(b, ',')
			if e.Has(option.SpaceAfterComma) {
				b = append(b, ' ')
			}
		}
		if e.Has(option.Multiline) {
			b = e.line(b, depth+1)
		}
		start := len(b)
		if c == '{' {
			if order {
				x.members = append(x.members, x.member(v, words[t], start))
			}
			b = append(appendString(b, v, words[t], e), ':')
			if e.Has(option.SpaceAfterColon) {
				b = append(b, ' ')
			}
			t++
		}
		at := len(x.members) - 1
		b, t = x.value(b, v, words, t, e, depth+1)
		if order {
			x.members[at].end = len(b)
		}
	}
	if order {
		x.order(b, v, body, x.members[first:])
		x.members, x.text = x.members[:first], x.text[:held]
	}
	if e.Has(option.Multiline) {
		b = e.line(b, depth)
	}
	return append(b, c+2), after
}

// appendString appends the string of w, and changes its escapes as the options require.
func appendString(b, v []byte, w syntax.Word, e *Encoder) []byte {
	quoted := v[w.Pos():w.StringEnd(v)]
	if !w.Escaped() && !e.Has(option.EscapeForHTML|option.EscapeForJS) && (w.Plain() || !e.Has(option.AllowInvalidUTF8)) {
		return append(b, quoted...) // read has checked that the string is valid UTF-8
	}
	b, _ = appendQuoted(b, quoted, &e.Set)
	return b
}

// member returns the member whose name is the string of w. The member starts at position start of
// the buffer.
func (x *reader) member(v []byte, w syntax.Word, start int) member {
	m := member{name: w.Pos() + 1, stop: w.StringEnd(v) - 1, start: start}
	if w.Plain() || !w.Escaped() && utf8.Valid(v[m.name:m.stop]) {
		m.prefix = prefixOf(v[m.name:m.stop])
		return m
	}
	held := len(x.text)
	x.text, _ = syntax.AppendUnquoted(x.text, v[m.name-1:m.stop+1])
	m.name, m.stop, m.held = held, len(x.text), true
	m.prefix = prefixOf(x.text[held:])
	return m
}

// nameOf returns the unquoted name of the member m.
func (x *reader) nameOf(m *member, v []byte) []byte {
	if m.held {
		v = x.text
	}
	return v[m.name:m.stop]
}

// insertionMembers is the maximum number of members for insertion sort.
const insertionMembers = 64

// A sortKey is the prefix of a member's name and the index of the member. Sorting compares only the
// prefixes if they differ.
type sortKey struct {
	prefix uint64
	member int
}

// order sorts the members as RFC 8785 specifies. Their texts are in b[body:], with equal separators
// between them.
func (x *reader) order(b, v []byte, body int, members []member) {
	keys, sorted := x.keys[:0], true
	for i := range members {
		keys = append(keys, sortKey{members[i].prefix, i})
		sorted = sorted && (i == 0 || x.compare(b, v, members, keys[i-1], keys[i]) <= 0)
	}
	x.keys = keys
	if sorted {
		return
	}
	before, between := b[body:members[0].start], b[members[0].end:members[1].start]
	if len(keys) <= insertionMembers {
		for n := 1; n < len(keys); n++ {
			p := keys[n]
			i := n
			for ; i > 0; i-- {
				q := keys[i-1]
				if q.prefix < p.prefix || q.prefix == p.prefix && x.compare(b, v, members, q, p) <= 0 {
					break
				}
				keys[i] = q
			}
			keys[i] = p
		}
	} else {
		slices.SortStableFunc(keys, func(p, q sortKey) int { return x.compare(b, v, members, p, q) })
	}
	out := append(x.scratch[:0], before...)
	for i, p := range keys {
		if i > 0 {
			out = append(out, between...)
		}
		out = append(out, b[members[p.member].start:members[p.member].end]...)
	}
	copy(b[body:], out)
	x.scratch = out
}

// compare compares members by their names. Members with equal names are compared as text.
func (x *reader) compare(b, v []byte, members []member, p, q sortKey) int {
	if p.prefix != q.prefix {
		return cmp.Compare(p.prefix, q.prefix)
	}
	m, n := &members[p.member], &members[q.member]
	if c := compareUTF16(x.nameOf(m, v), x.nameOf(n, v)); c != 0 {
		return c
	}
	return compareUTF16(b[m.start:m.end], b[n.start:n.end])
}

// compareUTF16 compares strings by their UTF-16 code units (RFC 8785, section 3.2.3). Invalid UTF-8
// is compared as bytes.
func compareUTF16(x, y []byte) int {
	for len(x) > 0 && len(y) > 0 {
		if x[0] == y[0] && x[0] < utf8.RuneSelf {
			x, y = x[1:], y[1:]
			continue
		}
		r, n := utf8.DecodeRune(x)
		s, m := utf8.DecodeRune(y)
		if r == s {
			if n == 1 && m == 1 && r == utf8.RuneError && x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			if n != m { // one string has U+FFFD, the other an invalid byte, which also decodes as U+FFFD
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[n:], y[m:]
			continue
		}
		// A surrogate pair sorts by its first unit.
		if first, _ := utf16.EncodeRune(r); r > 0xffff && s <= 0xffff {
			return cmp.Compare(first, s)
		}
		if first, _ := utf16.EncodeRune(s); s > 0xffff && r <= 0xffff {
			return cmp.Compare(r, first)
		}
		return cmp.Compare(r, s)
	}
	return cmp.Compare(len(x), len(y))
}
