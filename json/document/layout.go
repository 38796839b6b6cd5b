package document

import (
	"bytes"

	"github.com/hone-go/hone/internal/syntax"
)

// The space between two tokens is white space and comments. It has one comma if it follows the last child and the text
// has a comma there. A comment on the line of a comma or an opening bracket, after it, belongs to the child before the
// comma, or to the bracket. Other comments belong to the child after them.

// addLayout sets the layout from the array or object at t.
func (c *container) addLayout(t int) {
	d := c.source
	c.colon = []byte(":")
	if end := syntax.End(d.words, t); d.count(t) == 0 {
		c.inner = d.text(d.words[t].Pos()+1, end-1)
		if hasComment(c.inner) { // new children come after the comments on the line of the bracket
			c.first, c.last = c.inner, c.inner[sameLine(c.inner):]
			c.others = indentation(c.first)
		}
		return
	}
	child := t + syntax.ContainerWords
	c.firstChild, c.afterLast = uint32(child), uint32(syntax.After(d.words, t))
	c.first = d.spaceBefore(child)
	c.others = indentation(c.first)
	value := child
	if c.object {
		value++
		if c.colon = d.text(d.end(child), d.words[value].Pos()); hasComment(c.colon) || len(c.colon) > maxLayout {
			c.colon = []byte(": ")
		}
	}
	if second := d.after(value); second < syntax.After(d.words, t) {
		c.others = indentation(d.spaceBefore(second))
	}
	end := syntax.End(d.words, t) - 1
	c.last = d.text(d.spaceStart(end), end)
}

// spaceBefore returns the space before the name or value at t.
func (d *Document) spaceBefore(t int) []byte {
	end := d.words[t].Pos()
	return d.text(d.spaceStart(end), end)
}

