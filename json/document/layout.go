package document

import "github.com/hone-go/hone/internal/syntax"

// addLayout sets the layout from the array or object at t.
func (c *container) addLayout(t int) {
	d := c.source
	c.colon = []byte(":")
	if end := syntax.End(d.words, t); d.count(t) == 0 {
		c.inner = d.data[d.words[t].Pos()+1 : end-1]
		return
	}
	child := t + syntax.ContainerWords
	c.firstChild = uint32(child)
	c.first = d.spaceBefore(child)
	c.others = c.first
	value := child
	if c.object {
		value++
		c.colon = d.data[d.end(child):d.words[value].Pos()]
	}
	if second := d.after(value); second < syntax.After(d.words, t) {
		c.others = d.spaceBefore(second)
	}
	end := syntax.End(d.words, t) - 1
	start := end
	for start > 0 && isSpace(d.data[start-1]) {
		start--
	}
	c.last = d.data[start:end]
}

// spaceBefore returns the white space before the name or value at t.
func (d *Document) spaceBefore(t int) []byte {
	end := d.words[t].Pos()
	start := end
	for start > 0 && isSpace(d.data[start-1]) {
		start--
	}
	return d.data[start:end]
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
	ok = true
	for n, ch := range c.children {
		switch {
		case n == 0:
			dst = append(dst, c.first...)
		case ch.t == 0 || ch.t == c.firstChild:
			dst = append(append(dst, ','), c.others...)
		default:
			dst = append(append(dst, ','), c.source.spaceBefore(int(ch.t))...)
		}
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
			dst = append(dst, d.data[d.words[t].Pos():d.words[t+1].Pos()]...)
			t++
		}
	}
	if ch.value == nil {
		return append(dst, d.at(t).Raw()...), true
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
	return d.data[start:end]
}
