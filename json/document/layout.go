package document

import (
	"bytes"

	"github.com/hone-go/hone/internal/syntax"
)

// addLayout sets the layout from the array or object at t.
func (c *container) addLayout(t int) {
	d := c.source
	c.colon = []byte(":")
	start, end := d.words[t].Pos()+1, syntax.End(d.words, t)-1
	if d.count(t) == 0 {
		c.inner = d.text(start, end)
		if d.hasComment(start, end) {
			c.first = c.inner
		}
		return
	}
	child := t + syntax.ContainerWords
	c.firstChild = uint32(child)
	c.first = d.indent(child)
	c.others = c.first
	value := child
	if c.object {
		value++
		if start, end := d.end(child), d.words[value].Pos(); !d.hasComment(start, end) {
			c.colon = d.text(start, end)
		}
	}
	if second := d.after(value); second < syntax.After(d.words, t) {
		c.others = d.indent(second)
	}
	c.last = d.text(d.spaceStart(end), end)
}

// spaceStart returns the start of the white space that ends at a position.
func (d *Document) spaceStart(end int) int {
	for end > 0 && isSpace(d.data[end-1]) {
		end--
	}
	return end
}

// indent returns the white space before the child at t, for a new child. If it has comments, it is only the
// last line end and the white space after it.
func (d *Document) indent(t int) []byte {
	end := d.words[t].Pos()
	start := d.spaceStart(end)
	space := d.data[start:end]
	if d.hasComment(start, end) {
		line := bytes.LastIndexByte(space, '\n')
		if line < 0 {
			return nil
		}
		space = space[line:]
	}
	return space
}

// spaceBefore returns the white space before child number n.
func (c *container) spaceBefore(n int, ch *child) []byte {
	if ch.t != 0 {
		end := c.source.words[ch.t].Pos()
		start := c.source.spaceStart(end)
		if (n == 0) == (ch.t == c.firstChild) || c.source.hasComment(start, end) {
			return c.source.text(start, end)
		}
	}
	if n == 0 {
		return c.first
	}
	return c.others
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// append appends the text of the container; see [node.append].
func (c *container) append(dst []byte, depth int) (_ []byte, ok bool) {
	open, end := byte('['), byte(']')
	if c.object {
		open, end = '{', '}'
	}
	dst = append(dst, open)
	if c.live == 0 {
		dst = append(dst, c.inner...)
	}
	for n, ch := range c.children {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c.spaceBefore(n, ch)...)
		if dst, ok = c.appendChild(dst, ch, depth); !ok {
			return dst, false
		}
		if n == c.live-1 {
			dst = append(dst, c.last...)
		} else if ch.t != 0 {
			dst = append(dst, c.spaceAfter(ch)...)
		}
	}
	return append(dst, end), true
}

// appendChild appends a child, without the white space around it.
func (c *container) appendChild(dst []byte, ch *child, depth int) ([]byte, bool) {
	d, t := c.source, int(ch.t)
	if c.object {
		switch {
		case t == 0:
			dst = append(append(dst, ch.value.name...), c.colon...)
		default:
			dst = append(dst, d.text(d.words[t].Pos(), d.words[t+1].Pos())...)
			t++
		}
	}
	if ch.value == nil {
		return append(dst, d.text(d.words[t].Pos(), d.end(t))...), true
	}
	return ch.value.append(dst, depth)
}

// spaceAfter returns the white space between a child of the text and the comma after it. The white space
// after the last child belongs to the end of the array or object.
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