// spaceStart returns the start of the space that ends at a position.
func (d *Document) spaceStart(end int) int {
	for end > 0 && isSpace(d.data[end-1]) {
		end--
	}
	return end
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

func hasComment(space []byte) bool { return bytes.IndexByte(space, '/') >= 0 }

// sameLine returns the length of the comments at the start of the space that are on the line of the token before it. It
// is 0 if the next token is on this line too.
func sameLine(space []byte) int {
	n := 0
	for i := 0; i < len(space); i++ {
		switch c := space[i]; {
		case isLineEnd(c):
			return n
		case c == '/':
			n = i + commentLength(space[i:])
			i = n - 1
		}
	}
	return 0
}

// maxLayout is the maximum length in bytes of the space before a new child.
const maxLayout = 256

// indentation returns the white space of the space, from its last line break on if it has comments or is long.
func indentation(space []byte) []byte {
	if !hasComment(space) && len(space) <= maxLayout {
		return space
	}
	start := bytes.LastIndexAny(space, "\n\r")
	if start < 0 {
		return nil
	}
	end := start
	for end < len(space) && isSpace(space[end]) {
		end++
	}
	return space[start:min(end, start+maxLayout)]
}

// append appends the text of the container; see [node.append].
func (c *container) append(dst []byte, depth int) (_ []byte, ok bool) {
	open, end := byte('['), byte(']')
	if c.object {
		open, end = '{', '}'
	}
	dst = append(dst, open)
	if c.live == 0 {
		return append(c.appendEmpty(dst), end), true
	}
	trailing := c.first[:sameLine(c.first)] // the comments that belong to the bracket or to the child before
	var from, to *child                     // the first and last of neighbors that have not changed and are not written yet
	for n, ch := range c.children {
		if to != nil {
			if ch.value == nil && ch.t == c.next(to) {
				to = ch
				continue
			}
			dst = append(dst, c.between(from, to)...)
			dst, trailing = c.appendSpaceAfter(dst, to, false)
			to = nil
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = appendSpace(dst, trailing, c.lead(n, ch))
		if ch.value == nil {
			from, to = ch, ch
			continue
		}
		if dst, ok = c.appendChild(dst, ch, depth); !ok {
			return dst, false
		}
		dst, trailing = c.appendSpaceAfter(dst, ch, n == c.live-1)
		if n == c.live-1 && ch.t != 0 && c.next(ch) >= c.afterLast {
			return append(append(dst, c.last...), end), true
		}
	}
	if to != nil {
		dst = append(dst, c.between(from, to)...)
		if c.next(to) >= c.afterLast {
			return append(append(dst, c.last...), end), true
		}
		dst, trailing = c.appendSpaceAfter(dst, to, true)
	}
	if _, comma := cutComma(c.last); comma {
		dst = append(dst, ',')
	}
	rest, _ := cutComma(c.last[sameLine(c.last):])
	return append(appendSpace(dst, trailing, rest), end), true
}

// between returns the text from the start of a child to the end of a later one.
func (c *container) between(from, to *child) []byte {
	d, t := c.source, int(to.t)
	if c.object {
		t++
	}
	return d.text(d.words[from.t].Pos(), d.end(t))
}

// appendSpaceAfter appends the space between a child and the comma after it. It returns the comments that belong to
// the child and stand after the comma. last is set for the last child of the result.
func (c *container) appendSpaceAfter(dst []byte, ch *child, last bool) (_, trailing []byte) {
	if ch.t == 0 {
		return dst, nil
	}
	next := c.next(ch)
	if next >= c.afterLast {
		if !last {
			trailing, _ = cutComma(c.last[:sameLine(c.last)])
		}
		return dst, trailing
	}
	if space := c.spaceAfter(ch); !last || hasComment(space) {
		dst = append(dst, space...)
	}
	trailing = c.source.spaceBefore(int(next))
	return dst, trailing[:sameLine(trailing)]
}

// appendEmpty appends the space in a container without children: the comments of the brackets, if all children were
// removed.
func (c *container) appendEmpty(dst []byte) []byte {
	if c.afterLast == 0 {
		return append(dst, c.inner...)
	}
	bracket := c.first[:sameLine(c.first)]
	rest, _ := cutComma(c.last[sameLine(c.last):])
	if len(bracket) == 0 && !hasComment(rest) {
		return dst
	}
	return appendSpace(dst, bracket, rest)
}

// lead returns the space before child n of the result, without the comments on the line of the token before it.
func (c *container) lead(n int, ch *child) []byte {
	if ch.t != 0 {
		own := c.source.spaceBefore(int(ch.t))
		if own = own[sameLine(own):]; (n == 0) == (ch.t == c.firstChild) || hasComment(own) {
			return own
		}
	}
	if n == 0 {
		return indentation(c.first[sameLine(c.first):])
	}
	return c.others
}

// next returns the word after the child of the text, without regard to changes.
func (c *container) next(ch *child) uint32 {
	t := int(ch.t)
	if c.object {
		t++
	}
	return uint32(c.source.after(t))
}

// appendSpace appends comments and the space after them. A comment may need a line break after it.
func appendSpace(dst, comments, space []byte) []byte {
	dst = append(dst, comments...)
	if rest := bytes.TrimLeft(space, " \t"); len(comments) > 0 && (len(rest) == 0 || !isLineEnd(rest[0])) {
		dst = append(dst, '\n')
	}
	return append(dst, space...)
}

// cutComma returns the space after the last child without its comma, and reports whether it has one.
func cutComma(space []byte) (without []byte, comma bool) {
	for i := 0; i < len(space); i++ {
		switch space[i] {
		case ',':
			return append(bytes.Clone(space[:i]), space[i+1:]...), true
		case '/':
			i += commentLength(space[i:]) - 1
		}
	}
	return space, false
}

// appendChild appends a child that may have changed, without the space around it.
func (c *container) appendChild(dst []byte, ch *child, depth int) ([]byte, bool) {
	switch d, t := c.source, int(ch.t); {
	case !c.object:
	case t == 0:
		dst = append(append(dst, ch.value.name...), c.colon...)
	default:
		dst = append(dst, d.text(d.words[t].Pos(), d.words[t+1].Pos())...)
	}
	return ch.value.append(dst, depth)
}

// valueText returns the text of the value at t with its comments.
func (d *Document) valueText(t int) []byte { return d.text(d.words[t].Pos(), d.end(t)) }

// spaceAfter returns the space between a child of the text and the comma after it. The space after the last child
// belongs to the end of the array or object.
func (c *container) spaceAfter(ch *child) []byte {
	d, t := c.source, int(ch.t)
	if c.object {
		t++
	}
	start := d.end(t)
	end := syntax.SkipSpace(d.data, start)
	if d.data[end] != ',' {
		return nil
	}
	return d.text(start, end)
}
